/** A board as one picture: background, pieces, the last move, the values of moves. */

/** @import { Listing, Move, Outcome, Point, Seen, Value, Valued } from "./types.d.ts" */
/** @typedef {ReturnType<typeof planBoard>} Layout where the cells are in the picture */

import { byId, draw, present } from "./dom.js";
import { codeOf } from "./seats.js";
import { movesIn } from "./words.js";

/** The sizes of what Python has drawn. @type {{cell: number, edge: number, margin: number}} */
const SIZES = JSON.parse(byId("data").textContent).sizes;
export const UNIT = SIZES.cell;

/** Return the plan of the board of a listing. @param {Listing} listing */
export function planBoard(listing) {
  const { board, style, places, marks } = listing;
  const [columns, rows] = board ?? [0, 1].map((i) => Math.max(...places.map((at) => at[i])) + 1);
  const count = places.length || columns * rows;
  const { edge: top, margin } = SIZES;
  const left = style === "squares" ? margin : top;
  const foot = style === "squares" || style === "rack" ? margin : top;
  const [width, height] = [left + columns * UNIT + top, top + rows * UNIT + foot];
  const round = style === "rack" || style === "points" || style === "heaps";
  const discs = round || /W/.test(marks ?? ""); // pieces without letters
  return { ...listing, columns, rows, count, left, top, width, height, round, discs };
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
  return `${String.fromCharCode(97 + across)}${plan.rows - (cell - across) / plan.columns}`;
}

/** Return one of the signs in the page's HTML, which Python has drawn around (0, 0).
 * @param {string} name @param {Point} at */
const drawSign = (name, [x, y], scale = 1) =>
  draw("use", { href: `#${name}`, transform: `translate(${x} ${y})scale(${scale})` });

/** Return a mark or a piece; one that Python has not drawn, as its letter.
 * @param {string} sign @param {Point} at */
function drawMark(sign, at, disc = false, scale = 1) {
  const name = `${disc && "XOWb".includes(sign) ? "disc" : "mark"}-${sign}`;
  if (document.getElementById(name)) return drawSign(name, at, scale);
  return drawText(sign, at, UNIT * 0.42 * scale, "f-ink", 700);
}

/** Return a line of text centred at a point.
 * @param {string} text @param {Point} at @param {number} size @param {string} look */
function drawText(text, [x, y], size, look, weight = 400) {
  const place = { x, y, dy: "0.35em", "text-anchor": "middle" };
  return draw("text", { ...place, "font-size": size, "font-weight": weight, look }, text);
}

/** Return the value of a move: W2 in a circle wins in 2 moves, D in a square draws, L1 in a diamond
 * loses in 1. Those of the best moves have a second outline. `distance` is in plies.
 * @param {Value<Outcome>} value @param {Point} at @param {number} radius */
function drawBadge({ outcome, distance }, at, radius, best = false) {
  const word = outcome[0].toUpperCase() + (distance === null ? "" : movesIn(distance));
  const sign = drawSign(`${best ? "best" : "value"}-${outcome}`, at, radius / (UNIT / 4));
  const text = drawText(word, at, radius * (word.length < 3 ? 1 : 0.8), "f-on-value", 700);
  return draw("g", { class: "badge" }, sign, text);
}

/** Return a value as a small picture for a line of text.
 * @param {Value<Outcome>} value */
export const valueIcon = (value, best = false) => drawIcon(drawBadge(value, [0, 0], 13, best));

/** Return a sign as a small picture. @param {SVGElement} sign */
const drawIcon = (sign) =>
  draw("svg", { class: "icon", viewBox: "-20 -20 40 40", "aria-hidden": "true" }, sign);

/** Return a small picture of a side of a listing, to go before its name; "" if it has none.
 * @param {string} seat @param {Listing} listing */
