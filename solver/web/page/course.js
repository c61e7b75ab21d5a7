/** The game so far: its lines, the bars of its positions, and its mistakes. */

/** @import { Session } from "./session.js" */
/** @import { Bar, Ply } from "./types.d.ts" */

import { listBars, listCards, listMistakes } from "./chart.js";
import { byId, makeButton, refill } from "./dom.js";
import { resultOf } from "./session.js";

/** Return whether the values of the line that is shown are: with hints, and after its end.
 * @param {Session} session @param {boolean} values whether there are hints */
export const isJudged = ({ plies }, values) => values || resultOf(plies) !== null;

/** Redraw the course of a game. `lookAt(n, values)` goes to the position before a move.
 * @param {Session} session @param {boolean} values whether there are hints
 * @param {(n: number, values: boolean) => void} lookAt */
export function renderCourse(session, values, lookAt) {
  const { plies, at, lines, reader } = session;
  const { seats } = session.engine.listing;
  const shown = isJudged(session, values);
  const bars = { plies, at, seats, shown, reader: reader ?? 0 };
  byId("chart").dataset.style = session.engine.listing.style ?? "";
  refill(
    byId("chart"),
    listBars(bars, (ply) => session.goTo(ply)),
    `[data-ply="${at}"]`,
  );
  const other = reader === null ? `${seats[1]} wins` : `${seats[1 - reader]} wins`;
  byId("course").hidden = plies.length < 2 && lines.length < 2;
  byId("chart").classList.toggle("plain", !shown);
  byId("legend").textContent = shown
    ? `Up: ${reader === null ? `${seats[0]} wins` : "you win"}. Down: ${other}. The number is how many moves it takes.`
    : "";
  showEnd(byId("chart"), at);
  const choices = lines.map((line, i) =>
    makeButton(i ? `Line ${i}` : "The game", {
      "data-line": i,
      "aria-pressed": String(i === session.line),
      onclick: () => session.goTo(line.length - 1, i),
    }),
  );
  byId("lines").hidden = lines.length < 2;
  refill(byId("lines"), choices, `[data-line="${session.line}"]`);
  const known = values || resultOf(lines[0]) !== null;
  const cards = known ? listMistakes(lines, reader, seats) : [];
  const focused = document.activeElement?.getAttribute("data-card");
  refill(byId("mistakes"), listCards(cards, lookAt, reader), `[data-card="${focused}"]`);
  byId("review").textContent =
    known && !cards.length && lines[0].length > 1 && lines[0].every((ply) => ply.known.outcome)
      ? `${reader === null ? "No" : "You have made no"} mistake so far.`
      : "";
}

/** Scroll only a row of bars, so that one of them is visible. @param {HTMLElement} list @param {number} at */
function showEnd(list, at) {
  const bar = list.children[at];
  if (!(bar instanceof HTMLElement)) return;
  const [left, right] = [bar.offsetLeft, bar.offsetLeft + bar.offsetWidth];
  if (left < list.scrollLeft) list.scrollLeft = left;
  if (right > list.scrollLeft + list.clientWidth) list.scrollLeft = right - list.clientWidth;
}

/** Return the dominoes of a game: the pairs of cells that its moves have filled. @param {Ply[]} plies
 * @returns {Bar[]} */
export const listBarsOf = (plies) =>
  plies.slice(1).flatMap(({ known: { marks } }, n) => {
    const before = plies[n].known.marks ?? "";
    const [a, b, more] = [...(marks ?? "")].keys().filter((i) => marks?.[i] !== before[i]);
    const filled = before[a] === "." && before[b] === "." && more === undefined;
    return filled ? [{ cells: [a, b], side: n % 2 }] : [];
  });
