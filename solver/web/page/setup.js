/** The dialog that opens a game or a position: from a text in any form, or put on the board by clicks. */

/** @import { Engine, Known, Listing } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { readAddress } from "./address.js";
import { Board, NOTHING } from "./board.js";
import { byId, capital, makeRadio, refill } from "./dom.js";
import { messageOf } from "./notice.js";
import { humanPlays } from "./seats.js";
import { resultOf } from "./session.js";
import { verdict } from "./words.js";

const TURN = / \w$/; // the side to move, where a position says it

export class Setup {
  /** @type {Engine | null} */ engine = null;
  /** @type {Board | null} */ board = null;
  /** @type {Fields | null} */ fields = null; // what is opened
  /** @type {Known | null} */ shown = null; // the position that the dialog began with
  marks = "";
  ticket = {}; // of the text that was read last

  /** @param {(fields: Fields) => void} open */
  constructor(open) {
    this.dialog = /** @type {HTMLDialogElement} */ (byId("setup"));
    this.text = /** @type {HTMLTextAreaElement} */ (byId("pasted"));
    this.text.addEventListener("input", () => this.read());
    byId("second").addEventListener("click", () => {
      const sides = (this.engine?.listing.seats ?? []).map((seat) => ` ${seat[0].toLowerCase()}`);
      this.text.value = this.text.value.replace(TURN, (side) => sides[1 - sides.indexOf(side)]);
      this.read();
    });
    byId("setup-close").addEventListener("click", () => this.dialog.close());
    byId("setup-open").addEventListener("click", () => {
      if (!this.fields) return;
      this.dialog.close();
      open(this.fields);
    });
  }

  /** Show the dialog with a position. @param {Engine} engine @param {Known} known */
  show(engine, known) {
    this.engine = engine;
    const { listing } = engine;
    const edits = maySetUp(listing);
    for (const id of ["setup-board", "signs-of"]) byId(id).hidden = !edits;
    this.board = edits ? new Board(byId("setup-board"), listing, () => {}) : null;
    if (this.board) this.board.edit = (place) => this.put(place);
    const found = [...new Set(`${listing.sample}`)].filter((sign) => sign !== ".");
    found.sort();
    const signs = [...(found.includes("X") ? found.reverse() : found), "Remove"];
    const choices = signs.map((sign, i) => makeRadio("sign", sign, !i));
    refill(byId("signs-of"), choices, "input");
    this.shown = known;
    this.text.value = known.position;
    byId("second").hidden = !edits || !TURN.test(listing.start);
    this.dialog.showModal();
    this.text.select(); // what is pasted takes its place
    this.read();
  }

  /** Put the chosen piece on a cell or into a column, or take away what is there. @param {number} place */
  put(place) {
    const { board: shown, engine } = this;
    if (!shown || !engine) return;
    const { columns, style, count } = shown.plan;
    const sign = /** @type {HTMLInputElement} */ (byId("signs-of").querySelector(":checked")).value;
    const column = Array.from({ length: count }, (_, i) => i).filter((i) => i % columns === place);
    const cells = style === "rack" ? column.filter((i) => this.marks[i] === ".") : [place];
    const top = style === "rack" ? column.find((i) => this.marks[i] !== ".") : place;
    const gone = sign === "Remove" || (style !== "rack" && this.marks[place] === sign);
    const cell = gone ? top : cells.at(-1);
    if (cell === undefined) return;
    const marks = [...this.marks];
    marks[cell] = gone ? "." : sign;
    let next = 0;
    const { start } = engine.listing;
    const board = [...start].map((old) => (old === "/" ? old : (marks[next++] ?? old)));
    this.text.value = board.join("").replace(TURN, TURN.exec(this.text.value)?.[0] ?? "$&");
    this.paint(marks.join(""));
    this.read();
  }

  paint(/** @type {string} */ marks) {
    this.marks = marks;
    const known = { ...NOTHING, marks };
    this.board?.show({ known, values: false, last: null, fresh: false, open: true });
  }

  /** Read the text, and say what it is. */
  async read() {
    if (!this.engine) return;
    const ticket = {};
    this.ticket = ticket;
    this.fields = null;
    const found = await this.find(this.text.value.trim());
    if (this.ticket !== ticket) return;
    this.fields = found.fields ?? null;
    if (found.marks) this.paint(found.marks);
    byId("found").textContent = capital(found.text);
    byId("setup-open").setAttribute("aria-disabled", String(!found.fields));
  }

  /** Return what a text is: an address, a game or a position.
   * @param {string} text @returns {Promise<{text: string, fields?: Fields, marks?: string | null}>} */
  async find(text) {
    const address = /[#?](.*\b(?:game|moves|position)=.*)$/s.exec(text)?.[1];
    if (address) return { text: "An address of this page.", fields: readAddress(address).fields };
    const engine = /** @type {Engine} */ (this.engine);
    const { listing } = engine;
    if (this.shown?.position === text) return this.describe(this.shown, listing);
    /** @type {{plies: Known[], wrong: string | null}} */
    const course = await engine
      .read(text)
      .catch((error) => ({ plies: [], wrong: messageOf(error) }));
    const { plies } = course;
    if (!course.wrong && plies.length > 1) {
      const last = plies[plies.length - 1];
      const moves = plies.slice(1).map(({ position }, n) => {
        return plies[n].moves.find((move) => move.position === position)?.move;
      });
      const end = resultOf(plies.map((known) => ({ known, played: null })));
      const fields = { game: listing.game, moves: moves.join(","), x: "human", o: "human" };
      const size = `A game of ${moves.length} move${moves.length > 1 ? "s" : ""}`;
      return { text: `${size}. ${end ?? `${last.turn} to move.`}`, fields, marks: last.marks };
    }
    const known = await engine.explain(text).catch(messageOf);
    if (typeof known === "string")
      return { text: /[._/-]|^\D+$/.test(text) ? known : `${course.wrong}` };
    return this.describe(known, listing);
  }

  /** Return what is opened for a position: the user plays the side to move, against the usual
   * opponent. @param {Known} known @param {Listing} listing */
  describe(known, listing) {
    const { position, turn, marks } = known;
    const fields = { game: listing.game, position, turn, ...humanPlays(listing, turn) };
    return { text: known.moves.length ? `${turn} to move.` : verdict(known), fields, marks };
  }
}

/** Return whether positions of a game are written as its cells. @param {Listing} listing */
const maySetUp = ({ start, marks, style }) =>
  style !== null && marks !== null && start.replaceAll("/", "").startsWith(marks);
