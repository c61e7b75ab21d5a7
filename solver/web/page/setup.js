/** The dialog that opens a game or a position: from a text in any form, or put on the board by clicks. */

/** @import { Engine, Known, Listing } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { readAddress } from "./address.js";
import { Board, NOTHING } from "./board.js";
import { byId, capital, dialogOf, makeButton, makeRadio, refill, sure } from "./dom.js";
import { engineOf, say } from "./engines.js";
import { latest, pause } from "./latest.js";
import { recall } from "./memory.js";
import { attempt, mayHelp, messageOf, whenBack } from "./notice.js";
import { onGame } from "./play.js";
import { pliesOf, recordOf, resultOf } from "./plies.js";
import { nameOf, rivalOf, seated } from "./seats.js";
import { verdict } from "./words.js";

const TURN = / \w$/; // the side to move, where a position says it
const TYPING = 250; // milliseconds after which what is typed is read
const LONGEST = 20_000; // signs of a text

/** @typedef {{text: string, fields?: Fields, marks?: string | null, reads?: boolean, error?: unknown}} Found */

/** What the dialog is about: `turn` is the side to move of what is put on the board. */
const setup = {
  engine: /** @type {Engine | null} */ (null),
  board: /** @type {Board | null} */ (null),
  found: /** @type {Found | null} */ (null),
  turn: /** @type {string | undefined} */ (undefined),
  marks: "",
  position: "", // that the dialog began with
};
const pasted = /** @type {HTMLTextAreaElement} */ (byId("pasted"));

/** Listen to the controls. `open` is called with what is opened, and whether it is a game to read.
 * @param {(fields: Fields, reads: boolean) => void} open */
export function listenToSetup(open) {
  const dialog = dialogOf("setup");
  pasted.addEventListener("input", () => attempt(() => readText(TYPING)));
  byId("second").addEventListener("click", () => attempt(turnOver));
  byId("setup-open").addEventListener("click", () => {
    const { fields, reads } = setup.found ?? {};
    if (!fields) return;
    dialog.close();
    open(fields, Boolean(reads));
  });
  onGame("set-up", ({ listing, known }) =>
    attempt(async () => {
      showSetup(await engineOf(listing), known);
      dialog.showModal();
      pasted.focus();
    }),
  );
}

/** Prepare the dialog with the board of a position. @param {Engine} engine @param {Known} known */
function showSetup(engine, known) {
  const { listing } = engine;
  const edits = maySetUp(listing);
  for (const id of ["setup-board", "signs-of"]) byId(id).hidden = !edits;
  const board = edits ? new Board(byId("setup-board"), listing, () => {}) : null;
  if (board) board.edit = put;
  const { position } = known;
  Object.assign(setup, { engine, board, position, found: null, turn: undefined });
  offerSides(known);
  const found = [...new Set(`${listing.sample}`)].filter((sign) => sign !== ".");
  found.sort();
  const signs = [...(found.includes("X") ? found.reverse() : found), "Remove"];
  const choices = signs.map((sign, i) => makeRadio("sign", sign, !i, nameOf(listing, sign)));
  refill(byId("signs-of"), choices, "input");
  pasted.value = "";
  paintSetup(known.marks ?? "");
  tell({ text: edits ? "Paste a text, or put pieces on the board." : "Paste a text." });
}

/** Return the text; before there is one, that of the position. */
const textNow = () => pasted.value || setup.position;

/** Let the other side move, in the text or beside it. */
function turnOver() {
  const { seats, start } = sure(setup.engine).listing;
  if (TURN.test(start)) {
    const sides = seats.map((seat) => ` ${seat[0].toLowerCase()}`);
    pasted.value = textNow().replace(TURN, (side) => sides[1 - sides.indexOf(side)]);
  } else setup.turn = seats[setup.turn === seats[1] ? 0 : 1];
  return readText();
}

/** Put the chosen piece on a cell or into a column, or take away what is there. @param {number} place */
function put(place) {
  const { columns, style, count } = sure(setup.board).plan;
  const sign = /** @type {HTMLInputElement} */ (byId("signs-of").querySelector(":checked")).value;
  const column = Array.from({ length: count }, (_, i) => i).filter((i) => i % columns === place);
  const cells = style === "rack" ? column.filter((i) => setup.marks[i] === ".") : [place];
  const top = style === "rack" ? column.find((i) => setup.marks[i] !== ".") : place;
  const gone = sign === "Remove" || (style !== "rack" && setup.marks[place] === sign);
  const cell = gone ? top : cells.at(-1);
  if (cell === undefined) return;
  const marks = [...setup.marks];
  marks[cell] = gone ? "." : sign;
  let next = 0;
  const { start } = sure(setup.engine).listing;
  const board = [...start].map((old) => (old === "/" ? old : (marks[next++] ?? old)));
  pasted.value = board.join("").replace(TURN, TURN.exec(textNow())?.[0] ?? "$&");
  paintSetup(marks.join(""));
  attempt(() => readText());
}

