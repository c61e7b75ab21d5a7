/** The view where games are played and explored. */

/** @import { Event, Listing, Move, Shown, Step, View } from "./types.d.ts" */

import { renderCourse } from "./course.js";
import { announce, byId, inputOf, make, makeRadio, present, refill, sure } from "./dom.js";
import { choose, dispatch, stateNow } from "./drive.js";
import { engineOf } from "./engines.js";
import { describeKey, listLine, listMoves } from "./explore.js";
import { latest } from "./latest.js";
import { recall, remember } from "./memory.js";
import { mistakesOf, showLesson } from "./mistake.js";
import { attempt } from "./notice.js";
import { listBarsOf, pliesOf } from "./plies.js";
import { celebrate, describe, promise, showScore, showStatus } from "./result.js";
import { HUMAN, humanSide, opponentsOf, playerName, seated } from "./seats.js";
import { stepBack, view } from "./store.js";
import { makeBoard } from "./textboard.js";
import { outcomeOf, verdict } from "./words.js";

const QUIET = /^(valued|hinted|counted|told|refuted|restored)$/; // events that say nothing new
const LOADED = ["new", "undo", "swap", "set-up"]; // buttons that wait for a game

/** @type {ReturnType<typeof makeBoard> | null} */
let playBoard = null;

/** The keys of the board that is shown. @param {number} digit */
export const pressOnBoard = (digit) => playBoard?.pressDigit(digit);

/** Run a button's action on the game, unless the button is disabled.
 * @param {string} id @param {(shown: Shown) => void} action */
export function onGame(id, action) {
  const button = byId(id);
  button.addEventListener("click", () => {
    const { game } = stateNow();
    if (game && button.getAttribute("aria-disabled") !== "true") action(view(game));
  });
}

/** Listen to the controls. `open(listing, plies, players)` begins a new game.
 * @param {(shown: Shown, players: string[]) => void} begin begins a game again */
export function listenToPlay(begin) {
  const swapped = (/** @type {Shown} */ { players }) => [...players].reverse();
  onGame("new", (shown) => begin(shown, shown.players));
  onGame("undo", (shown) => {
    const at = stepBack(shown);
    if (at !== null) dispatch({ type: "went", of: "game", at });
  });
  onGame("swap", (shown) => {
    if (shown.result) begin(shown, swapped(shown));
    else dispatch({ type: "seated", of: "game", players: swapped(shown) });
  });
  const bar = byId("bar");
  bar.setAttribute("aria-pressed", String(recall("bar", true)));
  onGame("bar", (shown) => {
    const isOn = bar.getAttribute("aria-pressed") !== "true";
    bar.setAttribute("aria-pressed", String(isOn));
    remember("bar", isOn);
    showValue(shown);
    byId("bar-note").textContent = isOn ? noteOf(shown) : "";
  });
  onGame("run", () => dispatch({ type: "held", of: "game", held: false }));
  byId("opponents").addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    remember("opponent", target.value);
    const { game } = stateNow();
    if (!game) return;
    const { x, o } = seated(humanSide(game.players) ?? 0, target.value);
    dispatch({ type: "seated", of: "game", players: [x, o] });
  });
  const values = inputOf("values");
  values.addEventListener("change", () => showHints(values.checked));
}

/** Show or hide the values of moves. @param {boolean} shown */
export function showHints(shown) {
  dispatch({ type: "hinted", of: "game", shown });
  const { game } = stateNow();
  if (game) announce(shown ? `Hints are shown. ${verdict(view(game).known)}` : "Hints are hidden.");
}

/** Show another ply of the line, so many away. @param {number} by */
export function stepBy(by) {
  const { game } = stateNow();
  if (!game) return;
  const at = Math.max(0, Math.min(game.lines[game.line].length - 1, game.at + by));
  if (at !== game.at) dispatch({ type: "went", of: "game", at });
}

