/**
 * What moves the state: events of the user, and what follows from a state in its own time: the answer of
 * an opponent, the refutation of a wrong move, values that are to be shown, and what is kept of a game.
 */

/** @import { Event, Game, Kept, Known, Move, Outcome, Quest, Shown, State } from "./types.d.ts" */

import { drawMove } from "../npm/perfectplay.js";
import { defend, rememberSolved, rememberTried, solvedAs, triedAs, triedKey } from "./daily.js";
import { byId, reducesMotion, sure } from "./dom.js";
import { engineOf } from "./engines.js";
import { forget, latest, pause, whileLate } from "./latest.js";
import { count, recall, remember } from "./memory.js";
import { attempt } from "./notice.js";
import { canOnlyWait, resultOf } from "./plies.js";
import { rivalOf } from "./seats.js";
import { act, DEEPEST, EMPTY, isRight, keep, view } from "./store.js";

const REPLY = 450; // milliseconds before an opponent answers
const SLIDES = [400, 600]; // milliseconds that a wrong move is seen, and its refutation
const MOST_KEPT = 12; // games
const MOVING = /^(opened|played|went|seated|held|asked)$/; // events after which an opponent may move
const ANSWERS = /^(played|refused|shown)$/; // events that answer a puzzle, or show the answer
const MOODS = ["won", "draw", "lost"];
/** @typedef {"game" | "puzzle"} Where */

/** @type {State} */
let now = EMPTY;
let fetched = ""; // the position whose value is asked for
/** @type {((event: Event) => void)[]} */
const renders = [];

/** Return the state. */
export const stateNow = () => now;

/** Call a function after each event. @param {(event: Event) => void} render */
export const follow = (render) => renders.push(render);

/** Let something happen. @param {Event} event */
export function dispatch(event) {
  now = act(now, event);
  const where = event.of === "puzzle" || event.type === "set" ? "puzzle" : "game";
  if (event.type === "left")
    forget("reply", "move", "value", "puzzle", "defence", "refuted game", "refuted puzzle");
  if (MOVING.test(event.type)) forget(where === "game" ? "reply" : "defence", `refuted ${where}`);
  if (now.puzzle && where === "puzzle" && ANSWERS.test(event.type)) noteAnswer(now.puzzle);
  for (const render of renders) render(event);
  const { game } = now;
  if (where !== "game" || !game) return;
  if (event.type === "played") tally(game);
  if (event.type !== "valued") store(sure(now.game));
  if (MOVING.test(event.type)) attempt(() => reply(game));
  attempt(() => fetchValue(game));
}

/** Play the user's move; a wrong one is refused where only the best will do. `paint` is called if the
 * answer is not there yet. @param {Where} of @param {Move} move @param {() => void} paint */
export async function choose(of, move, paint = () => {}) {
  const { listing, asks, known } = view(sure(now[of]));
  if ((of === "puzzle" || asks) && !isRight(known, move)) return bounce(of, move);
  const engine = await engineOf(listing);
  if (!engine.whole) paint();
  const turn = rivalOf(listing, known.turn);
  const next = await latest("move", () => engine.explain(move.position, turn));
  if (of === "puzzle") return solve(move, next);
  dispatch({ type: "played", of, move, known: next });
}

/** Show a wrong move and the answer that refutes it, then take both back.
 * @param {Where} of @param {Move} move */
async function bounce(of, move) {
  const { listing, known } = view(sure(now[of]));
  const key = `refuted ${of}`;
  dispatch({ type: "refused", of, move });
  const engine = await engineOf(listing);
  const answer = async () => {
    const there = await engine.explain(move.position, rivalOf(listing, known.turn));
    const [reply] = (await engine.valued(there))?.moves ?? [];
    const end = reply && (await engine.explain(reply.position, known.turn));
    return { reply: reply ?? null, won: end?.won };
  };
  if (reducesMotion()) return dispatch({ type: "restored", of });
  const [shown] = await latest(key, () => Promise.all([answer(), pause(SLIDES[0])]));
  dispatch({ type: "refuted", of, shown });
  await latest(key, () => pause(SLIDES[1]));
  dispatch({ type: "restored", of });
}

/** Go on in a puzzle after a right move: the opponent defends as long as one more move has to be found.
 * @param {Move} move @param {Known} next */
async function solve(move, next) {
  const puzzle = sure(now.puzzle);
  const { listing, number, at } = puzzle;
  const before = view(puzzle).known;
  dispatch({ type: "played", of: "puzzle", move, known: next });
  const engine = await engineOf(listing);
  const deeper = number !== undefined && at < 2 * (DEEPEST - 1);
  const defence = deeper ? await latest("defence", () => defend(engine, before, move)) : null;
  if (!defence?.reply || !defence.next) return finish();
  await latest("defence", () => pause(reducesMotion() ? 0 : REPLY));
  dispatch({ type: "played", of: "puzzle", move: defence.reply, known: defence.next });
}

/** Remember what has been answered to a puzzle, and count it with the first answer.
 * @param {Quest} puzzle */
