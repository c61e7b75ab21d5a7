/** What stands on a board in words, for accessible names. */

/** @import { Listing } from "./types.d.ts" */
/** @import { Layout } from "./boardart.js" */

/** @type {Record<string, string | undefined>} */
const PIECES = { P: "pawn", Q: "queen", K: "king", R: "rook", B: "bishop", N: "knight" };

/** Return what stands on a cell in words. @param {Layout} plan @param {Listing} listing @param {string} sign */
export function describeSign({ style }, { seats, marks }, sign) {
  if (sign === ".") return "empty";
  if (style !== "squares" || "XO".includes(sign)) return sign;
  const side = seats[sign === sign.toUpperCase() ? 0 : 1].toLowerCase();
  if (/W/i.test(marks ?? "")) return `${side} stone`; // marked W and b: no bishop
  return `${side} ${PIECES[sign.toUpperCase()] ?? sign.toUpperCase()}`;
}

/** Return the discs of a column in words. @param {Layout} plan @param {string} marks @param {number} column */
export function describeColumn({ columns, rows }, marks, column) {
  const cells = Array.from({ length: rows }, (_, row) => (rows - 1 - row) * columns + column);
  const discs = cells.map((cell) => marks[cell]).filter((sign) => sign !== ".");
  const filled = discs.length ? `from the bottom ${discs.join(", ")}` : "empty";
  return `column ${column + 1}, ${filled}${discs.length === rows ? ", full" : ""}`;
}
