/** A board as one picture: background, pieces, the last move, the values of moves. */

/** @import { Listing, Point, Seen, Valued } from "./types.d.ts" */
/** @typedef {ReturnType<typeof planBoard>} Layout where the cells are in the picture */

import { draw, present } from "./dom.js";
import { drawBadge, drawLine, drawMark, drawText, toward, UNIT } from "./signs.js";

const EDGE = 4;
const MARGIN = 15;

/** Return the plan of the board of a listing. @param {Listing} listing */
export function planBoard({ board, style, joined, places }) {
  const [columns, rows] = board ?? [0, 1].map((i) => Math.max(...places.map((at) => at[i])) + 1);
  const count = places.length || columns * rows;
  const left = style === "squares" ? MARGIN : EDGE;
  const foot = style === "squares" || style === "rack" ? MARGIN : EDGE;
  const width = left + columns * UNIT + EDGE;
  return {
    columns,
    rows,
    count,
    style,
    joined,
    places,
    left,
    top: EDGE,
    width,
    height: EDGE + rows * UNIT + foot,
  };
}

/** Return the centre of a cell. @param {Layout} plan @param {number} cell @returns {Point} */
export function middle(plan, cell) {
  const [column, row] = plan.places[cell] ?? [cell % plan.columns, Math.floor(cell / plan.columns)];
  return [plan.left + (column + 0.5) * UNIT, plan.top + (row + 0.5) * UNIT];
}

/** Return a cell's name: e4 on squares, the column in a rack, otherwise the cell's number.
 * @param {Layout} plan @param {number} cell */
export function cellName(plan, cell) {
  const across = cell % plan.columns;
  if (plan.style === "rack") return String(across + 1);
  if (plan.style !== "squares") return String(cell + 1);
  return `${fileName(across)}${plan.rows - (cell - across) / plan.columns}`;
}

const fileName = (/** @type {number} */ column) => String.fromCharCode(97 + column);

/** Return the picture of a board. @param {Layout} plan @param {Seen} seen */
export function drawBoard(plan, seen) {
  const disc = isRound(plan);
  const marks = [...seen.marks].map((sign, cell) => {
    if (sign === ".") return null;
    const mark = drawMark(sign, ...middle(plan, cell), disc);
    const fresh = seen.fresh && cell === seen.last?.cell;
    const motion = fresh ? (plan.style === "rack" ? "drop" : "settle") : null;
    return draw("g", { class: motion, "data-piece": cell }, mark);
  });
  return present([
    ...drawGround(plan),
    ...drawTraps(plan, seen.values),
    ...drawTints(plan, seen),
    ...drawNames(plan, seen),
    ...marks,
    ...drawWon(plan, seen.won),
    ...drawTargets(plan, seen),
    ...drawValues(plan, seen),
  ]);
}

/** Return the picture of a board as a file of its own, in the colours of the page.
 * @param {SVGSVGElement} art */
export function copyArt(art) {
  const { width, height } = art.viewBox.baseVal;
  const copy = /** @type {SVGSVGElement} */ (art.cloneNode(true));
  copy.prepend(draw("rect", { width, height, look: "f-paper" }));
  copy.setAttribute("font-family", "system-ui, sans-serif");
  const style = getComputedStyle(document.documentElement);
  const text = new XMLSerializer().serializeToString(copy);
  const coloured = text.replace(/var\((.*?)\)/g, (_, name) => style.getPropertyValue(name).trim());
  return new Blob([coloured], { type: "image/svg+xml" });
}

/** @param {Layout} plan */
const isRound = ({ style }) => style === "rack" || style === "points" || style === "heaps";

function drawGround(/** @type {Layout} */ plan) {
  const { columns, rows, count, left, top, style } = plan;
  const [right, bottom] = [left + columns * UNIT, top + rows * UNIT];
  const cells = Array.from({ length: count }, (_, cell) => cell);
  if (style === "heaps") return [];
  if (style === "points") {
    const lines = plan.joined.map(([a, b]) =>
      drawLine(middle(plan, a), middle(plan, b), "s-rule", 1.5),
    );
    return [...lines, ...cells.map((cell) => spot(plan, cell, 4, "f-rule"))];
  }
  if (style === "rack") {
    const frame = {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      rx: 5,
      look: "f-rim",
    };
    return [draw("rect", frame), ...cells.map((cell) => spot(plan, cell, UNIT * 0.42, "f-paper"))];
  }
  if (style === "squares") {
    return cells.map((cell) => {
      const [x, y] = middle(plan, cell);
      const dark = (Math.round((y - top) / UNIT + 0.5) + plan.rows + (cell % columns)) % 2;
      return square(x, y, UNIT, dark ? "f-light" : "f-dark");
    });
  }
  const upright = Array.from({ length: columns - 1 }, (_, i) => left + (i + 1) * UNIT);
  const level = Array.from({ length: rows - 1 }, (_, i) => top + (i + 1) * UNIT);
  return [
    ...upright.map((x) => drawLine([x, top + 3], [x, bottom - 3], "s-rule", 1.2)),
    ...level.map((y) => drawLine([left + 3, y], [right - 3, y], "s-rule", 1.2)),
  ];
}

/** @param {Layout} plan @param {number} cell @param {number} r @param {string} look */
function spot(plan, cell, r, look, width = 0) {
  const [cx, cy] = middle(plan, cell);
  return draw("circle", { cx, cy, r, look, "stroke-width": width });
}

