/**
 * The puzzle of a day, the same for everyone: medium or hard, and where the game allows, several moves
 * deep. They are numbered from 1 January 2026.
 */

/** @import { Engine, Known, Listing, Move, Tried } from "./types.d.ts" */

import { makeButton, present, sure } from "./dom.js";
import { recall, remember } from "./memory.js";
import { rivalOf } from "./seats.js";

const DAY = 86_400_000; // milliseconds
const BEFORE_FIRST = 20_453; // days since 1970
const EARLIEST = 14 * 3_600_000; // milliseconds by which a day begins sooner where it begins first
const MOST_TRIED = 20; // puzzles of which one that goes on is taken
const MOST_ANSWERED = 20; // puzzles whose answers are remembered
/** @type {Record<string, {number: number, squares: string, moves: string} | undefined>} */
const SOLVED = {}; // by game, from what the browser remembers
/** @type {Record<string, Tried | undefined>} */
const TRIED = {}; // by game and puzzle

/** Return the number of today's puzzles, by the user's calendar. */
export function today() {
  const now = new Date();
  const number = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY - BEFORE_FIRST;
  return Math.max(1, number); // of a clock that is years late, too
}

/** Return the number of the latest day that has begun anywhere. */
export const latestDay = () =>
  Math.max(today(), Math.floor((Date.now() + EARLIEST) / DAY) - BEFORE_FIRST);

/** Return the game that the name of a family stands for: the one whose title names no size.
 * @param {Listing[]} listings @param {string} [name] */
export const ofFamily = (listings, name) =>
  listings
    .filter(({ game }) => game.split(":")[0] === name)
    .sort((a, b) => a.title.length - b.title.length)[0];

/** Return the games of a day: tic-tac-toe, Connect 4, and one more that changes.
 * @param {Listing[]} listings @param {number} number */
function gamesOfDay(listings, number) {
  const firsts = ["tictactoe", "connect4"].map((name) => ofFamily(listings, name));
  const guests = listings.filter((listing) => listing.whole && !firsts.includes(listing));
  return present([...firsts, guests[number % guests.length]]);
}

/** Return a game's puzzle of a day; null if it has none. @param {Engine} engine @param {number} number */
export async function puzzleOfDay(engine, number) {
  const puzzles = (await engine.daily(number)).slice(0, MOST_TRIED);
  for (const puzzle of puzzles) {
    const known = await valuesAt(engine, puzzle.position, puzzle.turn);
    if ((await defend(engine, known, known.moves[0])).next) return puzzle;
  }
  return puzzles[0] ?? null;
}

/** @param {Engine} engine @param {string} position @param {string} [turn] */
export const valuesAt = async (engine, position, turn) =>
  sure(await engine.valued(await engine.explain(position, turn)));

/** Return whether exactly one move keeps the outcome. @param {Known} known */
export const isPuzzle = ({ moves }) => moves.length > 1 && moves[0].outcome !== moves[1].outcome;

/** Return the position after a move, the best answer to it, and if that sets another puzzle, that.
 * @param {Engine} engine @param {Known} known @param {Move} move */
export async function defend(engine, known, move) {
  const after = await valuesAt(engine, move.position, rivalOf(engine.listing, known.turn));
  const [reply] = after.moves;
  const next = reply ? await valuesAt(engine, reply.position, known.turn) : null;
  return { after, reply, next: next && isPuzzle(next) ? next : null };
}

/** Return how a puzzle of a day was solved in this browser; null if it was not.
 * @param {string} game @param {number} [number] */
export function solvedAs(game, number) {
  const stored = recall("today", SOLVED)[game];
  return stored && stored.number === number ? stored : null;
}

/** Remember that the puzzle of a day is solved. @param {string} game @param {number} number
 * @param {{squares: string, moves: string}} how */
export function rememberSolved(game, number, how) {
  remember("today", { ...recall("today", SOLVED), [game]: { number, ...how } });
  const { last, days } = recall("streak", { last: 0, days: 0 });
  if (last !== number)
    remember("streak", { last: number, days: last === number - 1 ? days + 1 : 1 });
}

/** Return what the answers to a puzzle are remembered by: its day, or its position.
 * @param {string} game @param {Known} known @param {number} [number] */
export const triedKey = (game, { position, turn }, number) =>
  `${game} ${number ?? `${position} ${turn}`}`;

/** Return what was answered to a puzzle in this browser; null if nothing was. @param {string} key
 * @returns {Tried | null} */
export const triedAs = (key) => recall("tried", TRIED)[key] ?? null;

/** Remember what was answered to a puzzle, and return whether that was its first answer.
 * @param {string} key @param {Tried} tried */
export function rememberTried(key, tried) {
  const { [key]: before, ...others } = recall("tried", TRIED);
  const wrong = [...new Set([...(before?.wrong ?? []), ...tried.wrong])];
  const told = tried.told || Boolean(before?.told);
  const entries = Object.entries(others).slice(1 - MOST_ANSWERED);
  remember("tried", Object.fromEntries([...entries, [key, { wrong, told }]]));
  return !before;
}

/** Return how many days in a row up to a day a puzzle was solved; "" for one or none.
 * @param {number} day */
export function streakText(day) {
  const { last, days } = recall("streak", { last: 0, days: 0 });
  return last >= day - 1 && days > 1 ? ` · ${days} days in a row` : "";
}

/** Return the buttons of the games that have a puzzle on a day, and of one more; solved ones are ticked.
 * @param {Listing[]} listings @param {Listing} listing the one that is open @param {number} day
 * @param {boolean} shown whether its puzzle of the day is shown
 * @param {(listing: Listing) => void} open */
export function listToday(listings, listing, day, shown, open) {
  return [...new Set([...gamesOfDay(listings, day), listing])].map((each) =>
    makeButton(`${solvedAs(each.game, day) === null ? "" : "✓ "}${each.title}`, {
      "aria-pressed": String(each === listing && shown),
      "data-game": each.game,
      onclick: () => open(each),
    }),
  );
}