export function sideIcon(seat, listing) {
  const { seats, marks } = listing;
  const code = codeOf(listing, seat);
  const pieces = (marks ?? "").match(seat === seats[0] ? /[A-Z]/g : /[a-z]/g);
  const piece = pieces?.find((each) => /k/i.test(each)) ?? pieces?.[0];
  const sign = code === "X" || code === "O" ? code : piece;
  return sign ? drawIcon(drawMark(sign, [0, 0], planBoard(listing).discs, 1.1)) : "";
}

/** Return the point at a distance from one point on the way to another.
 * @param {Point} from @param {Point} to @param {number} far @returns {Point} */
function toward([x1, y1], [x2, y2], far) {
  const share = far / (Math.hypot(x2 - x1, y2 - y1) || 1);
  return [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
}

/** @param {Point} from @param {Point} to @param {string} look @param {number} width */
function drawLine(from, to, look, width) {
  const line = { look, "stroke-width": width, "stroke-linecap": "round" };
  return draw("path", { d: `M${from}L${to}`, ...line });
}

/** Return a board as one picture. @param {Layout} plan @param {SVGElement[]} parts */
export const drawFrame = ({ width, height }, parts = []) =>
  draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, parts);

/** Return a small picture of a position. @param {Listing} listing @param {string} marks
 * @param {Pick<Seen, "ring" | "bars">} [more] */
export function drawSmall(listing, marks, more) {
  const plan = planBoard(listing);
  const seen = { marks, won: [], targets: [], values: [], best: [], ...more };
  return drawFrame(plan, drawBoard(plan, seen));
}

/** Return the parts of the picture of a board. @param {Layout} plan @param {Seen} seen */
export function drawBoard(plan, seen) {
  const { ghost } = seen;
  const marks = [...seen.marks].map((sign, cell) => {
    if (ghost?.marks && cell === ghost.cell)
      return draw("g", { opacity: 0.45 }, drawMark(ghost.marks[cell], middle(plan, cell), true));
    if (sign === "." || seen.bars?.some((bar) => bar.cells.includes(cell))) return null;
    const mark = drawMark(sign, middle(plan, cell), plan.discs);
    const origin = seen.last?.origin ?? null;
    const fresh = seen.fresh && cell === seen.last?.cell;
    const motion = plan.style === "rack" ? "drop" : origin === null ? "settle" : "glide";
    const faint = seen.won.length && !seen.won.includes(cell) ? 0.7 : null;
    const attributes = { class: fresh ? motion : null, "data-piece": cell, opacity: faint };
    const piece = draw("g", attributes, mark);
    if (fresh && origin !== null) {
      const [x, y] = middle(plan, cell);
      const [from, above] = middle(plan, origin);
      piece.style.setProperty("--from", `translate(${from - x}px, ${above - y}px)`);
    }
    return piece;
  });
  return present([
    drawSign(`board-${plan.game}`, [0, 0]),
    ...drawTints(plan, seen),
    ...drawHints(plan, seen),
    ...drawNames(plan, seen),
    ...marks,
    ...drawBars(plan, seen),
    ...drawExits(plan, seen),
    ...drawWon(plan, seen),
    seen.ring && spot(plan, seen.ring.cell, UNIT * 0.44, `none s-${seen.ring.role}`, 2.5),
    ...drawTargets(plan, seen),
    ...drawValues(plan, seen),
  ]);
}

/** Return the dominoes that are known, in the colours of their sides. @param {Layout} plan @param {Seen} seen */
const drawBars = (plan, { bars = [] }) =>
  bars.map(({ cells: [a, b], side }, i) => {
    const [[x, y], [x2, y2]] = [middle(plan, a), middle(plan, b)];
    const size = { width: x2 - x + UNIT * 0.86, height: y2 - y + UNIT * 0.86, rx: 6 };
    const place = { x: x - UNIT * 0.43, y: y - UNIT * 0.43, ...size, "stroke-width": 3 };
    return draw("rect", {
      ...place,
      look: `f-${"xo"[side]}${i + 1 < bars.length ? "" : " s-tint-edge"}`,
    });
  });