function noteAnswer(puzzle) {
  const { squares, wrong, done, right, spare, listing } = puzzle;
  if (right || spare || !(squares || done)) return;
  const key = triedKey(listing.game, puzzle.lines[0][0].known, puzzle.number);
  if (rememberTried(key, { wrong, told: done })) count("puzzles", listing.game, 1, 2);
}

/** Say that a puzzle is solved, count it, and remember it if it is that of the day it was opened. */
function finish() {
  const puzzle = sure(now.puzzle);
  const { listing, number, day, squares, record, spare } = { ...puzzle, ...view(puzzle) };
  const { game } = listing;
  const tried = triedAs(triedKey(game, puzzle.lines[0][0].known, number)); // in other tabs, too
  const first = !puzzle.wrong.length && !tried?.wrong.length && !tried?.told;
  if (first && solvedAs(game, number) === null) count("puzzles", game, 0, 2);
  if (number === day && !spare) rememberSolved(game, number, { squares, moves: record });
  dispatch({ type: "solved", of: "puzzle" });
}

/** Let the player whose turn it is play, and say for how long it has thought. @param {Game} game */
async function reply(game) {
  const shown = view(game);
  if (shown.result || shown.humanMoves || game.held) return;
  const played = await latest("reply", (wanted) =>
    whileLate(answer(shown, wanted), (seconds) => {
      if (seconds && wanted()) byId("status").dataset.wait = `${seconds} s`;
    }),
  );
  if (played) dispatch({ type: "played", of: "game", ...played });
}

/** Return the move of an opponent, drawn by its probabilities, and what it leads to; null if it is not
 * wanted any more. @param {Shown} shown @param {() => boolean} wanted */
async function answer({ known, players, side, listing }, wanted) {
  const engine = await engineOf(listing);
  const onKnown = (/** @type {Record<string, Outcome>} */ outcomes) =>
    wanted() && learn(known, outcomes);
  const asked = canOnlyWait(known)
    ? [{ move: known.moves[0].move, probability: 1 }]
    : engine.chances(players[side], known, { wanted, onKnown });
  const [chances] = await Promise.all([asked, pause(reducesMotion() ? 0 : REPLY)]);
  if (!chances || !wanted()) return null;
  const chosen = drawMove(chances, Math.random());
  const move = sure(known.moves.find((one) => one.move === chosen));
  return { move, known: await engine.explain(move.position, rivalOf(listing, known.turn)) };
}

/** Fetch a value that is to be shown and not known yet: that of the position first, then the latest.
 * @param {Game} game */
async function fetchValue(game) {
  const { plies, at, values, main } = view(game);
  const judged = values || resultOf(plies) !== null || resultOf(main) !== null;
  const unknown = [...plies, plies[at]].findLast(({ known }) => !known.outcome);
  const { position, turn } = (judged && unknown?.known) || {};
  const asked = position === undefined ? "" : `${game.id} ${position} ${turn}`;
  if (asked === fetched) return;
  fetched = asked; // a value that is fetched already is no longer wanted
  if (!asked || !unknown) return forget("value");
  const engine = await engineOf(game.listing);
  try {
    const known = await latest("value", (wanted) =>
      engine.valued(unknown.known, {
        wanted,
        onKnown: (outcomes) => wanted() && learn(unknown.known, outcomes),
      }),
    );
    fetched = "";
    if (known) dispatch({ type: "valued", of: "game", known });
  } catch (error) {
    fetched = "";
    throw error;
  }
}

/** Take in the outcomes of moves that are known before their values.
 * @param {Known} known @param {Record<string, Outcome>} outcomes */
function learn(known, outcomes) {
  if (!known.moves.some(({ label, outcome }) => !outcome && outcomes[label])) return;
  const moves = known.moves.map((move) => ({
    ...move,
    outcome: move.outcome ?? outcomes[move.label] ?? null,
  }));
  dispatch({ type: "valued", of: "game", known: { ...known, moves } });
}

/** Count a game that has just ended, once in all tabs. @param {Game} game */
function tally(game) {
  const { counts, counted, mood, listing, id } = view(game);
  const kept = keptGames()[id];
  if (!counts || counted || kept?.counted || kept?.help.length) return;
  count("games", listing.game, MOODS.indexOf(mood), MOODS.length);
  dispatch({ type: "counted", of: "game" });
}

/** Return the kept games, by their ids. @returns {Record<string, Kept>} */
const keptGames = () => recall("kept", {});

/** Return what is kept of the game of a place in the browser's history. */
export const keptHere = () => keptGames()[history.state?.id] ?? null;

/** Keep a game, for a reload and for other tabs: what helped there has helped here. @param {Game} game */
function store(game) {
  const { [game.id]: before, ...others } = keptGames();
  const kept = keep(game);
  if (game.values && game.begun === "link") {
    for (const one of Object.values(others)) {
      if (one.game === kept.game && kept.record.startsWith(one.record)) one.help.push("hints");
    }
  }
  const help = before?.help.length ? before.help : kept.help;
  const counted = kept.counted || Boolean(before?.counted);
  const entries = [
    ...Object.entries(others).slice(1 - MOST_KEPT),
    [game.id, { ...kept, help, counted }],
  ];
  remember("kept", Object.fromEntries(entries));
}
