/** A position without a board: its text, and a button for each move. */

/** @import { Known, Listing, Move, OnMove, View } from "./types.d.ts" */

import { Board } from "./board.js";
import { make, refill } from "./dom.js";
import { listButtons } from "./explore.js";

/** Return the text of a position; as cells, if it is a list of short texts or they fill the board.
 * @param {Listing} listing @param {string} text */
export function textOf({ board }, text) {
  const cells = text.match(/[^\s,()[\]/|]+/g) ?? [];
  const [columns, rows] = board ?? [cells.length, Number(/^[([].*,.*[)\]]$/.test(text))];
  const fits = cells.length > 1 && cells.length === columns * rows;
  if (!fits || cells.some((cell) => cell.length > 3)) return text;
  const items = cells.map((cell) => make("span", {}, cell));
  const grid = make("span", { class: "texts", role: "img", "aria-label": text }, items);
  grid.style.setProperty("--columns", String(columns));
  return grid;
}

export class TextBoard {
  /** Fill an element. @param {Element} root @param {Listing} listing @param {OnMove} onMove */
  constructor(root, listing, onMove) {
    this.listing = listing;
    this.onMove = onMove;
    this.text = make("p", { class: "position" });
    this.moves = make("div", { class: "keys" });
    root.replaceChildren(make("div", { class: "frame text" }, this.text, this.moves));
  }

  /** @param {Pick<View, "open"> & {known: Pick<Known, "position" | "moves">}} view */
  show({ known, open }) {
    this.text.replaceChildren(textOf(this.listing, known.position));
    refill(this.moves, listButtons(known.moves, open, this.onMove), "button");
  }

  preview(/** @type {Move} */ move) {
    this.show({ known: { position: move.position, moves: [] }, open: false });
  }

  /** Handle a digit, from 0: choose the move of that name; if none is a digit, that of the list.
   * @param {number} digit */
  pressDigit(digit) {
    const buttons = [...this.moves.querySelectorAll("button")];
    const named = buttons.some(({ textContent }) => /^\d$/.test(textContent));
    const button = named
      ? buttons.find(({ textContent }) => textContent === String(digit + 1))
      : buttons[digit];
    button?.focus();
    button?.click();
  }

  point(/** @type {Move | null} */ move) {
    for (const button of this.moves.querySelectorAll("button"))
      button.classList.toggle("hot", move !== null && button.dataset.move === String(move.move));
  }
}

/** Return the board of a listing's style, in an element.
 * @param {HTMLElement} root @param {Listing} listing @param {OnMove} onMove */
export function makeBoard(root, listing, onMove) {
  return listing.style === null
    ? new TextBoard(root, listing, onMove)
    : new Board(root, listing, onMove);
}
