/**
 * The game so far: a row of bars with the value of each position, and its mistakes as cards.
 *
 * A bar goes up if the user's side wins and down if the other side does, in the colour of the side
 * that wins, and is longer the sooner that is. A mistake is a move that worsened its side's outcome.
 */

/** @import { Known, Shown } from "./types.d.ts" */

import { byId, make, makeButton, refill, roveFocus } from "./dom.js";
import { dispatch } from "./drive.js";
import { mistakesOf, showMistakes } from "./mistake.js";
import { mistakeIn, resultOf } from "./plies.js";
import { HUMAN } from "./seats.js";
import { movesIn } from "./words.js";

const FAR = 8; // distance with the shortest bar, unless the game has a longer one

/** Redraw the course of a game. @param {Shown} shown
 * @param {number} [told] the number of the mistake that is shown elsewhere */
export function renderCourse(shown, told) {
  const { plies, at, main, values } = shown;
  const mine = main.some(({ by }) => by === HUMAN);
  const human = mine || !resultOf(main) ? shown.human : null; // none is in a game of strangers
  const { seats, style } = shown.listing;
  const judged = values || resultOf(plies) !== null;
  const chart = byId("chart");
  chart.dataset.style = style ?? "";
  refill(chart, listBars({ ...shown, human }, judged), `[data-ply="${at}"]`);
  byId("course").hidden = plies.length < 2;
  chart.classList.toggle("plain", !judged);
  const [up, down] = human === null ? [`${seats[0]} wins`, 1] : ["you win", 1 - human];
  byId("legend").textContent = judged
    ? `Up: ${up}. Down: ${seats[down]} wins. The number is how many moves it takes.`
    : "";
  showEnd(chart, at);
  const known = values || resultOf(main) !== null;
  const cards = known ? mistakesOf({ ...shown, human }) : [];
  showMistakes(
    shown,
    cards.filter(({ n }) => n !== told),
  );
  const who = mine ? "You have" : `${seats[human ?? 0]} has`;
  const none = human === null ? "No" : `${who} made no`;
  byId("review").textContent =
    known && !cards.length && main.length > 1 && main.every((ply) => ply.known.outcome)
      ? `${none} mistake${resultOf(main) ? "" : " so far"}.`
      : "";
}

/** Return the bars, one for each ply. @param {Shown} shown @param {boolean} judged whether with values */
function listBars({ plies, at, human, listing: { seats } }, judged) {
  const far = Math.max(FAR, ...plies.map((ply) => ply.known.distance ?? 0));
  const bars = plies.map(({ known, played }, n) => {
    const mistake = judged && mistakeIn(plies, n);
    const label = played ? played.label : "start";
    const parts = [played ? `move ${n}, ${plies[n - 1].known.turn} ${label}` : "start"];
    const value = judged && known.outcome ? sayValue(known, seats) : null;
    if (value) parts.push(value.words);
    if (mistake) parts.push(`mistake: ${mistake}`);
    const attributes = {
      "data-ply": n,
      class: mistake ? "mistake" : null,
      "aria-current": n === at ? "step" : null,
      onclick: () => dispatch({ type: "went", of: "game", at: n }),
    };
    const way = value?.side === (human ?? 0) ? "up" : "down";
    const look = value?.side === null ? "draw" : value ? `${way} side-${value.side}` : "unknown";
    const bar = make("span", { class: `bar ${look}` }, value && make("span", {}, value.text));
    bar.style.setProperty("--reach", String(1 - (0.6 * (known.distance ?? 0)) / far));
    const hidden = { "aria-hidden": "true" }; // the words say it all
    const scale = make("span", { class: "scale", ...hidden }, bar);
    const mark = mistake ? make("b", {}, "?") : null;
    const name = make("span", { class: "ply", ...hidden }, label, mark);
    const words = make("span", { class: "unseen" }, parts.join("; "));
    return makeButton([scale, name, words], attributes);
  });
  roveFocus(bars, bars.length, at);
  return bars.map((bar) => make("li", {}, bar));
}

/** Return the number of the side that wins a position under best play, null for a draw, with how many
 * moves it takes, short and in words. @param {Known} known @param {string[]} seats */
function sayValue({ outcome, turn, distance }, seats) {
  if (outcome === "draw") return { side: null, text: "=", words: "a draw" };
  const side = outcome === "win" ? seats.indexOf(turn) : 1 - seats.indexOf(turn);
  if (!distance) return { side, text: "✓", words: `${seats[side]} has won` };
  const text = String(movesIn(distance));
  return { side, text, words: `${seats[side]} wins in ${text}` };
}

/** Scroll only a row of bars, so that one of them is visible. @param {HTMLElement} list @param {number} at */
function showEnd(list, at) {
  const bar = list.children[at];
  if (!(bar instanceof HTMLElement)) return;
  const [left, right] = [bar.offsetLeft, bar.offsetLeft + bar.offsetWidth];
  if (left < list.scrollLeft) list.scrollLeft = left;
  if (right > list.scrollLeft + list.clientWidth) list.scrollLeft = right - list.clientWidth;
}
