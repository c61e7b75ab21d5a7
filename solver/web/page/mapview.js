/**
 * The view of the strategy map: drawn here for tic-tac-toe, so that users can step through it reply
 * by reply, and a server's picture for other games on 3x3 cells.
 */

import { byId, calm, draw, make } from "./dom.js";
import { reach } from "./engines.js";
import { WHOLE, countPlans, drawPlan, endOf, nest, planSide } from "./map.js";

const AROUND = 5; // margin around what is shown, where the whole measures 90
const DEEPEST = 0.35; // smallest side of what is shown
const GLIDE = 350; // milliseconds
const ENDS = { won: "has won", draw: "has a draw", lost: "has lost" };
const HOW = {
  X: "Play the large blue mark. Then find the cell that O takes: the board in it shows what to play next, and so on.",
  O: "Find the cell that X takes: the board in it shows how O answers, in blue. Then look in that board, and so on.",
};

export class MapView {
  constructor(told) {
    this.told = told;
    this.engine = null;
    byId("zoom-in").addEventListener("click", () => this.zoom(0.5));
    byId("zoom-out").addEventListener("click", () => this.zoom(2));
    byId("zoom-all").addEventListener("click", () => this.walk([]));
  }

  leave() {
    this.engine = null;
  }

  enter(engine) {
    if (this.engine === engine) return;
    this.engine = engine;
    const { seats } = engine.listing;
    const radio = (seat, i) =>
      make(
        "label",
        {},
        make("input", {
          type: "radio",
          name: "map-side",
          value: seat,
          checked: i === 0,
          onchange: () => this.show(seat),
        }),
        make("span", {}, seat),
      );
    byId("map-sides").replaceChildren(make("legend", {}, "Side"), ...seats.map(radio));
    this.show(seats[0]);
  }

  async show(seat) {
    byId("map-replies").replaceChildren();
    byId("map-where").textContent = "";
    byId("map-sides").hidden = byId("zoom-in").parentElement.hidden = false;
    const { board, style } = this.engine.listing;
    if (this.engine.table) this.drawLocal(seat);
    else if (String(board) === "3,3" && ["grid", "rack"].includes(style)) await this.fetchPicture(seat);
    else this.drawNone("only games that fill the cells of a 3x3 board have one");
  }

  drawLocal(seat) {
    this.plan = planSide(this.engine.table, seat);
    this.svg = draw(
      "svg",
      { role: "img", "aria-label": `The perfect play of ${seat} as nested boards` },
      drawPlan(this.plan),
    );
    this.image = null;
    byId("map").replaceChildren(this.svg);
    byId("map-how").textContent =
      `${HOW[seat]} Who follows it never loses. ${countPlans(this.plan)} boards in all; blue ones are won.`;
    this.box = null;
    this.walk([]);
    this.svg.addEventListener("click", (event) => this.enterAt(event));
  }

  /** Show the server's picture, or why there is none. */
  async fetchPicture(seat) {
    const { engine } = this;
    const address = engine.mapAddress(seat);
    this.svg = null;
    byId("map-how").textContent = "One moment …";
    try {
      const response = await reach(address);
      if (engine !== this.engine) return;
      const said = response.ok ? null : (await response.json().catch(() => null))?.error;
      if (!response.ok) throw new Error(said ?? `The server answered ${response.status}.`);
      this.width = 100;
      this.image = make("img", { src: address, alt: `The perfect play of ${seat} as nested boards` });
      byId("map").replaceChildren(this.image);
      this.widen(100);
      byId("map-how").textContent =
        "In each cell that the other side can take, a smaller board shows the answer.";
    } catch (error) {
      this.drawNone(error.message);
      if (error.again) this.told.failed(error, () => this.show(seat));
    }
  }

  /** Say why there is no map. */
  drawNone(reason) {
    byId("map").replaceChildren();
    byId("map-sides").hidden = byId("zoom-in").parentElement.hidden = true;
    this.image = this.svg = null;
    byId("map-how").textContent = `No map: ${reason.replace(/\.$/, "")}.`;
  }

