/** Single keys as shortcuts. */

import { byId } from "./dom.js";
import { stateNow } from "./drive.js";
import { pressOnBoard, showHints, stepBy } from "./play.js";
import { pressOnPuzzle } from "./quiz.js";

/** @type {Record<string, number | undefined>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const ROVING = "#board, #chart, .tabs, fieldset"; // where the arrow keys move the focus

/** Press a button, and put the focus on the board, whose cells are new. @param {string} button
 * @param {string} board */
function begin(button, board) {
  byId(button).click();
  byId(board).focus();
}

/** Handle keys, unless the focus is in a control for typing or choosing. */
export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (!(target instanceof Element) || ctrlKey || altKey || metaKey) return;
    if (target.matches(".board") && key.startsWith("Arrow"))
      return /** @type {HTMLElement?} */ (target.querySelector("[tabindex='0']"))?.focus();
    const typing = target.closest("input:not([type=checkbox], [type=radio]), select, textarea");
    if (typing || document.querySelector("dialog[open]")) return;
    const { view, game } = stateNow();
    const step = STEPS[key];
    if (view === "play" && step && !target.closest(ROVING)) {
      event.preventDefault();
      stepBy(step);
    } else if (/^\d$/.test(key) && view === "play") pressOnBoard(Number(key) - 1);
    else if (/^\d$/.test(key) && view === "puzzles") pressOnPuzzle(Number(key) - 1);
    else if (key === "n" && view === "puzzles") begin("next", "puzzle-board");
    else if (view !== "play") return;
    else if (key === "n") begin("new", "board");
    else if (key === "u") byId("undo").click();
    else if (key === "h" && game) showHints(!game.values);
  });
}
