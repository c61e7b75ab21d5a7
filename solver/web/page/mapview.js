/**
 * The view of the strategy map: zoomed by wheel, pinch, click or buttons, dragged, and walked reply by
 * reply. It shows where in it the game that is played stands.
 */

/** @import { Plan, Point, Square } from "./types.d.ts" */
/** @import { Said } from "./address.js" */
/** @import { Session } from "./session.js" */

import { byId, calm, draw, make, makeButton, sure } from "./dom.js";
import { countPlans, drawPlan, endOf, pathOf, placeOf, planSide, WHOLE } from "./map.js";
import { ORDER } from "./words.js";

const AROUND = 5; // margin around what is shown, where the whole measures 90
const FULL = WHOLE + 2 * AROUND;
const DEEPEST = 0.35; // smallest side of what is shown
const GLIDE = 350; // milliseconds
const CLICK = 6; // pixels that a pointer may move in a click
const NOTCH = 0.0015; // zoom for each pixel of a wheel
const ENDS = { won: "has won", draw: "has a draw", lost: "has lost" };

export class MapView {
  /** @type {Session | null} */ session = null;
  /** @type {Plan | null} */ plan = null;
  svg = draw("svg");
  /** @type {Square} */
  box = [0, 0, 0]; // of the picture that is shown; its side is 0 at first
  /** @type {number[]} */ path = [];
  /** @type {number[]} */ here = [];
  /** @type {Map<number, PointerEvent>} */ pointers = new Map();
  frame = 0;

  /** `changed()` is called when the address may need an update. @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.listen("zoom-in", () => this.zoom(0.5));
    this.listen("zoom-out", () => this.zoom(2));
    this.listen("zoom-all", () => this.walk([]));
    this.listen("zoom-here", () => this.walk(this.here));
  }

  /** Run a button's action once there is a map. @param {string} id @param {() => void} action */
  listen(id, action) {
    byId(id).addEventListener("click", () => this.session && action());
  }

  leave() {
    this.session = null;
    this.path = [];
    this.here = [];
    this.pointers = new Map();
  }

  /** Show a game's map: for a side, by default the reader's, at a path of replies.
   * @param {Session} session @param {Pick<Said, "side" | "path">} place */
  enter(session, { side, path } = {}) {
    const { seats } = session.engine.listing;
    const same = this.session?.engine === session.engine && !side && !path;
    const usual = same && this.plan ? this.plan.reader : seats[session.reader ?? 0];
    const seat = seats.find((name) => name === side) ?? usual;
    this.session = session;
    const radio = (/** @type {string} */ name) =>
      make(
        "label",
        {},
        make("input", {
          type: "radio",
          name: "map-side",
          value: name,
          checked: name === seat,
          onchange: () => this.show(name, []),
        }),
        make("span", {}, name),
      );
    byId("map-sides").replaceChildren(make("legend", {}, "Side"), ...seats.map(radio));
    const asked = (path ?? "")
      .split(",")
      .filter(Boolean)
      .map((cell) => Number(cell) - 1);
    this.show(seat, same ? this.path : asked);
  }

  /** @param {string} seat @param {number[]} path */
  show(seat, path) {
    const session = sure(this.session);
    const { listing, whole } = session.engine;
    const plan = planSide(sure(whole), listing.start, seat);
    this.plan = plan;
    this.here = pathOf(session, plan);
    this.svg = draw(
      "svg",
      { role: "img", "aria-label": `The perfect play of ${seat} as nested boards` },
      drawPlan(plan),
      this.drawHere(),
    );
    byId("map").replaceChildren(this.svg);
    byId("zoom-here").hidden = !this.here.length;
    const begins = plan.move ? "Play the large blue mark. Then find" : "Find";
    const ways = ["puts off the loss", "never loses", "wins"];
    const order = ORDER[sure(listing.outcome)] * (seat === listing.seats[0] ? 1 : -1);
    byId("map-how").textContent =
      `${begins} the cell that ${this.rival} takes: the board in it shows how ${seat} answers, in blue, and so on. ` +
      `Who follows it ${ways[order + 1]}. ${countPlans(plan)} boards in all; blue ones are won.`;
    this.box = [0, 0, 0];
    this.listenTo(this.svg);
    this.walk(path);
  }

  /** The keys of the address that describe the place. */
  said() {
    if (!this.session) return {};
    return { side: this.plan?.reader, path: this.path.map((cell) => cell + 1).join(",") };
  }

  drawHere() {
    if (!this.here.length) return null;
    const [x, y, side] = placeOf(this.here);
    const frame = { x, y, width: side, height: side, class: "map-here", "stroke-width": side / 30 };
    return draw("rect", frame, draw("title", {}, "You are here"));
  }

  /** Show the board after a path of replies, which are cells from 0; it ends where there is none.
   * @param {number[]} path */
  walk(path) {
    this.path = [];
    let plan = sure(this.plan);
    const said = plan.move ? [`${plan.reader} ${plan.move.label}`] : [];
    for (const cell of path) {
      const reply = plan.replies.find((one) => one.cell === cell);
      if (!reply) break;
      this.path.push(cell);
      plan = reply.plan;
      said.push(
        `${this.rival} ${reply.label}${plan.move ? `, ${plan.reader} ${plan.move.label}` : ""}`,
      );
    }
    const end = endOf(plan);
    const last = end ? `${plan.reader} ${ENDS[end]}.` : `Now ${this.rival} can take:`;
    const moves = said.join("; ");
    byId("map-where").textContent = [moves && `${moves}.`, last].filter(Boolean).join(" ");
    this.listReplies(plan);
    const [x, y, side] = placeOf(this.path);
    const gap = (AROUND * side) / WHOLE;
    this.look([x - gap, y - gap, side + 2 * gap]);
    this.changed();
  }

