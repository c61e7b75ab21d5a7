/** The dialog that teaches never to lose: a few cards, each shown, then asked until it is known. */

/** @import { Engine, Known, Move } from "./types.d.ts" */

import { Board } from "./board.js";
import { byId } from "./dom.js";
import { attempt } from "./notice.js";

/** What X has to know at tic-tac-toe who wins at once if possible and else blocks if necessary: the
 * cards of `perfectplay strategy tictactoe --fewest cards`. Each has a position, a right cell, and
 * others that are right by symmetry. */
const CARDS = [
  { position: ".........", cells: [4], words: "Begin in the centre." },
  {
    position: "O...X....",
    cells: [5, 7],
    words: "If O takes a corner, take an edge that does not touch it.",
  },
  {
    position: ".O..X....",
    cells: [6, 8],
    words: "If O takes an edge, take a corner that does not touch it.",
  },
];
const REST = "Everywhere else, win at once if you can. If not, block.";
const KNOWN = "You know all three cards. Now see that not even Unbeatable can beat you.";

/** Return whether there are cards for a game. @param {string} game */
export const hasCards = (game) => game === "tictactoe";

export class Learn {
  /** @type {Engine | null} */ engine = null;
  /** @type {Board | null} */ board = null;
  shown = CARDS; // the cards that are still to be shown
  asked = CARDS; // and those that are still to be asked, the next one first

  /** @param {(engine: Engine) => void} play opens a game against the perfect player */
  constructor(play) {
    this.play = play;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("learning"));
    byId("learn-close").addEventListener("click", () => this.dialog.close());
    byId("learn-next").addEventListener("click", () => attempt(() => this.next()));
  }

  /** Show the dialog with the first card. @param {Engine} engine */
  async show(engine) {
    this.engine = engine;
    this.board ??= new Board(byId("learn-board"), engine.listing, (move) => this.answer(move));
    this.shown = this.asked = CARDS;
    this.dialog.showModal(); // before any wait, so that a second click does not reach the page
    await this.next();
    byId("learn-next").focus();
  }

  /** Show the next card, or ask it; when all are known, play. */
  async next() {
    const { engine, shown, asked } = this;
    if (!engine) return;
    const card = shown[0] ?? asked[0];
    if (!card) {
      this.dialog.close();
      this.play(engine);
      return;
    }
    const known = await engine.explain(card.position);
    byId("learn-next").hidden = !shown.length;
    if (!shown.length) {
      this.paint(known, null, true);
      this.tell("X to move. What does the card say?");
      byId("learn-board").focus();
      return;
    }
    const move = known.moves.find((one) => card.cells.includes(Number(one.move))) ?? null;
    if (move) this.paint({ ...(await engine.explain(move.position)), moves: [] }, move, false);
    this.shown = shown.slice(1);
    const number = CARDS.length - this.shown.length;
    const rest = this.shown.length ? "" : ` ${REST}`;
    this.tell(`Card ${number} of ${CARDS.length}. ${card.words}${rest}`);
    byId("learn-next").textContent = this.shown.length ? "Next card" : "Ask me";
  }

  /** Check the move that the user chose: a card that is not known comes again, as the last one.
   * @param {Move} move */
  async answer(move) {
    const [button, [card, ...others]] = [byId("learn-next"), this.asked];
    if (!button.hidden) return; // the second of two quick clicks
    button.textContent = "Next";
    button.hidden = false;
    const right = card.cells.includes(Number(move.move));
    this.asked = right ? others : [...others, card];
    const known = await this.engine?.explain(move.position);
    if (known) this.paint({ ...known, moves: [] }, move, false);
    const end = this.asked.length ? "" : ` ${KNOWN}`;
    this.tell(right ? `Right.${end}` : `${move.label} is not on the card. ${card.words}`);
    if (!this.asked.length) button.textContent = "Play Unbeatable";
    button.focus();
  }

  /** @param {Known} known @param {Move | null} last @param {boolean} open */
  paint(known, last, open) {
    this.board?.show({ known, last, fresh: last !== null, values: false, open, named: true });
  }

  tell(/** @type {string} */ text) {
    byId("learn-text").textContent = text;
  }
}