function paintSetup(/** @type {string} */ marks) {
  setup.marks = marks;
  const known = { ...NOTHING, marks };
  setup.board?.show({ known, values: false, last: null, fresh: false, open: true });
}

/** Read the text, and say what it is. */
async function readText(wait = 0) {
  tell({ text: "One moment …" });
  const engine = sure(setup.engine);
  const found = await latest("setup", async (wanted) => {
    await pause(wait);
    return wanted() ? findOut(engine, pasted.value.trim()).catch(failure) : failure("");
  });
  if (found.marks) paintSetup(found.marks);
  if (found.fields?.position) offerSides(found.fields);
  tell(found);
  if (!found.error) return;
  const retry = makeButton("Try again", { onclick: () => attempt(() => readText()) });
  byId("found").append(" ", retry);
  whenBack(found.error, retry);
}

/** @param {unknown} error @returns {Found} */
const failure = (error) => ({ text: messageOf(error), error });

/** Offer the other side where it can move: a text says who does, or both can.
 * @param {{position?: string, turn?: string}} known */
function offerSides({ position, turn }) {
  const { listing, whole } = sure(setup.engine);
  const other = rivalOf(listing, turn ?? "");
  const can = TURN.test(listing.start) || whole?.explain(position ?? "", other);
  byId("second").hidden = !maySetUp(listing) || !can;
}

/** @param {Found} found */
function tell(found) {
  setup.found = found;
  byId("found").textContent = capital(found.text);
  byId("setup-open").setAttribute("aria-disabled", String(!found.fields));
}

/** Return what an error says, unless trying again may help. @param {unknown} error */
function saying(error) {
  if (mayHelp(error)) throw error;
  return messageOf(error);
}

/** Return what a text is: an address, a game or a position.
 * @param {Engine} engine @param {string} text @returns {Promise<Found>} */
async function findOut(engine, text) {
  const { listing } = engine;
  if (!text) return { text: "Paste moves, a board, or an address of this page." };
  if (text.length > LONGEST)
    return {
      text: `This text is too long: it has ${text.length} signs, at most ${LONGEST} are read.`,
    };
  const address = /[#?](.*\b(?:game|moves|position)=.*)$/s.exec(text)?.[1];
  if (address) return { text: "The game of this address.", fields: readAddress(address).fields };
  /** @type {{plies: Known[], wrong: string | null}} */
  const course = await engine.read(text).catch((error) => ({ plies: [], wrong: saying(error) }));
  const { plies } = course;
  if (!course.wrong && plies.length > 1) {
    const last = plies[plies.length - 1];
    const game = pliesOf(plies);
    const end = resultOf(game);
    const fields = { game: listing.game, moves: recordOf(game), x: "human", o: "human" };
    const count = plies.length - 1;
    const size = `A game of ${count} move${count > 1 ? "s" : ""}`;
    const words = `${size}. ${end ?? `${last.turn} to move.`}`;
    return { text: words, fields, marks: last.marks, reads: true };
  }
  const known = await engine.explain(text, setup.turn).catch(saying);
  if (typeof known !== "string") return describePosition(known, listing);
  if (/^move ([2-9]|\d\d)/i.test(`${course.wrong}`)) return { text: `${course.wrong}` };
  const [counts] = /^[^;]*\d X and \d[^;]*/.exec(known) ?? []; // of pieces that no game has
  if (counts) return { text: `${say(listing, counts)}.` };
  const [{ label }] = (await engine.explain()).moves;
  const forms = `moves such as ${label}, or a board such as “${listing.start}”`;
  return { text: `This is no game or position of ${listing.title}. Write ${forms}.` };
}

/** Return what is opened for a position: the user plays the side to move, against the usual opponent.
 * @param {Known} known @param {Listing} listing @returns {Found} */
function describePosition(known, listing) {
  const { position, turn, marks } = known;
  const players = seated(listing.seats.indexOf(turn), recall("opponent", "level:medium"));
  const fields = { game: listing.game, position, turn, ...players };
  return { text: known.moves.length ? `${turn} to move.` : verdict(known), fields, marks };
}

/** Return whether positions of a game are written as its cells. @param {Listing} listing */
const maySetUp = ({ start, marks, style }) =>
  style !== null && marks !== null && start.replaceAll("/", "").startsWith(marks);
