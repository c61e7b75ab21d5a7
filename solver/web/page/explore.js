/**
 * The values of a position's moves: a list with reasons, and the game under best play.
 */

/** @import { Known, Move, OnMove, Step } from "./types.d.ts" */

import { valueIcon } from "./boardart.js";
import { capital, make, makeButton } from "./dom.js";
import { exactValue, isValued, trapWords, worth } from "./words.js";

const SHORT = 60; // moves of a best line that are listed

/** Return the list's entries, best first. `handlers.play` is called when a move is chosen, `handlers.point`
 * when one is pointed at, with null when it no longer is.
 * @param {Pick<Known, "moves" | "best">} known @param {boolean} open
 * @param {{play: OnMove, point: (move: Move | null) => void}} handlers */
export function listMoves(known, open, { play, point }) {
  return known.moves.map((move) => {
    const best = known.best.includes(move.move);
    const tied = best && known.best.length < known.moves.length;
    const trap = trapWords(move);
    const name = `${move.label}: ${worth(move)}${best ? ", best" : ""}`;
    const button = makeButton(move.label, {
      class: "plain move",
      "data-move": move.move,
      "aria-label": open ? `play ${name}` : name,
      "aria-disabled": String(!open),
      onclick: () => open && play(move),
      onfocus: () => point(move),
      onblur: () => point(null),
    });
    const title = exactValue(move);
    const head = make(
      "p",
      { class: "worth" },
      make("strong", { title }, capital(worth(move))),
      best ? make("span", { class: "tag" }, "best") : null,
      trap ? make("span", { class: "trap" }, trap) : null,
    );
    const reasons = move.distance === 1 ? [] : move.reasons; // the value says it already
    const why = reasons.length
      ? make("p", { class: "why" }, `${capital(reasons.join("; "))}.`)
      : null;
    const row = {
      onpointerenter: () => point(move),
      onpointerleave: () => point(null),
    };
    const icon = isValued(move) ? valueIcon(move, tied) : make("span");
    return make("li", row, button, icon, make("div", {}, head, why));
  });
}

/** Return the entries of a line; `onStep(n)` is called to play its first n moves.
 * @param {Step[]} steps @param {(n: number) => void} onStep */
export function listLine(steps, onStep) {
  return steps.slice(0, SHORT).map(({ turn, label }, i) => {
    const attributes = {
      class: "plain",
      "data-step": i,
      "aria-label": `go to move ${i + 1}, ${turn} ${label}`,
      onclick: () => onStep(i + 1),
    };
    const who = make("span", { class: "who" }, turn);
    return make("li", {}, makeButton([who, ` ${label}`], attributes));
  });
}

/** Return buttons of moves, in an order that reveals no values.
 * @param {Move[]} moves @param {boolean} open @param {OnMove} onPlay @param {string} [look] */
export function listButtons(moves, open, onPlay, look) {
  const ordered = [...moves].sort((a, b) =>
    a.label.localeCompare(b.label, "en", { numeric: true }),
  );
  return ordered.map((move) =>
    makeButton(move.label, {
      class: look,
      "data-move": move.move,
      "aria-disabled": String(!open),
      onclick: () => open && onPlay(move),
    }),
  );
}

/** Return the explanation of the signs on the board. */
export const describeKey = () => [
  make("bdi", {}, valueIcon({ outcome: "win", distance: 5 }), " wins in 3 moves "),
  make("bdi", {}, valueIcon({ outcome: "draw", distance: null }), " draw "),
  make("bdi", {}, valueIcon({ outcome: "loss", distance: 4 }), " loses in 2 moves"),
];
