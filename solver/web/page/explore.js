/**
 * The values of a position's moves: a list with reasons, and the game under best play.
 */

/** @import { Known } from "./types.d.ts" */

import { capital, make } from "./dom.js";
import { valueIcon } from "./signs.js";
import { exactly, trapWords, worth } from "./words.js";

/**
 * Return the list's entries, best first. `onPlay(move)` is called when a move is chosen,
 * `onPoint(move)` when one is pointed at, with null when it no longer is.
 * @param {Known} known
 */
export function listMoves(known, open, onPlay, onPoint) {
  return known.moves.map((move) => {
    const best = known.best.includes(move.move);
    const tied = best && known.best.length < known.moves.length;
    const trap = trapWords(move);
    const name = `${move.label}: ${worth(move.outcome, move.distance)}${best ? ", best" : ""}`;
    const button = make(
      "button",
      {
        type: "button",
        class: "plain move",
        "data-move": move.move,
        "aria-label": open ? `play ${name}` : name,
        "aria-disabled": String(!open),
        onclick: () => open && onPlay(move),
        onfocus: () => onPoint(move),
        onblur: () => onPoint(null),
      },
      move.label,
    );
    const head = make(
      "p",
      { class: "worth" },
      make(
        "strong",
        { title: exactly(move.outcome, move.distance) },
        capital(worth(move.outcome, move.distance)),
      ),
      best ? make("span", { class: "tag" }, "best") : null,
      trap ? make("span", { class: "trap" }, trap) : null,
    );
    const said = move.distance === 1 ? [] : move.reasons; // the value says it already
    const why = said.length ? make("p", { class: "why" }, `${capital(said.join("; "))}.`) : null;
    const row = {
      "data-outcome": move.outcome,
      onpointerenter: () => onPoint(move),
      onpointerleave: () => onPoint(null),
    };
    const icon = move.outcome ? valueIcon(move.outcome, move.distance, tied) : make("span");
    return make("li", row, button, icon, make("div", {}, head, why));
  });
}

/** Return the entries of a line; `onStep(n)` is called to play its first n moves. */
export function listLine(steps, onStep) {
  return steps.map((step, i) =>
    make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: "plain",
          "data-step": i,
          "aria-label": `go to move ${i + 1}, ${step.turn} ${step.label}`,
          onclick: () => onStep(i + 1),
        },
        make("span", { class: "who" }, step.turn),
        ` ${step.label}`,
      ),
    ),
  );
}

/**
 * Return the buttons of a position without a board, in an order that reveals no values.
 * @param {Pick<Known, "moves">} known
 */
export function listButtons(known, open, onPlay) {
  const ordered = [...known.moves].sort((a, b) =>
    a.label.localeCompare(b.label, "en", { numeric: true }),
  );
  return ordered.map((move) =>
    make(
      "button",
      {
        type: "button",
        "data-move": move.move,
        "aria-disabled": String(!open),
        onclick: () => open && onPlay(move),
      },
      move.label,
    ),
  );
}