/** Show that a game is being loaded instead of the present one. @param {Listing} listing */
export function showWait(listing) {
  dispatch({ type: "left" });
  playBoard = null;
  for (const name of ["board", "chart", "mistakes", "moves", "line"]) byId(name).replaceChildren();
  for (const name of LOADED) byId(name).setAttribute("aria-disabled", "true");
  for (const name of ["promise", "legend", "review", "score"]) byId(name).textContent = "";
  byId("status").textContent = `Loading ${listing.title} …`;
  byId("status").classList.remove("over");
  for (const name of ["lesson", "course", "hints"]) byId(name).hidden = true;
}

/** Play a move of the user, painted before the engine has answered. @param {Move} move */
function moveTo(move) {
  attempt(async () => {
    try {
      await choose("game", move, () => {
        playBoard?.preview(move);
        byId("board").setAttribute("aria-busy", "true");
      });
    } catch (error) {
      renderPlay({ type: "restored", of: "game" });
      throw error;
    }
  });
}

/** Redraw everything after an event. @param {Event} event */
export function renderPlay(event) {
  const { game } = stateNow();
  if (!game || event.of === "puzzle" || event.type === "viewed" || event.type === "set") return;
  const shown = view(game);
  if (event.type === "opened" || !playBoard) fillBoard(shown);
  playBoard?.show(boardView(shown, event));
  showStatus(shown);
  showValue(shown);
  const mistakes = mistakesOf(shown);
  const { comment, decisive } = showLesson(shown, mistakes, () => byId("swap").click());
  renderCourse(shown, decisive?.n);
  renderControls(shown);
  showScore(shown);
  renderMoves(shown);
  document.querySelector(".banner")?.remove();
  if (event.type === "played" && shown.result) celebrate(shown);
  if (QUIET.test(event.type)) return;
  byId("bar-note").textContent = shown.at || shown.result ? "" : noteOf(shown);
  announce(comment || describe(shown, event));
}

/** Make the board of a game. @param {Shown} shown */
function fillBoard({ listing }) {
  playBoard = makeBoard(byId("board"), listing, moveTo);
  const label = `Board, ${listing.title}, ${listing.seats.join(" and ")}`;
  byId("board").setAttribute("aria-label", label);
  byId("key").replaceChildren(...describeKey());
  const radios = opponentsOf(listing).map((name) =>
    makeRadio("opponent", name, false, playerName(name)),
  );
  refill(byId("opponents"), [sure(byId("opponents").firstElementChild), ...radios], ":checked");
}

/** Show the value of the position just after the user's move beside the board; nothing after the reply.
 * @param {Shown} shown */
function showValue(shown) {
  const { players, shows } = shown;
  const frame = byId("board").querySelector(".frame");
  frame?.querySelector(".value")?.remove();
  const isOn = byId("bar").getAttribute("aria-pressed") === "true" && humanSide(players) !== null;
  if (!frame || !isOn || shows) return;
  const mine = ownMove(shown) && outcomeOf(shown.known);
  const outcome = mine ? { win: "loss", draw: "draw", loss: "win" }[mine] : "none";
  const sign = { win: "+", draw: "=", loss: "−", none: "" }[outcome];
  const words = { win: "You win", draw: "A draw", loss: "You lose", none: "" }[outcome];
  const said = words && !shown.result ? `${words} with best play.` : ""; // else the status says it
  const text = make("span", { class: "unseen" }, said);
  const bar = make("div", { class: "value", "data-outcome": outcome }, sign, text);
  if (mine) bar.style.background = `var(--${outcome})`;
  frame.append(bar);
}

/** Return whether the user has just moved, on the side that is the user's now. @param {Shown} shown */
const ownMove = ({ by, human, side }) => by === HUMAN && human === 1 - side;

/** Return why there is no value beside the board; "" if there is one. @param {Shown} shown */
function noteOf(shown) {
  if (humanSide(shown.players) === null) return "Values come in games against the computer.";
  if (!ownMove(shown))
    return shown.result ? "The game is over." : "Who wins, beside the board: after your next move.";
  return outcomeOf(shown.known) ? "" : "It is not worked out yet.";
}