/** @param {number} x @param {number} y @param {number} size @param {string} look */
function square(x, y, size, look, rx = 0) {
  return draw("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx, look });
}

/** Return the backgrounds of the last move's cells, the selected cell and the one pointed at.
 * @param {Layout} plan @param {Seen} seen */
function drawTints(plan, { last, selected, hot }) {
  /** @param {number} cell @param {string} role */
  const tint = (cell, role) => {
    if (isRound(plan)) {
      return spot(plan, cell, UNIT * 0.455, `f-${role} s-${role}-edge`, 1.5);
    }
    const full = plan.style === "squares";
    return square(...middle(plan, cell), full ? UNIT : UNIT - 5, `f-${role}`, full ? 0 : 4);
  };
  return [
    ...present([last?.cell, last?.origin]).map((cell) => tint(cell, "tint")),
    ...present([...(hot ?? []), selected]).map((cell) => tint(cell, "hot")),
  ];
}

/** Shade the cells of moves by the share of the answers that are mistakes.
 * @param {Layout} plan @param {Valued[]} values */
function drawTraps(plan, values) {
  /** @type {Map<number, number>} */
  const most = new Map();
  for (const { cell, trap } of values) {
    if (cell !== null && trap) most.set(cell, Math.max(trap, most.get(cell) ?? 0));
  }
  const round = isRound(plan);
  return [...most].map(([cell, trap]) => {
    const full = plan.style === "squares" ? UNIT : UNIT - 3;
    const [x, y] = middle(plan, cell);
    const shape = round
      ? spot(plan, cell, UNIT * 0.455, "f-trap")
      : square(x, y, full, "f-trap", 4);
    shape.setAttribute("fill-opacity", (0.15 + 0.85 * trap).toFixed(2));
    return shape;
  });
}

/** Return the marks of the cells that the selected piece may move to.
 * @param {Layout} plan @param {Seen} seen */
function drawTargets(plan, { targets, marks, values }) {
  if (values.length) return [];
  return targets.map((cell) =>
    marks[cell] === "."
      ? spot(plan, cell, UNIT * 0.13, "f-accent")
      : spot(plan, cell, UNIT * 0.44, "none s-accent", 3),
  );
}

/** @param {Layout} plan @param {Seen} seen */
function drawNames(plan, { marks, values }) {
  const { columns, rows, left, style, height } = plan;
  const across = Array.from({ length: columns }, (_, i) => i);
  if (style === "squares" || style === "rack") {
    const below = across.map((i) => {
      const name = style === "rack" ? String(i + 1) : fileName(i);
      return drawText(name, left + (i + 0.5) * UNIT, height - 7, 9, "f-note");
    });
    if (style === "rack") return below;
    const ranks = Array.from({ length: rows }, (_, i) => i);
    const [x] = [left - 8];
    return [
      ...below,
      ...ranks.map((i) => drawText(String(rows - i), x, plan.top + (i + 0.5) * UNIT, 9, "f-note")),
    ];
  }
  if (!values.length || style === "heaps") return [];
  const [aside, up] = style === "points" ? [9, 16] : [15, 14.5];
  return [...marks].map((sign, cell) => {
    if (sign !== ".") return null;
    const [x, y] = middle(plan, cell);
    return drawText(cellName(plan, cell), x - aside, y - up, 7, "f-note");
  });
}

/** Return the highlight of the line that ended the game.
 * @param {Layout} plan @param {number[]} won */
function drawWon(plan, won) {
  if (!won.length) return [];
  if (plan.style !== "grid") {
    return won.map((cell) => spot(plan, cell, UNIT * 0.4, "none s-accent", 4));
  }
  const [start, end] = [middle(plan, won[0]), middle(plan, won[won.length - 1])];
  const line = drawLine(toward(start, end, -13), toward(end, start, -13), "s-accent", 3);
  return [line];
}

/**
 * Return the values of moves: that of a placement on its cell, that of a piece's move at the tip of
 * a line. If several placements go to one cell, the best one's is shown. If all moves tie, none has
 * a second outline.
 * @param {Layout} plan @param {Seen} seen
 */
function drawValues(plan, { marks, values, best }) {
  /** @type {SVGElement[]} */
  const lines = [];
  /** @type {SVGElement[]} */
  const badges = [];
  values.forEach((move, i) => {
    const earlier = values.slice(0, i).some((other) => other.cell === move.cell);
    if (move.cell === null || (move.origin === null && earlier)) return;
    let place = middle(plan, move.cell);
    let radius = UNIT * (plan.style === "rack" ? 0.31 : 0.28);
    if (move.origin !== null) {
      const from = middle(plan, move.origin);
      const shared = values.filter((other) => other.cell === move.cell).length > 1;
      if (shared) [place, radius] = [toward(place, from, UNIT * 0.42), UNIT * 0.17];
      else if (marks[move.cell] !== ".")
        [place, radius] = [toward(place, from, UNIT * 0.33), UNIT * 0.22];
      const start = toward(from, place, UNIT * 0.2);
      lines.push(
        drawLine(start, place, "s-paper", 4.5),
        drawLine(start, place, `s-${move.outcome}`, 2.5),
      );
    }
    const tied = best.length < values.length && best.includes(move.move);
    badges.push(drawBadge(move.outcome, move.distance, ...place, radius, tied));
  });
  return [...lines, ...badges.reverse()];
}
