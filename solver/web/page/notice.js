/** The notice above the page's content: what went wrong, and a button to try again. */

import { byId, capital, make, makeButton } from "./dom.js";
import { pause } from "./latest.js";
import { isThere, PATIENCE } from "./there.js";

/** Show a message; with `again`, also a button that calls it.
 * @param {string} text @param {() => void} [again] */
export function showNotice(text, again) {
  const place = byId("notice");
  const retry = () => {
    hideNotice();
    again?.();
  };
  place.replaceChildren(
    make("p", {}, capital(text)),
    again ? makeButton("Try again", { id: "retry", class: "strong", onclick: retry }) : "",
    makeButton("Close", { id: "dismiss", class: "plain", onclick: hideNotice }),
  );
  place.hidden = false;
}

/** Show an error of an engine, with a button to try again if that may help; it is pressed when a server
 * that was away is back.
 * @param {unknown} error @param {() => void} again */
export function showError(error, again) {
  showNotice(messageOf(error), mayHelp(error) ? again : undefined);
  whenBack(error, byId("notice").querySelector("#retry"));
}

/** Press a button when a server that was away is back. @param {unknown} error
 * @param {HTMLButtonElement | null} retry */
export async function whenBack(error, retry) {
  if (!retry || !(error instanceof Error && "away" in error && error.away)) return;
  while (retry.isConnected) {
    await pause(PATIENCE);
    if (retry.isConnected && (await isThere()) && retry.isConnected) return retry.click();
  }
}

/** Run an action, and show its failure. @param {() => unknown} action */
export async function attempt(action) {
  try {
    await action();
  } catch (error) {
    showError(error, () => attempt(action));
  }
}

/** Return what an error says. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Return whether trying again may help. @param {unknown} error */
export const mayHelp = (error) =>
  error instanceof Error && "again" in error && error.again === true;

export function hideNotice() {
  byId("notice").hidden = true;
  byId("notice").replaceChildren();
}