  /** Show the board after a path of replies, which are cells from 0. */
  walk(path) {
    if (this.image) this.widen(100);
    if (!this.svg) return;
    this.path = path;
    let plan = this.plan;
    let [x, y, side] = [0, 0, WHOLE];
    const said = [];
    for (const cell of path) {
      const at = nest(cell);
      [x, y, side] = [x + (at.x * side) / WHOLE, y + (at.y * side) / WHOLE, side * at.scale];
      plan = plan.replies.find((reply) => reply.cell === cell).plan;
      said.push(
        `${this.rival} ${cell + 1}${plan.move === null ? "" : `, ${plan.reader} ${plan.move + 1}`}`,
      );
    }
    const first = this.plan.move === null ? [] : [`${this.plan.reader} ${this.plan.move + 1}`];
    const moves = [...first, ...said].join("; ");
    const end = endOf(plan);
    const last = end ? `${plan.reader} ${ENDS[end]}.` : `Now ${this.rival} can take:`;
    byId("map-where").textContent = [moves && `${moves}.`, last].filter(Boolean).join(" ");
    this.listReplies(plan);
    const gap = (AROUND * side) / WHOLE;
    this.look([x - gap, y - gap, side + 2 * gap]);
  }

  get rival() {
    return this.plan.reader === "X" ? "O" : "X";
  }

  listReplies(plan) {
    const place = byId("map-replies");
    const focused = place.contains(document.activeElement);
    const step = (path, text, name) =>
      make("button", { type: "button", "aria-label": name, onclick: () => this.walk(path) }, text);
    const replies = plan.replies.map(({ cell }) =>
      step([...this.path, cell], String(cell + 1), `${this.rival} takes ${cell + 1}`),
    );
    const back = this.path.length ? [step(this.path.slice(0, -1), "Back", "back to the board around")] : [];
    place.replaceChildren(...replies, ...back);
    if (focused) place.firstElementChild?.focus();
  }

  /** Show a square [x, y, side] of the picture, gliding there. */
  look(goal) {
    const start = this.box ?? goal;
    const begun = performance.now();
    cancelAnimationFrame(this.frame);
    const glide = (now) => {
      const part = calm() || !this.svg.isConnected ? 1 : Math.min(1, (now - begun) / GLIDE);
      const eased = part * part * (3 - 2 * part);
      this.box = start.map((from, i) => from + (goal[i] - from) * eased);
      const [x, y, side] = this.box;
      this.svg.setAttribute("viewBox", `${x} ${y} ${side} ${side}`);
      if (part < 1) this.frame = requestAnimationFrame(glide);
    };
    glide(begun);
  }

  zoom(factor) {
    if (this.image) this.widen(this.width / factor);
    if (!this.svg) return;
    const [x, y, side] = this.box;
    const whole = WHOLE + 2 * AROUND;
    const next = Math.min(whole, Math.max(DEEPEST, side * factor));
    const to = (at) => Math.min(whole - AROUND - next, Math.max(-AROUND, at + (side - next) / 2));
    this.look([to(x), to(y), next]);
  }

  /** Zoom a server's picture, in percent of its container. */
  widen(width) {
    this.width = Math.min(800, Math.max(100, width));
    this.image.style.width = `${this.width}%`;
    this.image.style.height = this.width > 100 ? "auto" : "100%";
  }

  /** Go to the board at a point, one step further than the one that is shown. */
  enterAt({ clientX, clientY }) {
    const frame = this.svg.getBoundingClientRect();
    const px = this.box[0] + ((clientX - frame.left) / frame.width) * this.box[2];
    const py = this.box[1] + ((clientY - frame.top) / frame.height) * this.box[2];
    let plan = this.plan;
    let [x, y, side] = [0, 0, WHOLE];
    const path = [];
    for (let depth = 0; depth <= this.path.length; depth += 1) {
      const column = Math.floor(((px - x) / side) * 3);
      const row = Math.floor(((py - y) / side) * 3);
      const cell = row * 3 + column;
      const inside = column >= 0 && column < 3 && row >= 0 && row < 3;
      const reply = inside && plan.replies.find((r) => r.cell === cell);
      if (!reply) break;
      path.push(cell);
      const at = nest(cell);
      [x, y, side] = [x + (at.x * side) / WHOLE, y + (at.y * side) / WHOLE, side * at.scale];
      plan = reply.plan;
      if (cell !== this.path[depth]) break;
    }
    this.walk(path);
  }
}
