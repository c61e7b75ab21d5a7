/**
 * The view of the strategy map: one side's perfect play as a picture of nested boards, which the server
 * draws, walked reply by reply. Each board in another one is a group, whose title has the label of the
 * opponent's reply and that of the answer to it.
 */

/** @import { Fields } from "./address.js" */
/** @import { Shown } from "./types.d.ts" */

import { byId, make, makeButton, makeRadio, present, refill, sure } from "./dom.js";
import { engineOf } from "./engines.js";
import { forget, latest } from "./latest.js";
import { attempt } from "./notice.js";
import { rivalOf } from "./seats.js";

const SIDE = 90; // of a board, in its own units
const AROUND = 0.09; // margin around what is shown, in sides, for the word below
/** @type {Record<string, string | undefined>} */
const ENDS = { "#won": "has won", "#draw": "has a draw", "#lost": "has lost" };

/** Return the boards in a board. @param {SVGGElement} board */
function boardsIn(board) {
  const groups = [...board.children].filter((child) => child instanceof SVGGElement);
  return groups.map((group) => {
    const [, reply, answer] =
      /^(.*?)(?:: (.*))?$/s.exec(sure(group.querySelector("title")).textContent) ?? [];
    return { group, reply, answer };
  });
}

export class MapView {
  /** @type {Shown | null} */ game = null;
  seat = "";
  first = ""; // the label of the side's first move, if it begins
  /** @type {SVGSVGElement | null} */ picture = null;
  /** @type {SVGGElement | null} */ shown = null; // the board
  /** @type {string[]} */ path = []; // the labels of replies
  /** @type {string[]} */ here = [];