  get rival() {
    return sure(this.session).engine.listing.seats.find((name) => name !== this.plan?.reader);
  }

  listReplies(/** @type {Plan} */ plan) {
    const place = byId("map-replies");
    const focused = place.contains(document.activeElement);
    /** @param {number[]} path @param {string} text @param {string} name */
    const step = (path, text, name) =>
      makeButton(text, { "aria-label": name, onclick: () => this.walk(path) });
    const ordered = [...plan.replies].sort((a, b) => a.cell - b.cell);
    const replies = ordered.map(({ cell, label }) =>
      step([...this.path, cell], label, `${this.rival} takes ${label}`),
    );
    const back = this.path.length
      ? [step(this.path.slice(0, -1), "Back", "back to the board around")]
      : [];
    place.replaceChildren(...replies, ...back);
    if (focused) place.querySelector("button")?.focus();
  }

  /** Show a square of the picture, gliding there. @param {Square} goal */
  look(goal) {
    const start = this.box[2] ? this.box : goal;
    const begun = performance.now();
    cancelAnimationFrame(this.frame);
    const glide = (/** @type {number} */ now) => {
      const part = calm() || !this.svg.isConnected ? 1 : Math.min(1, (now - begun) / GLIDE);
      const eased = part * part * (3 - 2 * part);
      const at = (/** @type {0 | 1 | 2} */ i) => start[i] + (goal[i] - start[i]) * eased;
      this.set([at(0), at(1), at(2)]);
      if (part < 1) this.frame = requestAnimationFrame(glide);
    };
    glide(begun);
  }

  set(/** @type {Square} */ box) {
    this.box = box;
    const [x, y, side] = box;
    this.svg.setAttribute("viewBox", `${x} ${y} ${side} ${side}`);
  }

  /** Return the square after zooming about a point of the picture, within the whole.
   * @param {number} factor @param {Point} point */
  zoomed(factor, [px, py]) {
    const [x, y, side] = this.box;
    const next = Math.min(FULL, Math.max(DEEPEST, side * factor));
    const share = next / side;
    return this.within([px - (px - x) * share, py - (py - y) * share, next]);
  }

  /** @param {Square} square @returns {Square} */
  within([x, y, side]) {
    /** @param {number} at */
    const clamp = (at) => Math.min(FULL - AROUND - side, Math.max(-AROUND, at));
    return [clamp(x), clamp(y), side];
  }

  zoom(/** @type {number} */ factor) {
    const [x, y, side] = this.box;
    this.look(this.zoomed(factor, [x + side / 2, y + side / 2]));
  }

  /** Return the point of the picture under a pointer. @param {MouseEvent} event @returns {Point} */
  pointAt({ clientX, clientY }) {
    const frame = this.svg.getBoundingClientRect();
    const [x, y, side] = this.box;
    return [
      x + ((clientX - frame.left) / frame.width) * side,
      y + ((clientY - frame.top) / frame.height) * side,
    ];
  }

  listenTo(/** @type {SVGSVGElement} */ svg) {
    let moved = 0;
    const spread = () => {
      const [a, b] = [...this.pointers.values()];
      return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    };
    svg.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        cancelAnimationFrame(this.frame);
        this.set(this.zoomed(Math.exp(event.deltaY * NOTCH), this.pointAt(event)));
      },
      { passive: false },
    );
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      if (!this.pointers.size) moved = 0;
      this.pointers.set(event.pointerId, event);
      cancelAnimationFrame(this.frame);
    });
    svg.addEventListener("pointermove", (event) => {
      const before = this.pointers.get(event.pointerId);
      if (!before) return;
      moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      if (this.pointers.size > 1) {
        const apart = spread();
        this.pointers.set(event.pointerId, event);
        this.set(this.zoomed(apart / spread(), this.pointAt(event)));
      } else if (moved > CLICK) {
        const [from, to] = [this.pointAt(before), this.pointAt(event)];
        const [x, y, side] = this.box;
        this.set(this.within([x + from[0] - to[0], y + from[1] - to[1], side]));
      }
      this.pointers.set(event.pointerId, event);
    });
    const end = (/** @type {PointerEvent} */ event) => {
      const held = this.pointers.delete(event.pointerId);
      if (held && event.type === "pointerup" && moved <= CLICK && !this.pointers.size)
        this.enterAt(event);
    };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
  }

  /** Go to the board at a point, one step further than the shown one. @param {MouseEvent} event */
  enterAt(event) {
    const [px, py] = this.pointAt(event);
    let plan = sure(this.plan);
    const path = [];
    for (let depth = 0; depth <= this.path.length; depth += 1) {
      const [x, y, side] = placeOf(path);
      const column = Math.floor(((px - x) / side) * 3);
      const row = Math.floor(((py - y) / side) * 3);
      const inside = column >= 0 && column < 3 && row >= 0 && row < 3;
      const reply = inside && plan.replies.find(({ cell }) => cell === row * 3 + column);
      if (!reply) break;
      path.push(reply.cell);
      plan = reply.plan;
      if (reply.cell !== this.path[depth]) break;
    }
    this.walk(path);
  }
}