/** Return an arrow for each move off the board: White's cars drive up, Black's to the right.
 * @param {Layout} plan @param {Seen} seen */
const drawExits = (plan, { exits = [], marks }) =>
  exits.map((cell) => {
    const [x, y] = middle(plan, cell);
    const turn = marks[cell] === "W" ? 0 : 90;
    const transform = `translate(${x} ${y})rotate(${turn})`;
    return draw("path", { d: "M-6-11 0-19 6-11Z", transform, look: "f-accent s-paper" });
  });

/** @param {Layout} plan @param {number} cell @param {number} r @param {string} look */
function spot(plan, cell, r, look, width = 0) {
  const [cx, cy] = middle(plan, cell);
  return draw("circle", { cx, cy, r, look, "stroke-width": width });
}

/** Return the background of a cell. @param {Layout} plan @param {number} cell @param {string} role */
function cover(plan, cell, role, edge = "") {
  if (plan.round) return spot(plan, cell, UNIT * 0.455, `f-${role} ${edge}`, 1.5);
  const [x, y] = middle(plan, cell);
  const [side, rx] = plan.style === "squares" ? [UNIT - 2, 0] : [UNIT - 4, 4];
  const place = { x: x - side / 2, y: y - side / 2, width: side, height: side, rx };
  return draw("rect", { ...place, look: `f-${role} ${edge}`, "stroke-width": 1 });
}

/** Return the backgrounds of the last move's cells, the selected cell and the one pointed at.
 * @param {Layout} plan @param {Seen} seen */
function drawTints(plan, { last, selected, hot }) {
  const moved = present([last?.cell, last?.origin]);
  const chosen = present([...(hot ?? []), selected]);
  return [
    ...moved.map((cell) =>
      cover(plan, cell, "tint", plan.style === "rack" ? "s-ink" : "s-tint-edge"),
    ),
    ...chosen.map((cell) => cover(plan, cell, "hot", "s-accent")),
  ];
}

/** Tint the cells of moves as the best move there, or from there, ends; of the best ones, with a ring.
 * @param {Layout} plan @param {Seen} seen */
function drawHints(plan, { values, best, from, badge = 8 }) {
  /** @type {Map<number, Valued>} */
  const first = new Map();
  for (const move of values) {
    const cell = move.origin === null || move.origin === from ? move.cell : move.origin;
    if (cell !== null && !first.has(cell)) first.set(cell, move);
  }
  return [...first].map(([cell, move]) => {
    const shape = cover(plan, cell, move.outcome);
    shape.setAttribute("fill-opacity", "0.16");
    if (move.cell === cell && best.includes(move.move) && best.length < values.length) {
      shape.setAttribute("stroke", `var(--${plan.style === "rack" ? "ink" : move.outcome})`);
      shape.setAttribute("stroke-width", String(badge / 4));
    }
    return shape;
  });
}

/** Return the marks of the cells that the selected piece may move to.
 * @param {Layout} plan @param {Seen} seen */
function drawTargets(plan, { targets, marks, values }) {
  if (values.length) return [];
  return targets.map((cell) =>
    marks[cell] === "."
      ? spot(plan, cell, UNIT * 0.13, "f-accent s-paper", 1.5)
      : spot(plan, cell, UNIT * 0.44, "none s-accent", 3),
  );
}

/** Return the short names of the moves to cells that have one, where texts use them.
 * @param {Move[]} moves @returns {Map<number, string>} */
export function labelsOf(moves) {
  const placed = moves.filter(({ cell, origin }) => cell !== null && origin === null);
  const cells = placed.map(({ cell }) => cell);
  const named = placed.filter(({ cell, label }) => {
    const isOnly = cells.indexOf(cell) === cells.lastIndexOf(cell);
    return isOnly && /^\w{1,2}$/.test(label);
  });
  return new Map(named.map(({ cell, label }) => [Number(cell), label]));
}

