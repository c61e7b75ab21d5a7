/**
 * The game so far: its lines, a row of bars with the value of each position, and its mistakes as cards.
 *
 * A bar goes up if the user's side wins and down if the other side does, in the colour of the side
 * that wins, and is longer the sooner that is. A mistake is a move that worsened its side's outcome.
 */

/** @import { Session } from "./session.js" */
/** @import { Bar, Known, Ply } from "./types.d.ts" */

import { byId, capital, make, makeButton, refill, roveFocus } from "./dom.js";
import { resultOf } from "./session.js";
import { movesIn, ORDER, worth } from "./words.js";

const FAR = 8; // distance with the shortest bar, unless the game has a longer one
const TURNED = { win: "a win", draw: "a draw", loss: "a loss" };
const AFTER = { win: "a loss", draw: "a draw", loss: "a win" }; // for the side that has just moved

/** Return whether the values of the line that is shown are: with hints, and after its end.
 * @param {Session} session @param {boolean} values whether there are hints */
export const isJudged = ({ plies }, values) => values || resultOf(plies) !== null;

/** Redraw the course of a game. `lookAt(n, values)` goes to the position before a move.
 * @param {Session} session @param {boolean} values whether there are hints
 * @param {(n: number, values: boolean) => void} lookAt */
export function renderCourse(session, values, lookAt) {
  const { plies, at, lines, human } = session;
  const { seats, style } = session.engine.listing;
  const shown = isJudged(session, values);
  const chart = byId("chart");
  chart.dataset.style = style ?? "";
  refill(chart, listBars(session, shown), `[data-ply="${at}"]`);
  byId("course").hidden = plies.length < 2 && lines.length < 2;
  chart.classList.toggle("plain", !shown);
  const [up, down] = human === null ? [`${seats[0]} wins`, 1] : ["you win", 1 - human];
  byId("legend").textContent = shown
    ? `Up: ${up}. Down: ${seats[down]} wins. The number is how many moves it takes.`
    : "";
  showEnd(chart, at);
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
  const cards = known ? listMistakes(lines, human, seats) : [];
  const focused = document.activeElement?.getAttribute("data-card");
  refill(byId("mistakes"), listCards(cards, lookAt, human), `[data-card="${focused}"]`);
  byId("review").textContent =
    known && !cards.length && lines[0].length > 1 && lines[0].every((ply) => ply.known.outcome)
      ? `${human === null ? "No" : "You have made no"} mistake so far.`
      : "";
}

/** Return the bars, one for each ply. @param {Session} session @param {boolean} shown whether with values */
function listBars(session, shown) {
  const { plies, at, human } = session;
  const far = Math.max(FAR, ...plies.map((ply) => ply.known.distance ?? 0));
  const bars = plies.map(({ known, played }, n) => {
    const mistake = shown && mistakeIn(plies, n);
    const label = played ? played.label : "start";
    const parts = [played ? `move ${n}, ${plies[n - 1].known.turn} ${label}` : "start"];
    const value = shown && known.outcome ? sayValue(known, session.engine.listing.seats) : null;
    if (value) parts.push(value.words);
    if (mistake) parts.push(`mistake: ${mistake}`);
    const attributes = {
      "data-ply": n,
      class: mistake ? "mistake" : null,
      "aria-current": n === at ? "step" : null,
      onclick: () => session.goTo(n),
    };
    const way = value?.side === (human ?? 0) ? "up" : "down";
    const look = value?.side === null ? "draw" : value ? `${way} side-${value.side}` : "unknown";
    const bar = make("span", { class: `bar ${look}` }, value && make("span", {}, value.text));
    bar.style.setProperty("--reach", String(1 - (0.6 * (known.distance ?? 0)) / far));
    const scale = make("span", { class: "scale" }, bar);
    const name = make("span", { class: "ply" }, label, mistake ? make("b", {}, "?") : null);
    const more = make("span", { class: "unseen" }, `, ${parts.join("; ")}`);
    return makeButton([scale, name, more], attributes);
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

/** Return what the move that led to a ply spoilt, "a win became a draw"; "" if it is no mistake.
 * @param {Ply[]} plies @param {number} n */
export function mistakeIn(plies, n) {
  const [before, after] = [plies[n - 1]?.known.outcome, plies[n].known.outcome];
  if (!before || !after || -ORDER[after] >= ORDER[before]) return "";
  return `${TURNED[before]} became ${AFTER[after]}`;
}

/**
 * Return the mistakes of a game as cards. `lines` are the game and the lines played from it since; a
 * mistake is solved if one of them has a better move in its place. `side` restricts them to a side's
 * moves; null for both.
 * @param {Ply[][]} lines @param {number | null} side @param {string[]} seats
 */
export function listMistakes(lines, side, seats) {
  const [plies] = lines;
  const found = plies.map((_, n) => n).filter((n) => mistakeIn(plies, n));
  const asked = found.filter((n) => side === null || plies[n - 1].known.turn === seats[side]);
  return asked.map((n) => {
    const { known } = plies[n - 1];
    const others = lines.slice(1).filter((line) => line[n - 1] === plies[n - 1] && line[n]);
    const best = known.moves[0];
    return {
      n,
      title: `Move ${n}: ${side === null ? `${known.turn} ` : ""}${plies[n].played?.label}`,
      text: `${capital(mistakeIn(plies, n))}.`,
      answer: `Better was ${best.label}: ${worth(best)}.`,
      solved: others.some((line) => !mistakeIn(line, n)),
    };
  });
}

/** Return the cards; `onLook(n, values)` is called to show the position, with values or to try again.
 * @param {ReturnType<typeof listMistakes>} cards @param {(n: number, values: boolean) => void} onLook
 * @param {number | null} side */
function listCards(cards, onLook, side) {
  return cards.map(({ n, title, text, answer, solved }) => {
    /** @param {string} name @param {boolean} values */
    const button = (name, values) =>
      makeButton(name, {
        "data-card": `${name} ${n}`,
        "aria-label": `${name}: ${title}`,
        onclick: () => onLook(n, values),
      });
    const again = button(side === null ? "Play it against the page" : "Try again", false);
    const head = make("h3", {}, solved ? "✓ " : "", title);
    const task = make("p", {}, solved ? `${text} ${answer} Solved.` : text);
    const keys = make("div", { class: "keys" }, button("Show", true), again);
    return make("li", { class: solved ? "solved" : null }, head, task, keys);
  });
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