/** Return what a board shows after an event: a wrong move and the answer to it as long as they are seen.
 * @param {Shown} shown @param {Event} event @returns {View} */
export function boardView(shown, event) {
  const { known, result, values, plies, at, humanMoves, shows, refused } = shown;
  const tried = shows ? present([shows.move, shows.reply]).map((one) => ({ known: one })) : [];
  const bars = listBarsOf([...plies.slice(0, at + 1), ...tried]);
  if (shows) {
    const last = shows.reply ?? shows.move;
    const there = { ...known, marks: last.marks, moves: [], won: shows.won ?? [] };
    return { known: there, values: false, last, fresh: true, open: false, bars };
  }
  const back = event.type === "restored" && refused ? takenBack(refused.move) : null;
  return {
    known: result ? { ...known, moves: [] } : known,
    values,
    last: back ?? plies[at].played,
    fresh: event.type === "played" || back !== null,
    open: humanMoves,
    bars,
  };
}

/** Return the way back of a move of a piece; null for another one. @param {Move} move */
const takenBack = (move) =>
  move.origin === null ? null : { ...move, cell: move.origin, origin: move.cell };

/** @param {Shown} shown */
function renderControls(shown) {
  const { result, carried, players } = shown;
  /** @param {string} id @param {boolean} can */
  const enable = (id, can) => byId(id).setAttribute("aria-disabled", String(!can));
  enable("undo", stepBack(shown) !== null);
  enable("new", true); // after a wait
  enable("set-up", true);
  enable("swap", humanSide(players) !== null);
  const again = carried ? "Play it yourself" : "Rematch";
  byId("new").textContent = result && (carried || humanSide(players) !== null) ? again : "New game";
  byId("new").classList.toggle("strong", Boolean(result) && byId("lesson").hidden === true);
  byId("run").hidden = !shown.waits;
  byId("run").textContent = carried ? "Play from here" : "Play on";
  const opponent = players[1 - (humanSide(players) ?? 0)];
  for (const input of byId("opponents").querySelectorAll("input"))
    input.checked = input.value === opponent;
  byId("pitch").textContent = opponent === HUMAN ? "You and a friend" : "Can you beat it?";
  byId("promise").textContent = promise(shown);
  inputOf("values").checked = shown.values;
  byId("share").hidden = !result && (humanSide(players) !== null || !shown.at); // or to send
}

/** @param {Shown} shown */
function renderMoves({ values, result, known, humanMoves, listing }) {
  byId("hints").hidden = !values || result !== null;
  if (byId("hints").hidden) return;
  const moves = listMoves(known, humanMoves, {
    play: moveTo,
    point: (move) => playBoard?.point(move),
  });
  refill(byId("moves"), moves, "button");
  attempt(async () => {
    const { position, turn, outcome } = known;
    const engine = await engineOf(listing);
    /** @type {Step[]} */
    const none = [];
    const steps = await latest("line", async () =>
      known.moves.length && outcome ? engine.line(position, turn) : none,
    );
    refill(
      byId("line"),
      listLine(steps, (n) => playSteps(steps.slice(0, n))),
      "button",
    );
    byId("line-title").hidden = !steps.length;
  });
}

/** Play the moves of a line one after the other, then pause. @param {Step[]} steps */
async function playSteps(steps) {
  const { known, listing } = view(sure(stateNow().game));
  const { position, turn } = known;
  const moves = steps.map(({ move }) => move).join(",");
  const engine = await engineOf(listing);
  const { plies } = await latest("move", () => engine.record({ position, turn, moves }));
  dispatch({ type: "held", of: "game", held: true });
  for (const { played, known } of pliesOf(plies))
    if (played) dispatch({ type: "played", of: "game", move: played, known, by: null });
  dispatch({ type: "held", of: "game", held: true });
}
