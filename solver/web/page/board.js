/**
 * A board to play on: a picture, and over it a button for each cell, or for each column of a rack.
 *
 * Takes a listing and the engine's answer about a position; calls `onMove(move)` with the legal
 * move that the user chooses. A piece is dragged to its target, or selected first, then its target;
 * if several moves go to one cell, the user is asked which one.
 */

/** @import { Listing, Move, OnMove, View } from "./types.d.ts" */

import { cellName, drawBoard, drawFrame, labelsOf, middle, planBoard, UNIT } from "./boardart.js";
import { announce, make, makeButton, present, roveFocus, sure } from "./dom.js";
import { listenForDrags } from "./drag.js";
import { listButtons } from "./explore.js";
import { describeColumn, describeSign, isValued, worth } from "./words.js";

const BADGE = 16; // radius of a value in pixels
export const NOTHING = { position: "", marks: "", moves: [], best: [], won: [] };

export class Board {
  /** @type {number | null} */ selected = null; // the cell of the piece that is to be moved
  /** @type {View} */
  view = { known: NOTHING, values: false, last: null, fresh: false, open: false };
  /** @type {(number | null)[]} */ hot = []; // the cells that are pointed at
  /** @type {number | null} */ aimed = null; // the cell of the piece whose values are shown
  /** @type {Move | null} */ ghost = null; // the move of a disc that hangs over its column
  chosen = 0; // the button whose choice of moves is open
  /** @type {number[] | null} */ heap = null; // that a digit has chosen
  /** @type {((place: number) => void) | null} */ edit = null; // called instead of playing
  fresh = false;
  dragging = false;