/** Return the names of the empty cells, where a text uses them: those of the moves there, or numbers.
 * @param {Layout} plan @param {Seen} seen */
function drawNames(plan, { marks, values, named, labels, badge = 8 }) {
  if (!(values.length || named) || (plan.style !== "grid" && plan.style !== "points")) return [];
  const size = Math.min(7, Math.max(4.5, badge));
  const [aside, up] = plan.style === "points" ? [9, 16] : [17 - size / 2, 16.5 - size / 2];
  return [...marks].map((sign, cell) => {
    if (sign !== ".") return null;
    const [x, y] = middle(plan, cell);
    const name = labels?.get(cell) ?? cellName(plan, cell);
    return drawText(name, [x - aside, y - up], size, values.length ? "f-ink" : "f-note");
  });
}

/** Return the line that ended the game, in the colour of its marks; on other boards, rings.
 * @param {Layout} plan @param {Seen} seen */
function drawWon(plan, { won, marks, fresh }) {
  if (!won.length) return [];
  if (plan.style !== "grid") {
    return won.map((cell) => spot(plan, cell, UNIT * 0.4, "none s-ink", 4));
  }
  const sign = marks[won[0]];
  const look = "XO".includes(sign) ? `s-${sign.toLowerCase()}` : "s-ink";
  const [start, end] = [middle(plan, won[0]), middle(plan, won[won.length - 1])];
  const line = drawLine(toward(start, end, -13), toward(end, start, -13), look, 3);
  line.setAttribute("pathLength", "1");
  if (fresh) line.setAttribute("class", "strike");
  return [line];
}

/**
 * Return the values of moves: that of a placement in the corner of its cell, or in the middle of a
 * hole, that of a piece's best move in the corner of the piece's, those of the piece that is pointed
 * at at the tips of lines. If several placements go to one cell, the best one's is shown. If all
 * moves tie, none has a wide outline.
 * @param {Layout} plan @param {Seen} seen
 */
function drawValues(plan, { marks, values, best, from, badge = 8 }) {
  /** @type {SVGElement[]} */
  const lines = [];
  /** @type {SVGElement[]} */
  const badges = [];
  const resting = values.filter(
    ({ origin }, i) =>
      origin !== null && origin !== from && values.findIndex((v) => v.origin === origin) === i,
  );
  const shown = values
    .filter((move) => move.origin === null || move.origin === from || resting.includes(move))
    .map((move) => (resting.includes(move) ? { ...move, cell: move.origin, origin: null } : move));
  shown.forEach((move, i) => {
    const earlier = shown.slice(0, i).some((other) => other.cell === move.cell);
    if (move.cell === null || (move.origin === null && earlier)) return;
    let place = middle(plan, move.cell);
    let radius = badge;
    if (move.origin === null) {
      const isHole = plan.round && marks[move.cell] === "."; // whose middle is free
      const aside = isHole ? 0 : UNIT / 2 - 1.4 * radius - 1;
      place = [place[0] + aside, place[1] - aside];
    } else {
      const start = middle(plan, move.origin);
      const many = shown.filter((other) => other.cell === move.cell).length > 1;
      if (many) [place, radius] = [toward(place, start, UNIT * 0.42), Math.min(badge, UNIT * 0.17)];
      else if (marks[move.cell] !== ".") place = toward(place, start, UNIT * 0.33);
      const begin = toward(start, place, UNIT * 0.2);
      lines.push(
        drawLine(begin, place, "s-paper", 4.5),
        drawLine(begin, place, `s-${move.outcome}`, 2.5),
      );
    }
    const tied = best.length < values.length && best.includes(move.move);
    badges.push(drawBadge(move, place, radius, tied));
  });
  return [...lines, ...badges.reverse()];
}
