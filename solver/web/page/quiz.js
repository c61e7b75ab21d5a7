/** The view of puzzles: positions with exactly one good move, which the user has to find. */

/** @import { Event, Known, Listing, Move, Quest } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { sideIcon } from "./boardart.js";
import {
  isPuzzle,
  latestDay,
  listToday,
  puzzleOfDay,
  solvedAs,
  streakText,
  today,
  triedAs,
  triedKey,
  valuesAt,
} from "./daily.js";
import { announce, byId, make, refill } from "./dom.js";
import { choose, dispatch, stateNow } from "./drive.js";
import { engineOf } from "./engines.js";
import { describeKey } from "./explore.js";
import { latest, whileLate } from "./latest.js";
import { countsOf } from "./memory.js";
import { refutation } from "./mistake.js";
import { attempt, mayHelp, showNotice } from "./notice.js";
import { boardView, onGame } from "./play.js";
import { pliesOf } from "./plies.js";
import { codeOf, rivalOf, seated } from "./seats.js";
import { share } from "./share.js";
import { view, WRONG } from "./store.js";
import { makeBoard } from "./textboard.js";
import { why, worth } from "./words.js";

/**
 * @typedef Handlers
 * @property {(listing: Listing, fields: Fields) => void} open plays on from a position
 * @property {Listing[]} listings
 * @property {() => Listing} listing that is open
 * @property {(listing: Listing) => void} openToday opens a game's puzzle of today
 * @property {() => string} usual the opponent that is chosen
 */

/** @type {ReturnType<typeof makeBoard> | null} */
let quizBoard = null;

/** The keys of the board that is shown. @param {number} digit */
export const pressOnPuzzle = (digit) => quizBoard?.pressDigit(digit);

/** Return a puzzle as in an address. @param {Quest} puzzle */
const keyOf = ({ lines: [[{ known }]], number, listing }) =>
  String(number ?? `${known.position}:${codeOf(listing, known.turn)}`);

/** The key of the address that describes the puzzle. */
export function puzzleFields() {
  const { puzzle, awaited } = stateNow();
  return { puzzle: puzzle && !awaited ? keyOf(puzzle) : awaited || undefined };
}

/** Listen to the controls. @param {Handlers} handlers */
export function listenToPuzzles({ open, usual, listing }) {
  onGame("next", () => attempt(() => showAnother(listing())));
  byId("share-puzzle").addEventListener("click", () => {
    const { puzzle } = stateNow();
    if (puzzle) share(byId("share-puzzle"), shareText(puzzle));
  });
  byId("solution").addEventListener("click", () => {
    const { puzzle } = stateNow();
    if (!puzzle || puzzle.right) return;
    dispatch({ type: puzzle.done ? "again" : "shown", of: "puzzle" });
    if (!puzzle.done) quizBoard?.point(view(puzzle).known.moves[0]);
  });
  byId("play-on").addEventListener("click", () => {
    const { puzzle } = stateNow();
    if (!puzzle || byId("play-on").ariaDisabled === "true") return;
    const { position, turn } = puzzle.lines[0][0].known;
    const side = puzzle.listing.seats.indexOf(turn);
    open(puzzle.listing, { position, turn, ...seated(side, usual()) });
  });
}

/** Return the result of a puzzle as a text to share. @param {Quest} puzzle */
function shareText({ number, day, right, spare, squares, listing }) {
  const what = listing.title + (number ? ` no. ${number}` : ", a puzzle");
  const days = number === day ? streakText(day) : "";
  return what + (right && !spare ? ` ${squares}${days}` : ""); // else it is still to be solved
}

/** Show a game's puzzles: first the one that an address names, else that of today.
 * @param {Listing} listing @param {string} [asked] */
export function enterPuzzles(listing, asked) {
  const { puzzle } = stateNow();
  if (puzzle?.listing === listing && !asked) return;
  const day = today();
  dispatch({ type: "awaited", puzzle: asked ?? String(day) });
  byId("task").textContent = "One moment …";
  byId("verdict").textContent = "";
  attempt(() => showAsked(listing, stateNow().awaited || String(day), day));
}

