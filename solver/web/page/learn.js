/** The dialog that teaches never to lose: a few cards, each shown, then asked until it is known. */

/** @import { Engine, Known, Move } from "./types.d.ts" */

import { Board } from "./board.js";
import { byId, dialogOf } from "./dom.js";
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
const KNOWN = "You know all three cards. Now see that not even perfect play beats you.";

/** Return whether there are cards for a game. @param {string} game */
export const hasCards = (game) => game === "tictactoe";

/** The cards that are still to be shown, and those that are still to be asked, the next one first. */
const lesson = { engine: /** @type {Engine | null} */ (null), shown: CARDS, asked: CARDS };
/** @type {Board | null} */
let cardBoard = null;

/** Show the dialog with the first card. `play` opens a game against the perfect player.
 * @param {Engine} engine @param {() => void} play */
export async function showCards(engine, play) {
  const dialog = dialogOf("learning");
  cardBoard ??= new Board(byId("learn-board"), engine.listing, (move) =>
    attempt(() => check(move)),
  );
  Object.assign(lesson, { engine, shown: CARDS, asked: CARDS });
  dialog.showModal(); // before any wait, so that a second click does not reach the page
  byId("learn-next").onclick = () => attempt(() => goOn(dialog, play));
  await nextCard();
  byId("learn-next").focus();
}

/** Show the next card, or ask it; return null when all are known. */
function nextCard() {
  const { engine, shown, asked } = lesson;
  const card = shown[0] ?? asked[0];
  return card && engine ? showCard(engine, card) : null;
}

/** Show the next card; when all are known, play. @param {HTMLDialogElement} dialog
 * @param {() => void} play */
function goOn(dialog, play) {
  const shown = nextCard();
  if (shown) return shown;
  dialog.close();
  play();
}

/** @param {Engine} engine @param {typeof CARDS[number]} card */
async function showCard(engine, card) {
  const { shown } = lesson;
  const known = await engine.explain(card.position);
  byId("learn-next").hidden = !shown.length;
  if (!shown.length) {
    paintCard(known, null, true);
    tellCard("X to move. What does the card say?");
    byId("learn-board").focus();
    return;
  }
  const move = known.moves.find((one) => card.cells.includes(Number(one.move))) ?? null;
  if (move) paintCard({ ...(await engine.explain(move.position)), moves: [] }, move, false);
  lesson.shown = shown.slice(1);
  const left = lesson.shown.length;
  tellCard(
    `Card ${CARDS.length - left} of ${CARDS.length}. ${card.words}${left ? "" : ` ${REST}`}`,
  );
  byId("learn-next").textContent = left ? "Next card" : "Ask me";
}

/** Check the move that the user chose: a card that is not known comes again, as the last one.
 * @param {Move} move */
async function check(move) {
  const [button, [card, ...others]] = [byId("learn-next"), lesson.asked];
  if (!button.hidden) return; // the second of two quick clicks
  const right = card.cells.includes(Number(move.move));
  lesson.asked = right ? others : [...others, card];
  const known = await lesson.engine?.explain(move.position);
  if (known) paintCard({ ...known, moves: [] }, move, false);
  const end = lesson.asked.length ? "" : ` ${KNOWN}`;
  tellCard(right ? `Right.${end}` : `${move.label} is not on the card. ${card.words}`);
  button.textContent = lesson.asked.length ? "Next" : "Play Perfect";
  button.hidden = false;
  button.focus();
}

/** @param {Known} known @param {Move | null} last @param {boolean} open */
function paintCard(known, last, open) {
  cardBoard?.show({ known, last, fresh: last !== null, values: false, open, named: true });
}

function tellCard(/** @type {string} */ text) {
  byId("learn-text").textContent = text;
}