  /** `changed()` is called when the address may need an update. @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    byId("zoom-all").addEventListener("click", () => this.picture && this.walk([]));
    byId("zoom-here").addEventListener("click", () => this.picture && this.walk(this.here));
    byId("map").addEventListener("click", (event) => this.enterAt(event));
    byId("map-sides").addEventListener("change", ({ target }) =>
      this.show(/** @type {HTMLInputElement} */ (target).value, []),
    );
  }

  leave() {
    this.game = this.picture = this.shown = null;
    forget("map");
    byId("map").replaceChildren();
    this.path = [];
  }

  /** Show a game's map: for a side, by default the user's, at a path of replies.
   * @param {Shown} game @param {Pick<Fields, "side" | "path">} place */
  enter(game, { side, path } = {}) {
    const { seats } = game.listing;
    const same = this.game?.listing === game.listing && !side && !path;
    const [{ known }] = game.main;
    const holds = { win: 0, draw: game.human ?? 0, loss: 1 }[known.outcome ?? "draw"];
    const usual = same ? this.seat : seats[known.turn === seats[0] ? holds : (game.human ?? 0)];
    const seat = seats.find((name) => name === side) ?? usual;
    this.game = game;
    const radios = seats.map((name) => makeRadio("map-side", name, name === seat));
    byId("map-sides").replaceChildren(make("legend", {}, "Side"), ...radios);
    this.show(seat, same ? this.path : (path ?? "").split(",").filter(Boolean));
  }

  /** @param {string} seat @param {string[]} path */
  show(seat, path) {
    const game = sure(this.game);
    this.seat = seat;
    this.path = path;
    attempt(async () => {
      const engine = await engineOf(game.listing);
      const answers = () => Promise.all([engine.map(seat), engine.explain()]);
      const [drawn, { moves }] = await latest("map", answers);
      const text = drawn.replace(/<style>.*?<.style>/s, ""); // as style.css has it
      const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
      const picture = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (documentElement));
      for (const line of picture.querySelectorAll(":scope > text")) line.remove();
      this.picture = document.importNode(picture, true);
      this.first = seat === engine.listing.seats[0] ? moves[0].label : "";
      byId("map").replaceChildren(this.picture);
      byId("map-how").textContent = sure(picture.querySelector("desc")).textContent;
      this.here = this.followed(game);
      byId("zoom-here").hidden = !this.here.length;
      this.walk(path);
    });
  }

  /** The outermost board. */
  get whole() {
    return /** @type {SVGGElement} */ (sure(this.picture).querySelector(":scope > g"));
  }

  /** Return the replies of the game that is shown, as far as it follows the map.
   * @param {Shown} game */
  followed({ plies, at }) {
    const labels = plies.slice(1, at + 1).map(({ played }) => played?.label);
    if (this.first && labels.shift() !== this.first) return [];
    const path = [];
    for (let board = this.whole; labels.length; ) {
      const [reply, answer] = labels.splice(0, 2);
      const inner = boardsIn(board).find((one) => one.reply === reply);
      if (!inner) break;
      path.push(inner.reply);
      if (answer !== inner.answer) break;
      board = inner.group;
    }
    return path;
  }

  /** The keys of the address that describe the place. */
  fields() {
    return this.game ? { side: this.seat, path: this.path.join(",") } : {};
  }

  /** Show the board after a path of replies; it ends where there is none. @param {string[]} path */
  walk(path) {
    const rival = rivalOf(sure(this.game).listing, this.seat);
    const steps = this.first ? [`${this.seat} ${this.first}`] : [];
    let board = this.whole;
    let place = placeOf(board);
    this.path = [];
    for (const label of path) {
      const inner = boardsIn(board).find(({ reply }) => reply === label);
      if (!inner) break;
      this.path.push(label);
      board = inner.group;
      place = place.multiply(placeOf(board));
      steps.push(`${rival} ${label}${inner.answer ? `, ${this.seat} ${inner.answer}` : ""}`);
    }
    const [end] = present([...board.children].map((sign) => ENDS[`${sign.getAttribute("href")}`]));
    const last = end ? `${this.seat} ${end}.` : `Now ${rival} can take:`;
    byId("map-where").textContent = `${steps.join("; ")}${steps.length ? ". " : ""}${last}`;
    this.listReplies(board, rival);
    this.lookAt(place);
    this.shown = board;
    this.changed();
  }

  /** @param {SVGGElement} board @param {string} rival */
  listReplies(board, rival) {
    /** @param {string[]} path @param {string} text @param {string} name */
    const step = (path, text, name) =>
      makeButton(text, { "aria-label": name, onclick: () => this.walk(path) });
    const replies = boardsIn(board).map(({ reply }) =>
      step([...this.path, reply], reply, `${rival} takes ${reply}`),
    );
    const back = step(this.path.slice(0, -1), "Back", "back to the board around");
    refill(byId("map-replies"), this.path.length ? [...replies, back] : replies, "button");
  }

  /** Zoom to a board. @param {DOMMatrix} place */
  lookAt({ a: scale, e: x, f: y }) {
    const picture = sure(this.picture);
    const { width, height } = picture.viewBox.baseVal;
    const [side, gap] = [SIDE * scale, SIDE * scale * AROUND];
    const [left, top] = [(100 * (x - gap)) / width, (100 * (y - gap)) / height];
    const zoom = width / (side + 2 * gap);
    picture.style.transform = `scale(${zoom}) translate(${-left}%, ${-top}%)`;
  }

  /** Go to the board in the shown one that is at a point. @param {MouseEvent} event */
  enterAt({ clientX, clientY }) {
    if (!this.shown) return;
    const inner = boardsIn(this.shown).find(({ group }) => {
      const { left, right, top, bottom } = group.getBoundingClientRect();
      return left < clientX && clientX < right && top < clientY && clientY < bottom;
    });
    if (inner) this.walk([...this.path, inner.reply]);
  }
}

/** Return where a board is in what is around it. @param {SVGGElement} board */
const placeOf = (board) => DOMMatrix.fromMatrix(sure(board.transform.baseVal.consolidate()).matrix);