/** Show the puzzle that an address names: a day, or a position and the side to move.
 * @param {Listing} listing @param {string} asked @param {number} day */
async function showAsked(listing, asked, day) {
  const [, text, seat] = /^(.*):([^:]*)$/s.exec(asked) ?? [null, asked, undefined];
  try {
    if (/^\d+$/.test(asked)) {
      const fits = Number(asked) > 0 && Number(asked) <= latestDay();
      const why = Number(asked) ? "is still to come" : "has never been";
      if (!fits) showNotice(`Puzzle no. ${asked} ${why}. This is the one of today, no. ${day}.`);
      return await showDay(listing, fits ? Number(asked) : day, day);
    }
    const known = await latest("puzzle", async () => valuesAt(await engineOf(listing), text, seat));
    if (!isPuzzle(known)) throw new RangeError("it needs exactly one good move");
    set(listing, [known], day);
  } catch (error) {
    if (mayHelp(error)) {
      byId("task").textContent = "This puzzle cannot be shown.";
      throw error;
    }
    await showAnother(listing); // instead of nothing
    showNotice(`“${asked}” is no puzzle of ${listing.title}: this is another one.`);
  }
}

/** Show the puzzle of a day, with the moves that have solved it.
 * @param {Listing} listing @param {number} number @param {number} day that of the user */
async function showDay(listing, number, day) {
  const solved = solvedAs(listing.game, number);
  const plies = await latest("puzzle", async () => {
    const engine = await engineOf(listing);
    const puzzle = await puzzleOfDay(engine, number);
    if (!puzzle) return null;
    const { position, turn } = puzzle;
    const { plies } = await engine.record({ position, turn, moves: solved?.moves });
    return [await valuesAt(engine, position, turn), ...plies.slice(1)];
  });
  if (plies) set(listing, plies, day, number, solved?.squares);
  else showNone(listing);
}

/** Show a puzzle that is drawn at random. @param {Listing} listing */
async function showAnother(listing) {
  const { puzzle } = stateNow();
  const search = async () => {
    const engine = await engineOf(listing);
    const found = await engine.puzzle();
    return found && valuesAt(engine, found.position, found.turn);
  };
  const known = await latest("puzzle", (wanted) =>
    whileLate(search(), (seconds) => {
      if (!wanted()) return;
      byId("task").textContent = `Looking for a puzzle … ${seconds ? `${seconds} s` : ""}`;
      byId("puzzle-board").setAttribute("aria-busy", "true");
    }),
  );
  if (known) set(listing, [known], puzzle?.day ?? today());
  else showNone(listing);
}

/** @param {Listing} listing @param {Known[]} known @param {number} day @param {number} [number]
 * @param {string} [squares] how it was solved */
function set(listing, known, day, number, squares) {
  const plies = pliesOf(known);
  const tried = triedAs(triedKey(listing.game, plies[0].known, number));
  dispatch({ type: "set", listing, plies, number, day, squares: squares ?? null, tried });
  const { puzzle } = stateNow();
  if (puzzle) announce(`New puzzle. ${taskOf(puzzle)}`);
}

/** @param {Listing} listing */
function showNone(listing) {
  byId("puzzle-board").hidden = true;
  byId("task").textContent = `There is no puzzle of ${listing.title}.`;
  byId("verdict").textContent = byId("tally").textContent = "";
}

/** Return what is to be found. @param {Quest} puzzle */
function taskOf({ lines: [[{ known }]], right, spare }) {
  if (right) return spare ? "Solved, but not counted." : "Solved.";
  return `${known.turn} to move: ${known.moves[0].outcome === "win" ? "find the win" : "hold the draw"}.`;
}

/** Return the moves that can be chosen, and where there is an answer, what it was.
 * @param {Quest} puzzle @returns {[text: string, mood: string]} */
