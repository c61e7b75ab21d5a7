/** Links to what is shown and pictures of it, and how it is shown: by a server, in one file, in a frame. */

/** @import { Session } from "./session.js" */

import { readAddress, writeAddress } from "./address.js";
import { announce, make } from "./dom.js";
import { showNotice } from "./notice.js";
import { recordOf } from "./session.js";

const COPIED = "Copied"; // the name of a button for a while
const SHOWN = 2000; // milliseconds of that

/** Whether the page is one file, without a server. */
export const alone = document.getElementById("whole") !== null;

/** Whether the board alone is shown, in a frame. */
export const embedded =
  location.pathname.endsWith("/embed") || /^#(.*&)?embed\b/.test(location.hash);

/** Return the address of what is shown: of the page, of a link with a preview, of such a link to a game
 * that has ended, or of the board alone. @param {"page" | "link" | "result" | "embed"} kind */
export function linkTo(kind) {
  const { fields } = readAddress(location.hash);
  const embed = alone && kind === "embed" ? 1 : undefined;
  const shared = kind === "result" && !fields.view ? 1 : undefined;
  const hash = writeAddress({ ...fields, embed, shared });
  if (alone) return new URL(location.pathname + hash, location.href).href;
  const previewed = kind === "link" || kind === "result";
  const path = kind === "embed" ? "embed" : ".";
  return new URL(path + (previewed ? hash.replace("#", "?") : hash), location.href).href;
}

/** Copy the link to what is shown, after the text of a result if there is one; code alone.
 * @param {HTMLElement} button */
export async function share(button, text = "", isCode = false) {
  if (button.textContent !== COPIED) button.dataset.name = button.textContent ?? "";
  const copied = isCode ? text : `${text}\n${linkTo(text ? "result" : "link")}`.trim();
  try {
    await navigator.clipboard.writeText(copied);
    button.textContent = COPIED;
    const what = isCode ? "code is" : text ? "result and its link are" : "link is";
    announce(`The ${what} copied.`);
    setTimeout(() => (button.textContent = button.dataset.name ?? ""), SHOWN);
  } catch {
    showNotice(`The browser does not let this page copy. Here it is: ${copied}`);
  }
}

/** Download the server's picture of a position.
 * @param {Session} session @param {boolean} values whether they are shown @param {string} format */
export async function savePicture({ plies, at, engine }, values, format) {
  const { position, turn } = plies[0].known;
  const moves = recordOf(plies.slice(0, at + 1));
  const asked = { position, turn, moves, values: values ? 1 : 0, format };
  const picture = await engine.picture(asked);
  if (!picture) return;
  const name = engine.listing.game.replace(/\W+/g, "-");
  make("a", { href: URL.createObjectURL(picture), download: `${name}.${format}` }).click();
}
