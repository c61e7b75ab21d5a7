/** Facts about the plies of a game: how it ended, which moves were mistakes. All are pure. */

/** @import { Bar, Known, Ply } from "./types.d.ts" */

import { capital } from "./dom.js";
import { ORDER, verdict, worth } from "./words.js";

const WAIT = /^(pass|wait)$/i; // labels of moves that change nothing but the side to move
const REPEATS = 3; // the game is a draw when a position occurs this often
const TURNED = { win: "a win", draw: "a draw", loss: "a loss" };
const AFTER = { win: "a loss", draw: "a draw", loss: "a win" }; // for the side that has just moved

/** Return how a game ended with the last of some plies; null if it goes on. @param {Ply[]} plies */
export function resultOf(plies) {
  const { known } = plies[plies.length - 1];
  if (!known.moves.length) return verdict(known);
  const { position, turn } = known;
  const times = plies.filter((ply) => ply.known.position === position && ply.known.turn === turn);
  return times.length < REPEATS ? null : `The position has come ${REPEATS} times: a draw.`;
}

/** Return whether the only move is a pass, which then plays itself. @param {Known} known */
export const canOnlyWait = ({ moves }) => moves.length === 1 && WAIT.test(moves[0].label);

/** Return the plies of answers about the positions of a game. @param {Known[]} positions @returns {Ply[]} */
export const pliesOf = (positions) =>
  positions.map((known, n) => ({
    known,
    played: positions[n - 1]?.moves.find(({ position }) => position === known.position) ?? null,
    by: null,
  }));

/** Return the moves that led to the last of some plies, as in an address. @param {Ply[]} plies */
export const recordOf = (plies) =>
  plies
    .slice(1)
    .map(({ played }) => played?.move)
    .join(",");

/** Return what the move that led to a ply spoilt, "a win became a draw"; "" if it is no mistake.
 * @param {Ply[]} plies @param {number} n */
export function mistakeIn(plies, n) {
  const [before, after] = [plies[n - 1]?.known.outcome, plies[n]?.known.outcome];
  if (!before || !after || -ORDER[after] >= ORDER[before]) return "";
  return `${TURNED[before]} became ${AFTER[after]}`;
}

/**
 * Return the mistakes of a game, in order. One is solved if a line that was tried since has a better
 * move in its place. `side` restricts them to a side's moves; null for both.
 * @param {Ply[]} plies @param {Ply[][]} tries @param {number | null} side @param {string[]} seats
 */
export function listMistakes(plies, tries, side, seats) {
  const found = plies.map((_, n) => n).filter((n) => mistakeIn(plies, n));
  const asked = found.filter((n) => side === null || plies[n - 1].known.turn === seats[side]);
  return asked.map((n) => {
    const { known } = plies[n - 1];
    const others = tries.filter((line) => line[n - 1] === plies[n - 1] && line[n]);
    const [best] = known.moves;
    return {
      n,
      turn: known.turn,
      label: `${plies[n].played?.label}`,
      title: `Move ${n}: ${side === null ? `${known.turn} ` : ""}${plies[n].played?.label}`,
      text: `${capital(mistakeIn(plies, n))}.`,
      answer: `Better was ${best.label}: ${worth(best)}.`,
      lost: plies[n].known.outcome === "win",
      solved: others.some((line) => !mistakeIn(line, n)),
    };
  });
}

/** Return the dominoes of a game: the pairs of cells that its moves have filled.
 * @param {{known: {marks: string | null}}[]} plies @returns {Bar[]} */
export const listBarsOf = (plies) =>
  plies.slice(1).flatMap(({ known: { marks } }, n) => {
    const before = plies[n].known.marks ?? "";
    const [a, b, more] = [...(marks ?? "")].keys().filter((i) => marks?.[i] !== before[i]);
    const filled = before[a] === "." && before[b] === "." && more === undefined;
    return filled ? [{ cells: [a, b], side: n % 2 }] : [];
  });