function verdictOf(puzzle) {
  const { lines, at, done, right, spare, refused, number, listing, by } = {
    ...puzzle,
    ...view(puzzle),
  };
  const [plies] = lines;
  const { known } = plies[at];
  if (refused)
    return [`${refutation(refused.move, rivalOf(listing, known.turn))} Try again.`, "wrong"];
  if (done && !right)
    return [`The move is ${known.moves[0].label}: ${why(known.moves[0])}.`, "told"];
  const { played } = plies[at];
  if (!played) return [spare ? "The solution was shown: this try does not count." : "", ""];
  const only = plies[0].known.outcome === "win" ? "keeps the win" : "holds the draw";
  const again = by === null && number ? `You have solved no. ${number}. ` : "Right: ";
  if (right) return [`${again}${played.label}, ${worth(played)}. No other move ${only}.`, "right"];
  const other = rivalOf(listing, plies[0].known.turn);
  const text =
    at % 2
      ? `Right: ${played.label}.`
      : `Right. ${other} answers ${played.label}: find the next move.`;
  return [text, "right"];
}

/** Redraw the view after an event. @param {Event} event @param {Handlers} handlers */
export function renderPuzzle(event, { listings, listing: open, openToday }) {
  const { puzzle, awaited } = stateNow();
  if (event.of !== "puzzle" && event.type !== "set" && event.type !== "awaited") return;
  const day = puzzle?.day ?? today();
  const key = awaited || (puzzle ? keyOf(puzzle) : "");
  const isToday = key === String(day);
  const other = /^\d+$/.test(key) ? `Puzzle no. ${key}` : "One more puzzle";
  byId("number").classList.toggle("counts", event.type === "solved" && isToday);
  byId("number").textContent = isToday ? `Today’s puzzle, no. ${day}${streakText(day)}` : other;
  const buttons = listToday(listings, open(), day, isToday, openToday);
  refill(byId("today"), buttons, '[aria-pressed="true"]');
  if (!puzzle || awaited) return;
  const { listing, done, right, spare, squares } = puzzle;
  const fresh = event.type === "set" || !quizBoard;
  if (fresh) quizBoard = makeBoard(byId("puzzle-board"), listing, answerWith);
  byId("puzzle-board").hidden = false;
  byId("puzzle-board").setAttribute("aria-busy", "false");
  byId("task").replaceChildren(sideIcon(puzzle.lines[0][0].known.turn, listing), taskOf(puzzle));
  paintPuzzle(puzzle, event);
  const [text, mood] = verdictOf(puzzle);
  byId("verdict").textContent = text;
  byId("verdict").dataset.mood = mood;
  byId("puzzle-key").replaceChildren(...(mood === "told" ? describeKey() : []));
  showSquares(squares, event.type === "solved");
  const [solved, tried] = countsOf("puzzles", listing.game) ?? [0, 0];
  const all = Math.max(solved, tried ?? 0);
  const ended = done || spare;
  byId("tally").textContent = ended ? `Solved at the first try: ${solved} of ${all}.` : "";
  byId("solution").textContent = done && !right ? "Try it again" : "Solution";
  byId("solution").setAttribute("aria-disabled", String(right));
  byId("play-on").setAttribute("aria-disabled", String(!ended)); // where hints are to be had
  byId("next").classList.toggle("strong", done && !right);
  byId("share-puzzle").classList.toggle("strong", right);
}

/** Show the answers so far as squares, which fill one by one when the last is right.
 * @param {string} squares @param {boolean} fill */
function showSquares(squares, fill) {
  const items = [...squares].map((square, n) => {
    const item = make("i", {
      class: `${square === WRONG ? "wrong" : "right"} ${fill ? "fill" : ""}`,
    });
    item.style.setProperty("--n", String(n));
    return item;
  });
  byId("squares").replaceChildren(...items);
}

/** @param {Quest} puzzle @param {Event} event */
function paintPuzzle(puzzle, event) {
  const { done, right } = puzzle;
  const shown = boardView(view(puzzle), event);
  quizBoard?.show({
    ...shown,
    known: right ? { ...shown.known, moves: [] } : shown.known,
    values: done && !right,
    open: shown.open && !done,
    named: true, // as the texts do
  });
}

/** @param {Move} move */
function answerWith(move) {
  const { puzzle } = stateNow();
  if (puzzle && !puzzle.done) attempt(() => choose("puzzle", move));
}
