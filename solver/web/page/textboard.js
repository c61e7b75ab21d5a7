/** A position without a board: its text, and a button for each move. */

/** @import { Known, View } from "./types.d.ts" */

import { make } from "./dom.js";
import { listButtons } from "./explore.js";

export class TextBoard {
  /** Fill an element, as `Board` does. */
  constructor(root, _listing, onMove) {
    this.onMove = onMove;
    this.text = make("p", { class: "position" });
    this.moves = make("div", { class: "keys" });
    root.replaceChildren(make("div", { class: "frame text" }, this.text, this.moves));
  }

  /** @param {Pick<View, "open"> & {known: Pick<Known, "position" | "moves">}} view */
  show({ known, open }) {
    const focused = this.moves.contains(document.activeElement);
    this.text.textContent = known.position;
    this.moves.replaceChildren(...listButtons(known, open, this.onMove));
    if (focused) this.moves.querySelector("button")?.focus();
  }

  preview(move) {
    this.show({ known: { position: move.position, moves: [] }, open: false });
  }

  /** Handle a digit, from 0: choose the move with that number. */
  pressDigit(digit) {
    this.moves.children[digit]?.focus();
    this.moves.children[digit]?.click();
  }

  point(move) {
    for (const button of this.moves.children) {
      button.classList.toggle("hot", move !== null && button.dataset.move === String(move.move));
    }
  }
}
