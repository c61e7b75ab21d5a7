/** Values in words, those of solver/agent/words.py, and what stands on a board, for accessible names. */

/** @import { Layout } from "./boardart.js" */
/** @import { Known, Listing, Move, Outcome, Value, Valued } from "./types.d.ts" */

import { grouped } from "./dom.js";
import { nameOf } from "./seats.js";

/** Outcomes for the side to move, in order.
 * @type {Record<Outcome, number>} */
export const ORDER = { loss: -1, draw: 0, win: 1 };

/** Returns whether a move's value is known. @param {Move} move @returns {move is Valued} */
export const isValued = (move) => Boolean(move.outcome);

/** Returns the outcome of a position, also where only those of all moves are known. @param {Known} known */
export function outcomeOf({ outcome, moves }) {
  if (outcome || !moves.length || moves.some((move) => !move.outcome)) return outcome;
  const found = moves.map((move) => move.outcome);
  return found.includes("win") ? "win" : found.includes("draw") ? "draw" : "loss";
}

const ERR = { win: "let the win go", draw: "lose" };
const ERRS = { win: "lets the win go", draw: "loses" };

/** Returns how many of the next plies are moves of the side to move. @param {number} plies */
export function movesIn(plies) {
  return Math.ceil(plies / 2);
}

/** Returns "in 2 moves" and so on. @param {number} plies */
function movesText(plies) {
  const count = movesIn(plies);
  return `in ${count} move${count === 1 ? "" : "s"}`;
}

/**
 * Returns "draw", "wins now", "wins in 2 moves", "loses now", "wins" if nobody knows when, and so on.
 * @param {Value} value
 */
export function worth({ outcome, distance }) {
  if (!outcome) {
    return "not known yet";
  }
  if (outcome === "draw") {
    return "draw";
  }
  const verb = outcome === "win" ? "wins" : "loses";
  if (distance === null) {
    return verb;
  }
  return distance === 1 ? `${verb} now` : `${verb} ${movesText(distance)}`;
}

/** Returns a value in plies, for those who want to know: "a win in 5 plies".
 * @param {Value} value */
export function exactValue({ outcome, distance }) {
  if (distance === null) {
    return outcome ? `a ${outcome}` : "not known yet";
  }
  return `a ${outcome} in ${distance} ${distance === 1 ? "ply" : "plies"}`;
}

/** Returns how many of the opponent's answers to a move are mistakes: "7 of 8 answers lose", or "".
 * @param {Move} move */
export function trapWords({ outcome, trap, replies }) {
  const wrong = Math.round((trap ?? 0) * replies);
  if (!wrong) {
    return "";
  }
  return `${wrong} of ${replies} answers ${(wrong > 1 ? ERR : ERRS)[outcome === "draw" ? "draw" : "win"]}`;
}

/** Returns one sentence about the value of a position for the side to move, or how the game ended.
 * @param {Known} known */
export function verdict({ moves, winner, turn, outcome, distance }) {
  if (!moves.length) {
    return `The game is over: ${winner ? `${winner} has won` : "a draw"}.`;
  }
  if (outcome === null) {
    return `${turn} to move. The computer is working it out …`;
  }
  if (distance === null) {
    return `${turn} to move: a draw with best play.`;
  }
  const when = distance === 1 ? "at once" : `${movesText(distance)} with best play`;
  return `${turn} to move: ${turn} ${outcome === "win" ? "wins" : "loses"} ${when}.`;
}

/** Returns the value of a move and the reasons for it. @param {Move} move */
export const why = (move) => [worth(move), ...(move.distance === 1 ? [] : move.reasons)].join("; ");

/** Returns what is known of a game: its size and the value of its start. @param {Listing} listing */
export function factsOf({ positions, outcome, distance, seats, searched, whole }) {
  const known = searched
    ? `It has ${positions ? grouped(positions) : "too many"} positions. Each is worked out when asked.`
    : `All ${grouped(positions ?? 0)} positions are worked out${whole ? "" : "; the page asks the server"}.`;
  if (!outcome) return known;
  const value = `${seats[0]}, who begins, ${worth({ outcome, distance })}`;
  return `${known} If nobody makes a mistake, ${outcome === "draw" ? "it is a draw" : value}.`;
}

/** @type {Record<string, string | undefined>} */
const PIECES = { P: "pawn", Q: "queen", K: "king", R: "rook", B: "bishop", N: "knight" };

/** Return what stands on a cell in words. @param {Layout} plan @param {string} sign */
export function describeSign({ style, seats, marks }, sign) {
  if (sign === ".") return "empty";
  if (style !== "squares" || "XO".includes(sign)) return sign;
  const side = seats[sign === sign.toUpperCase() ? 0 : 1].toLowerCase();
  if (/W/i.test(marks ?? "")) return `${side} stone`; // marked W and b: no bishop
  return `${side} ${PIECES[sign.toUpperCase()] ?? sign.toUpperCase()}`;
}

/** Return the discs of a column in words. @param {Layout} plan @param {string} marks @param {number} column */
export function describeColumn(plan, marks, column) {
  const { columns, rows } = plan;
  const cells = Array.from({ length: rows }, (_, row) => (rows - 1 - row) * columns + column);
  const discs = cells.map((cell) => marks[cell]).filter((sign) => sign !== ".");
  const names = discs.map((sign) => nameOf(plan, sign));
  const filled = discs.length ? `from the bottom ${names.join(", ")}` : "empty";
  return `column ${column + 1}, ${filled}${discs.length === rows ? ", full" : ""}`;
}
