/** Dragging the pieces of a board by mouse, pen and touch. */

/** @import { Board } from "./board.js" */

import { sure } from "./dom.js";

const DRAG = 6; // pixels that a pointer moves before it drags a piece

/** Let a board's pieces be dragged; the click that ends a drag does nothing more.
 * @param {Board} board */
export function listenForDrags(board) {
  /** @type {{x: number, y: number, cell: number} | null} */
  let from = null; // where a pointer went down on a piece that may move
  /** @param {PointerEvent} event */
  const end = ({ type, clientX, clientY }) => {
    const dropped = from && board.dragging && type === "pointerup";
    from = null;
    if (!dropped) return;
    const under = document.elementFromPoint(clientX, clientY);
    const to = board.indexOf(under);
    if (to !== board.selected && board.view.open && board.movesAt(to).length) board.press(to);
    else board.paint();
  };
  board.cells.addEventListener("pointerdown", ({ target, clientX, clientY, button }) => {
    const cell = board.indexOf(target);
    const drags = button === 0 && board.buttons[cell]?.classList.contains("drags");
    board.dragging = false;
    from = drags ? { x: clientX, y: clientY, cell } : null;
  });
  board.cells.addEventListener("pointermove", ({ clientX, clientY, pointerId }) => {
    if (!from || !board.view.open) return;
    const by = [clientX - from.x, clientY - from.y];
    if (!board.dragging && Math.hypot(...by) < DRAG) return;
    if (!board.dragging) board.buttons[from.cell].setPointerCapture(pointerId);
    board.dragging = true;
    board.closeChoice();
    if (board.selected !== from.cell) board.select(from.cell);
    const scale = board.plan.width / board.art.clientWidth;
    const piece = sure(board.art.querySelector(`[data-piece="${from.cell}"]`));
    piece.setAttribute("transform", `translate(${by.map((pixels) => pixels * scale).join(" ")})`);
    board.art.append(piece); // above all else
  });
  board.cells.addEventListener("pointerup", end);
  board.cells.addEventListener("pointercancel", end);
  /** @param {MouseEvent} event */
  const swallow = (event) => board.dragging && event.detail && event.stopPropagation(); // not of keys
  board.cells.addEventListener("click", swallow, { capture: true });
}
