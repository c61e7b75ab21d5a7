/** Links to what is shown, and how it is shown: by a server, in one file, in another page. */

import { readAddress, writeAddress } from "./address.js";
import { announce } from "./dom.js";
import { showNotice } from "./notice.js";

const COPIED = 2000; // milliseconds that the button shows it

/** Whether the page is one file, without a server. */
export const alone = document.getElementById("whole") !== null;

/** Whether the board alone is shown, in a frame. */
export const embedded =
  location.pathname.endsWith("/embed") || /^#(.*&)?embed\b/.test(location.hash);

/** Return the address of what is shown: of the page, of a link with a preview, of such a link to a game
 * that has ended, or of the board alone. @param {"page" | "link" | "result" | "embed"} kind */
export function linkTo(kind) {
  const { said } = readAddress(location.hash);
  const embed = alone && kind === "embed" ? 1 : undefined;
  const shared = kind === "result" && !said.view ? 1 : undefined;
  const hash = writeAddress({ ...said, embed, shared });
  const path = alone ? location.pathname : kind === "embed" ? "embed" : ".";
  return new URL(
    path + (/link|result/.test(kind) && !alone ? hash.replace("#", "?") : hash),
    location.href,
  ).href;
}

/** Copy a text, by default the link to what is shown; a result comes before it.
 * @param {HTMLElement} button */
export async function share(
  button,
  text = "",
  copied = `${text}\n${linkTo(text ? "result" : "link")}`.trim(),
) {
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(copied);
    button.textContent = "Copied";
    announce(
      text
        ? `The ${text.includes("<") ? "code is" : "result and its link are"} copied.`
        : "The link is copied.",
    );
    setTimeout(() => (button.textContent = name), COPIED);
  } catch {
    showNotice(`The browser does not let this page copy. Here it is: ${copied}`);
  }
}
