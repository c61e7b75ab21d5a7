/** Links to what is shown, and how it is shown: by a server, in one file, in a frame. */

/** @import { Fields } from "./address.js" */

import { readAddress, writeAddress } from "./address.js";
import { announce } from "./dom.js";
import { stateNow } from "./drive.js";
import { showNotice } from "./notice.js";
import { seated } from "./seats.js";
import { view } from "./store.js";

const COPIED = "Copied"; // the name of a button for a while
const SHOWN = 2000; // milliseconds of that
const SHORTEST = 40; // characters of an address that is worth being short

/** Whether the page is one file, without a server. */
export const alone = document.getElementById("whole") !== null;

/** Whether the board alone is shown, in a frame. */
export const embedded =
  location.pathname.endsWith("/embed") || /^#(.*&)?embed\b/.test(location.hash);

/** Return the address of what is shown: of the page, of a link with a preview, or of the board alone.
 * @param {"page" | "link" | "embed"} kind */
export function linkTo(kind) {
  const { fields: shown } = readAddress(location.hash);
  const fields = { ...shown, ...seatsPlayed() };
  const embed = alone && kind === "embed" ? 1 : undefined;
  const hash = writeAddress({ ...fields, embed });
  if (alone) return new URL(location.pathname + hash, location.href).href;
  const path = kind === "embed" ? "embed" : ".";
  const long = path + (kind === "link" ? hash.replace("#", "?") : hash);
  return new URL((kind === "link" && shortPath(fields)) || long, location.href).href;
}

/** Return the seats of a game that is over, which may have changed since. @returns {Fields} */
function seatsPlayed() {
  const { game } = stateNow();
  const { result, own, rivals } = game ? view(game) : { result: null, own: null, rivals: [] };
  return result && own !== null && rivals.length === 1 ? seated(own, rivals[0]) : {};
}

/** Return a short address, which leads to the long one: of the puzzle of a day, or of a game from its
 * start at the usual seats whose moves have one character each; null for others.
 * @param {Fields} fields */
function shortPath({ game = "tictactoe", view, puzzle, moves, x, o, ...others }) {
  const stem = game === "connect4:7x6" ? "connect4" : game;
  if (view === "puzzles" && /^\d+$/.test(puzzle ?? ""))
    return stem === "tictactoe" ? `p/${puzzle}` : `p/${stem}/${puzzle}`;
  const isUsual = x === "human" && o === "level:medium" && !view && !Object.keys(others).length;
  const { lines = [], line = 0 } = stateNow().game ?? {};
  const labels = (lines[line] ?? []).slice(1).map(({ played }) => played?.label ?? "");
  const path = `g/${stem}/${labels.join("")}`;
  const fits = labels.every((label) => /^\w$/.test(label)) && /^[\w:,/]+$/.test(path);
  return isUsual && moves && fits && path.length < SHORTEST ? path : null;
}

/** Copy the link to what is shown, after the text of a result if there is one; code alone.
 * @param {HTMLElement} button */
export async function share(button, text = "", isCode = false) {
  if (button.textContent !== COPIED) button.dataset.name = button.textContent ?? "";
  const copied = isCode ? text : `${text}\n${linkTo("link")}`.trim();
  try {
    await navigator.clipboard.writeText(copied);
    button.textContent = COPIED;
    const what = isCode ? "code is" : text ? "text and its link are" : "link is";
    announce(`The ${what} copied.`);
    setTimeout(() => (button.textContent = button.dataset.name ?? ""), SHOWN);
  } catch {
    showNotice(`The browser does not let this page copy. Here it is: ${copied}`);
  }
}