  /** Fill an element with the board of a game.
   * @param {HTMLElement} root @param {Listing} listing @param {OnMove} onMove */
  constructor(root, listing, onMove) {
    this.onMove = onMove;
    const plan = planBoard(listing);
    this.plan = plan;
    this.art = drawFrame(plan);
    this.choice = make("div", { class: "choice", role: "group", "aria-label": "Which move?" });
    this.buttons = this.makeButtons();
    this.closeChoice();
    this.cells = make("div", { class: "cells" }, this.buttons);
    const frame = make("div", { class: `frame ${plan.style}` }, this.art, this.cells, this.choice);
    root.replaceChildren(frame);
    this.layOut(frame);
    listenForDrags(this);
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.letGo();
    });
  }

  get falls() {
    return this.plan.style === "rack";
  }

  makeButtons() {
    const { columns, count, places } = this.plan;
    const buttons = Array.from({ length: this.falls ? columns : count }, (_, i) => {
      const place = this.falls ? { "data-column": i } : { "data-cell": i };
      const button = makeButton("", { class: "cell", ...place, onclick: () => this.press(i) });
      if (places[i]) button.style.gridArea = `${places[i][1] + 1} / ${places[i][0] + 1}`;
      for (const event of ["focus", "pointerenter"])
        button.addEventListener(event, () => this.pointAt(i));
      for (const event of ["blur", "pointerleave"])
        button.addEventListener(event, () => this.pointAt(null));
      return button;
    });
    roveFocus(buttons, columns);
    return buttons;
  }

  indexOf(/** @type {EventTarget | null} */ target) {
    return target instanceof HTMLButtonElement ? this.buttons.indexOf(target) : -1;
  }

  /** Put the buttons over the picture's cells. @param {HTMLElement} frame */
  layOut(frame) {
    const { columns, rows, left, top, width, height } = this.plan;
    /** @param {number} length @param {number} whole */
    const part = (length, whole) => `${(100 * length) / whole}%`;
    frame.style.setProperty("--ratio", String(width / height));
    Object.assign(this.cells.style, {
      left: part(left, width),
      top: part(top, height),
      width: part(columns * UNIT, width),
      height: part(rows * UNIT, height),
      gridTemplateColumns: `repeat(${columns}, 1fr)`,
      gridTemplateRows: this.falls ? "1fr" : `repeat(${rows}, 1fr)`,
    });
  }

  /** Show a position. @param {View} view */
  show(view) {
    this.view = view;
    this.heap = this.selected = this.aimed = this.ghost = null;
    this.hot = [];
    this.fresh = view.fresh;
    this.closeChoice();
    this.paint();
  }

  /** Paint a move at once, before its answer is known. @param {Move} move */
  preview(move) {
    const known = { ...this.view.known, marks: move.marks, moves: [], won: [] };
    this.show({ known, values: false, last: move, fresh: true, open: false });
  }

  /** Highlight a move's cells; none for null. @param {Move | null} move */
  point(move) {
    this.hot = move ? [move.cell, move.origin] : [];
    this.aimed = move ? move.origin : null;
    if (move && this.plan.style === "heaps") this.hot = this.restOf(sure(move.cell));
    this.paint();
  }

  /** Show what a click on a cell of a heap takes, or the values of a piece's moves; null for nothing.
   * @param {number | null} i */
  pointAt(i) {
    if (this.falls) {
      this.ghost = i === null || !this.view.open ? null : (this.movesAt(i)[0] ?? null);
      this.paint();
      return;
    }
    const heaps = this.plan.style === "heaps";
    const aimed = i !== null && !heaps && this.view.values && this.leaves(i) ? i : null;
    if (this.dragging || (!heaps && aimed === this.aimed)) return;
    this.aimed = aimed;
    const taken = heaps && i !== null && this.view.open && this.movesAt(i).length;
    this.hot = taken ? this.restOf(i) : [];
    this.paint();
  }

  /** Return the counters of each heap, from the top. */
  get heaps() {
    const heaps = Array.from({ length: this.plan.rows }, () => /** @type {number[]} */ ([]));
    for (const [i, [, row]] of this.plan.places.entries()) {
      if (this.marks[i] !== ".") heaps[row].push(i);
    }
    return heaps;
  }

  get marks() {
    return this.view.known.marks ?? "";
  }

  /** Return the counters of a heap from a cell on. @param {number} cell */
  restOf(cell) {
    return this.heaps[this.plan.places[cell][1]].filter((i) => i >= cell);
  }

  /** Handle a digit, from 0: press that cell. On heaps, the first digit chooses a heap, and the second
   * one how many to take from it. @param {number} digit */
  pressDigit(digit) {
    const { style } = this.plan;
    if (style === "squares" || digit < 0) return;
    const asked = style === "heaps" && this.heap === null;
    if (asked) this.heap = this.heaps.filter((heap) => heap.length)[digit] ?? null;
    const cell = style === "heaps" ? this.heap?.at(asked ? -1 : -digit - 1) : digit;
    const button = this.buttons[cell ?? -1];
    button?.focus();
    if (!asked) button?.click();
    else if (this.heap) announce(`A heap of ${this.heap.length}. How many?`);
  }

  paint() {
    const { known, values, last, open, named, bars } = this.view;
    const leaving = known.moves.filter(({ cell, origin }) => cell !== null && cell === origin);
    const from = this.selected;
    const shown = from === null ? known.moves : known.moves.filter((move) => move.origin === from);
    const seen = {
      marks: this.marks,
      last: last?.cell === null || this.plan.style === "heaps" ? null : last,
      fresh: this.fresh,
      won: known.won,
      selected: from,
      targets: from === null ? [] : present(shown.map((move) => move.cell)),
      hot: this.hot,
      values: values ? shown.filter(isValued) : [],
      best: known.best,
      from: from ?? this.aimed,
      badge: Math.min(
        UNIT * 0.3,
        (BADGE * this.plan.width) / (this.art.clientWidth || this.plan.width),
      ),
      ghost: this.ghost,
      named,
      labels: labelsOf(known.moves),
      bars,
      exits: leaving.map(({ cell }) => sure(cell)),
    };
    this.art.replaceChildren(...drawBoard(this.plan, seen));
    this.fresh = false; // do not animate the next picture of this position
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-label", this.describe(i));
      const [move] = values ? this.movesAt(i) : [];
      button.title = move?.outcome ? worth(move) : "";
      const usable = this.edit || (open && (this.movesAt(i).length > 0 || this.leaves(i)));
      button.setAttribute("aria-disabled", String(!usable));
      button.classList.toggle("drags", open && this.leaves(i));
    });
  }

  /** Return the moves that a button may stand for. @param {number} i */
  movesAt(i) {
    const { moves } = this.view.known;
    if (this.falls) return moves.filter(({ cell }) => sure(cell) % this.plan.columns === i);
    const cell = this.plan.style === "heaps" ? this.firstAlike(i) : i;
    return moves.filter(
      (move) => move.cell === cell && (move.origin === null || move.origin === this.selected),
    );
  }

  /** Return the cell in the first heap that is as large as that of a cell: moves are shown there.
   * @param {number} cell */
  firstAlike(cell) {
    const { heaps } = this;
    const [column, row] = this.plan.places[cell];
    return sure(heaps.find((heap) => heap.length === heaps[row].length))[column];
  }

  leaves(/** @type {number} */ cell) {
    return this.view.known.moves.some((move) => move.origin === cell);
  }

  /** Handle a click on a cell or column. @param {number} i */
  press(i) {
    if (this.edit) this.edit(i);
    if (!this.view.open || this.edit) return;
    this.closeChoice();
    const found = this.movesAt(i);
    if (found.length === 1) this.onMove(found[0]);
    else if (found.length) this.askWhich(found, i);
    else if (this.selected === i) this.letGo();
    else if (!this.falls && this.leaves(i)) this.select(i);
    else if (this.selected !== null) this.letGo();
  }

  select(/** @type {number} */ cell) {
    this.selected = cell;
    this.paint();
    const moves = this.view.known.moves.filter((move) => move.origin === cell);
    const targets = present(moves.map((move) => move.cell));
    const named = targets.map((to) => (to === cell ? "off the board" : cellName(this.plan, to)));
    const names = [...new Set(named)].join(", ");
    announce(`${cellName(this.plan, cell)} selected. It can go to ${names}.`);
  }

  letGo() {
    this.heap = null;
    this.closeChoice();
    if (this.selected === null) return;
    this.selected = null;
    this.paint();
  }

  /** @param {Move[]} moves @param {number} i */
  askWhich(moves, i) {
    const buttons = listButtons(moves, true, this.onMove, "plain");
    const [x, y] = middle(this.plan, i);
    const below = y < this.plan.height / 2;
    this.choice.replaceChildren(...buttons);
    this.choice.style.top = `${(100 * (y + UNIT * (below ? 0.5 : -0.5))) / this.plan.height}%`;
    this.choice.classList.toggle("above", !below);
    this.choice.hidden = false;
    this.chosen = i;
    const half = (50 * this.choice.offsetWidth) / sure(this.choice.parentElement).clientWidth;
    this.choice.style.left = `${Math.min(100 - half, Math.max(half, (100 * x) / this.plan.width))}%`;
    buttons[0].focus();
  }

  closeChoice() {
    if (this.choice.contains(document.activeElement)) this.buttons[this.chosen].focus();
    this.choice.hidden = true;
    this.choice.replaceChildren();
  }

  /** Return a button's accessible name. @param {number} i */
  describe(i) {
    const { known, values, open } = this.view;
    const parts = [this.falls ? describeColumn(this.plan, this.marks, i) : this.describeCell(i)];
    if (this.selected === i) parts.push("selected");
    const moves = this.movesAt(i);
    if (open && this.selected !== null && moves.length) parts.push("can go here");
    if (values && moves[0]?.outcome) {
      parts.push(worth(moves[0]));
      const tied = known.best.length === known.moves.length;
      if (!tied && known.best.includes(moves[0].move)) parts.push("best");
    }
    return parts.join(", ");
  }

  describeCell(/** @type {number} */ cell) {
    const { style, places } = this.plan;
    if (style === "heaps") {
      const [move] = this.movesAt(cell);
      return `heap ${places[cell][1] + 1}, ${move?.label ?? (this.marks[cell] === "." ? "empty" : "counter")}`;
    }
    const name = cellName(this.plan, cell);
    const place = style === "squares" ? name : `${style === "points" ? "point" : "cell"} ${name}`;
    return `${place}, ${describeSign(this.plan, this.marks[cell])}`;
  }
}
