/**
 * The signs on a board, as SVG: marks, discs, chess pieces, the values of moves, arrows.
 *
 * Values have a shape, a colour and a text: W2 in a circle wins in 2 moves, D in a square draws, L1
 * in a diamond loses in 1. The classes f-NAME and s-NAME fill and stroke with colours of style.css.
 */

/** @import { Outcome, Point } from "./types.d.ts" */

import { draw } from "./dom.js";
import { movesIn } from "./words.js";

/** A cell's side in SVG units. */
export const UNIT = 40;

/** The letter of each outcome. */
export const OUTCOMES = { win: "W", draw: "D", loss: "L" };

/** The right halves of the outlines of chess pieces, top to bottom, in a square of -100 to 100.
 * @type {Record<string, string | undefined>} */
const HALVES = {
  P: "M-3-74H0A32 32 0 0 1 21-17L32-10V2H15L24 38 52 60V84H-3z",
  Q: "M-3-88H0A12 12 0 0 1 6-66L15-12 32-62A12 12 0 1 1 48-58L40-2 69-40A12 12 0 1 1 80-32L40 42 58 60V84H-3z",
  K: "M-3-98H9V-84H24V-67H9V-46L19-43A36 36 0 0 1 63 14L40 42 58 60V84H-3z",
};

/** Return the sign around a point: X or O, optionally on a disc, a counter, or a chess piece.
 * @param {string} sign @param {number} x @param {number} y */
export function drawMark(sign, x, y, disc = false, size = UNIT) {
  if (sign === "X" || sign === "O") {
    const side = sign.toLowerCase();
    if (!disc) return drawSign(sign, x, y, size * 0.27, `s-${side}`, size * 0.09);
    const ground = draw("circle", { cx: x, cy: y, r: size * 0.38, look: `f-disc-${side}` });
    return draw("g", {}, ground, drawSign(sign, x, y, size * 0.15, `s-on-${side}`, size * 0.06));
  }
  if (sign === "|") return draw("circle", { cx: x, cy: y, r: size * 0.36, look: "f-dark s-ink" });
  const [side, other] = sign === sign.toUpperCase() ? ["white", "black"] : ["black", "white"];
  const half = HALVES[sign.toUpperCase()];
  if (half) {
    const scale = (size * 0.42) / 100;
    const sides = [1, -1].map((way) => draw("path", { d: half, transform: `scale(${way} 1)` }));
    const edge = sides.map((path) => path.cloneNode());
    return draw(
      "g",
      { transform: `translate(${x} ${y})scale(${scale})` },
      draw("g", { look: `s-edge-${side}`, "stroke-width": 18, "stroke-linejoin": "round" }, edge),
      draw("g", { look: `f-${side}` }, sides),
    );
  }
  const ground = draw("circle", { cx: x, cy: y, r: size * 0.32, look: `f-${side} s-edge-${side}` });
  return draw("g", {}, ground, drawText(sign.toUpperCase(), x, y, size * 0.4, `f-${other}`, 600));
}

/** @param {string} sign @param {number} x @param {number} y @param {number} r
 * @param {string} colour @param {number} width */
function drawSign(sign, x, y, r, colour, width) {
  const look = { look: `${colour} none`, "stroke-width": width, "stroke-linecap": "round" };
  if (sign === "O") return draw("circle", { cx: x, cy: y, r, ...look });
  return draw("path", {
    d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`,
    ...look,
  });
}

/** Return a line of text centred at a point.
 * @param {string} text @param {number} x @param {number} y @param {number} size
 * @param {string} colour */
export function drawText(text, x, y, size, colour, weight = 400) {
  const place = { x, y, dy: "0.35em", "text-anchor": "middle" };
  return draw("text", { ...place, "font-size": size, "font-weight": weight, look: colour }, text);
}

/** Return W2, D, L1 and so on: a win in 2 moves, a draw, a loss in 1. `distance` is in plies.
 * @param {Outcome} outcome @param {number | null} distance */
export function valueMark(outcome, distance) {
  return OUTCOMES[outcome] + (distance === null ? "" : movesIn(distance));
}

/** Return the value of a move as a picture; those of the best moves have a second outline.
 * @param {Outcome} outcome @param {number | null} distance
 * @param {number} x @param {number} y @param {number} radius */
export function drawBadge(outcome, distance, x, y, radius, best = false) {
  const word = valueMark(outcome, distance);
  const outer = drawFrame(outcome, x, y, radius * 1.27, "f-paper s-ink", radius * 0.13);
  return draw(
    "g",
    { class: "badge" },
    best ? outer : null,
    drawFrame(outcome, x, y, radius, `f-${outcome} s-paper`, radius * 0.1),
    drawText(word, x, y, radius * (word.length < 3 ? 1 : 0.8), "f-on-value", 700),
  );
}

/** Return a circle for a win, a square for a draw, a diamond for a loss.
 * @param {Outcome} outcome @param {number} x @param {number} y @param {number} radius
 * @param {string} look @param {number} width */
function drawFrame(outcome, x, y, radius, look, width) {
  const rest = { look, "stroke-width": width, "stroke-linejoin": "round" };
  if (outcome === "win") return draw("circle", { cx: x, cy: y, r: radius, ...rest });
  const r = outcome === "loss" ? radius * 1.2 : radius * 0.86;
  if (outcome === "draw") {
    return draw("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, ...rest });
  }
  return draw("path", { d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}z`, ...rest });
}

/** Return a value as a small picture for a line of text.
 * @param {Outcome} outcome @param {number | null} distance */
export function valueIcon(outcome, distance, best = false) {
  const picture = { class: "icon", viewBox: "-20 -20 40 40", "aria-hidden": "true" };
  return draw("svg", picture, drawBadge(outcome, distance, 0, 0, 13, best));
}

/** Return the points at distance `far` from the ends of the line between two points.
 * @param {Point} from @param {Point} to @param {number} far @returns {Point} */
export function toward([x1, y1], [x2, y2], far) {
  const share = far / (Math.hypot(x2 - x1, y2 - y1) || 1);
  return [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
}

/** Return a line between two points.
 * @param {Point} from @param {Point} to @param {string} colour @param {number} width */
export function drawLine([x1, y1], [x2, y2], colour, width) {
  return draw("line", {
    x1,
    y1,
    x2,
    y2,
    look: colour,
    "stroke-width": width,
    "stroke-linecap": "round",
  });
}
