/** Single keys as shortcuts, which the user can switch off. */

/** @import { PlayView } from "./play.js" */
/** @import { QuizView } from "./quiz.js" */
/** @typedef {{view: string, play: PlayView, quiz: QuizView}} Page */

import { byId, inputOf } from "./dom.js";
import { recall, remember } from "./store.js";

/** @type {Record<string, number | undefined>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const ROVING = "#board, #chart, .tabs, fieldset"; // where the arrow keys move the focus

/** Handle keys, unless the focus is in a control for typing or choosing. @param {Page} page */
export function listenForKeys(page) {
  const letters = inputOf("letters");
  letters.checked = recall("letters", true);
  letters.addEventListener("change", () => remember("letters", letters.checked));
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (!(target instanceof Element) || ctrlKey || altKey || metaKey) return;
    const typing = target.closest("input:not([type=checkbox], [type=radio]), select, textarea");
    if (typing || !letters.checked || document.querySelector("dialog[open]")) return;
    const step = STEPS[key];
    if (page.view === "play" && step && !target.closest(ROVING)) {
      event.preventDefault();
      page.play.step(step);
    } else if (!step) pressKey(page, key);
  });
}

/** @param {Page} page @param {string} key */
function pressKey({ view, play, quiz }, key) {
  const shown = view === "play" ? play : view === "puzzles" ? quiz : null;
  if (/^\d$/.test(key)) shown?.board?.pressDigit(Number(key) - 1);
  else if (shown && key === "n") byId(shown === play ? "new" : "next").click();
  else if (shown !== play) return;
  else if (key === "u") byId("undo").click();
  else if (key === "r") byId("redo").click();
  else if (key === "h") play.showValues(!play.values);
}
