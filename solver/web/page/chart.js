/**
 * The game so far as a row of bars, the value of each position, and the mistakes as cards.
 *
 * A bar goes up if the reader's side wins and down if the other side does, in the colour of the side
 * that wins, and is longer the sooner that is. A mistake is a move that worsened its side's outcome.
 */

/** @import { Known, Ply } from "./types.d.ts" */

import { capital, make, makeButton, rove } from "./dom.js";
import { movesIn, ORDER, worth } from "./words.js";

const FAR = 8; // distance with the shortest bar, unless the game has a longer one
const TURNED = { win: "a win", draw: "a draw", loss: "a loss" };
const AFTER = { win: "a loss", draw: "a draw", loss: "a win" }; // for the side that has just moved

/** Return the number of the side that wins a position under best play; null for a draw.
 * @param {Ply} ply @param {string[]} seats */
function winningSide({ known }, seats) {
  if (known.outcome === "draw") return null;
  const side = seats.indexOf(known.turn);
  return known.outcome === "win" ? side : 1 - side;
}

/** Return what the move that led to a ply spoilt, "a win became a draw"; "" if it is no mistake.
 * @param {Ply[]} plies @param {number} n */
export function mistakeIn(plies, n) {
  const [before, after] = [plies[n - 1]?.known.outcome, plies[n].known.outcome];
  if (!before || !after || -ORDER[after] >= ORDER[before]) return "";
  return `${TURNED[before]} became ${AFTER[after]}`;
}

/**
 * Return the bars, one for each ply; `onGo(ply)` is called when one is chosen. `reader` is the number
 * of the side whose wins go up.
 * @param {{plies: Ply[], at: number, seats: string[], shown: boolean, reader: number}} course
 * @param {(ply: number) => void} onGo
 */
export function listBars({ plies, at, seats, shown, reader }, onGo) {
  const far = Math.max(FAR, ...plies.map((ply) => ply.known.distance ?? 0));
  const bars = plies.map((ply, n) => {
    const side = winningSide(ply, seats);
    const mistake = shown && mistakeIn(plies, n);
    const label = ply.played ? ply.played.label : "start";
    const said = [ply.played ? `move ${n}, ${plies[n - 1].known.turn} ${label}` : "start"];
    const valued = shown && ply.known.outcome;
    if (valued) said.push(describeValue(ply, seats));
    if (mistake) said.push(`mistake: ${mistake}`);
    const attributes = {
      "data-ply": n,
      class: mistake ? "mistake" : null,
      "aria-current": n === at ? "step" : null,
      onclick: () => onGo(n),
    };
    const bar = valued
      ? drawBar(ply.known, side, reader, far)
      : make("span", { class: "bar unknown" });
    const scale = make("span", { class: "scale" }, bar);
    const name = make("span", { class: "ply" }, label, mistake ? make("b", {}, "?") : null);
    const more = make("span", { class: "unseen" }, `, ${said.join("; ")}`);
    return makeButton([scale, name, more], attributes);
  });
  rove(bars, bars.length, at);
  return bars.map((bar) => make("li", {}, bar));
}

/** @param {Known} known @param {number | null} side @param {number} reader @param {number} far */
function drawBar({ distance, waits }, side, reader, far) {
  const way = side === null ? "draw" : `${side === reader ? "up" : "down"} side-${side}`;
  const text = side === null ? "=" : distance ? `${movesIn(distance, waits)}` : "✓";
  const bar = make("span", { class: `bar ${way}` }, make("span", {}, text));
  bar.style.setProperty("--reach", String(side === null ? 0 : 1 - (0.6 * (distance ?? 0)) / far));
  return bar;
}

/** @param {Ply} ply @param {string[]} seats */
function describeValue(ply, seats) {
  const side = winningSide(ply, seats);
  if (side === null) return "a draw";
  const { distance, waits } = ply.known;
  return distance ? `${seats[side]} wins in ${movesIn(distance, waits)}` : `${seats[side]} has won`;
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
export function listCards(cards, onLook, side) {
  return cards.map(({ n, title, text, answer, solved }) => {
    /** @param {string} name @param {boolean} values */
    const button = (name, values) =>
      makeButton(name, {
        "data-card": `${name} ${n}`,
        "aria-label": `${name}: ${title}`,
        onclick: () => onLook(n, values),
      });
    return make(
      "li",
      { class: solved ? "solved" : null },
      make("h3", {}, solved ? "✓ " : "", title),
      make("p", {}, solved ? `${text} ${answer} Solved.` : text),
      make(
        "div",
        { class: "keys" },
        button("Show", true),
        button(side === null ? "Play it against the page" : "Try again", false),
      ),
    );
  });
}
