/**
 * One side's perfect play on 3x3 cells as one nested picture, in the manner of xkcd 832.
 *
 * Each cell that the opponent can take contains a smaller board with the side's answer, and so on.
 * A cell of the outermost board measures 30.
 */

/** @import { Known, Move, Plan, Point, Square } from "./types.d.ts" */
/** @import { Session } from "./session.js" */
/** @import { WholeGame } from "../npm/perfectplay.js" */

import { draw, sure } from "./dom.js";

const PART = 30;
const INNER = 0.29; // side of a nested board, as a share of the board around it
const RAISED = 0.7; // how far above the centre of its cell it is, to leave room for the word

/** The side of the outermost board. */
export const WHOLE = 3 * PART;

/** Return the plan of a side, by the best moves of a game as a whole.
 * @param {WholeGame} whole @param {string} start @param {string} reader */
export function planSide(whole, start, reader) {
  /** @type {(known: Known, move: Move) => Known} */
  const next = (known, move) => whole.after(known, move);
  /** @type {(before: Known, move: Move | null) => Plan} */
  const follow = (before, move) => {
    const after = move ? next(before, move) : before;
    const replies = after.moves.map((reply) => {
      const met = next(after, reply);
      const plan = follow(met, met.moves[0] ?? null);
      return { cell: sure(reply.cell), label: reply.label, plan };
    });
    return { before, move, after, reader, replies };
  };
  const known = sure(whole.explain(start));
  return follow(known, known.turn === reader ? known.moves[0] : null);
}

/** Return the number of boards in a plan. @param {Plan} plan @returns {number} */
export function countPlans(plan) {
  return plan.replies.reduce((sum, reply) => sum + countPlans(reply.plan), 1);
}

/** Return the place of a nested board in the board around it: {x, y, scale}. @param {number} cell */
function nest(cell) {
  const half = (INNER * WHOLE) / 2;
  const column = cell % 3;
  const row = (cell - column) / 3;
  return {
    x: column * PART + PART / 2 - half,
    y: row * PART + PART / 2 - half - RAISED,
    scale: INNER,
  };
}

/** Return how a plan's game ended: "won", "draw" or "lost" for its side, or null.
 * @param {Plan} plan */
export function endOf({ after, reader }) {
  if (after.moves.length) return null;
  if (!after.winner) return "draw";
  return after.winner === reader ? "won" : "lost";
}

/** Return the picture of a plan. @param {Plan} plan */
export function drawPlan(plan) {
  const end = endOf(plan);
  /** @type {SVGElement[]} */
  const shapes = [];
  if (end === "won" || end === "lost")
    shapes.push(draw("rect", { x: -1, y: -1, width: 92, height: 92, class: `map-${end}` }));
  shapes.push(draw("path", { d: "M30 2V88M60 2V88M2 30H88M2 60H88", class: "map-grid" }));
  [...sure(plan.before.marks)].forEach((sign, cell) => {
    if (sign !== ".") shapes.push(drawStroke(sign, cell, 8, "map-mark"));
  });
  if (plan.move) {
    const cell = sure(plan.move.cell);
    shapes.push(drawStroke(sure(plan.after.marks)[cell], cell, 10, "map-new"));
  }
  if (end) shapes.push(...drawEnd(plan, end));
  for (const { cell, plan: inside } of plan.replies) {
    const { x, y, scale } = nest(cell);
    const group = draw(
      "g",
      { transform: `translate(${x.toFixed(3)} ${y.toFixed(3)})scale(${scale})` },
      drawPlan(inside),
    );
    shapes.push(group);
  }
  return shapes;
}

/** @param {Plan} plan @param {string} end */
function drawEnd(plan, end) {
  const word = draw("text", { x: 45, y: 97, class: "map-word" }, end);
  const line = plan.after.won;
  if (!line.length) return [word];
  const [[x1, y1], [x2, y2]] = [middleOf(line[0]), middleOf(line[line.length - 1])];
  return [
    draw("path", { d: `M${x1} ${y1}L${x2} ${y2}`, class: `map-struck map-struck-${end}` }),
    word,
  ];
}

/** @type {(cell: number) => Point} */
const middleOf = (cell) => [(cell % 3) * PART + PART / 2, Math.floor(cell / 3) * PART + PART / 2];

/** @param {string} sign @param {number} cell @param {number} r @param {string} look */
function drawStroke(sign, cell, r, look) {
  const [x, y] = middleOf(cell);
  if (sign === "O") return draw("circle", { cx: x, cy: y, r, class: look });
  return draw("path", {
    d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`,
    class: look,
  });
}

/** Return the path to the game that is shown, as far as it follows a plan.
 * @param {Session} session @param {Plan} first */
export function pathOf({ plies, at }, first) {
  const path = [];
  let plan = first;
  for (const { played, known } of plies.slice(1, at + 1)) {
    if (known.turn !== first.reader) {
      if (played?.move !== plan.move?.move) break;
    } else {
      const reply = plan.replies.find(({ cell }) => cell === played?.cell);
      if (!reply) break;
      path.push(reply.cell);
      plan = reply.plan;
    }
  }
  return path;
}

/** Return the place of the board after a path. @param {number[]} path @returns {Square} */
export function placeOf(path) {
  let [x, y, side] = [0, 0, WHOLE];
  for (const cell of path) {
    const at = nest(cell);
    [x, y, side] = [x + (at.x * side) / WHOLE, y + (at.y * side) / WHOLE, side * at.scale];
  }
  return [x, y, side];
}
