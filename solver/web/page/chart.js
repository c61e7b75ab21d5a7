/**
 * The game so far as a row of bars: the value of each position for the first side.
 *
 * A bar goes up if the first side wins and down if the second does, and is longer the sooner the
 * win is. Moves that worsened their side's outcome are marked, and listed by `reviewGame`.
 */

import { make } from "./dom.js";
import { valueMark } from "./signs.js";
import { ORDER, movesIn, worth } from "./words.js";

const OTHER = { loss: "win", draw: "draw", win: "loss" };
const FAR = 8; // distance with the shortest bar, unless the game has a longer one

/** Return the value of a ply's position for the first side: {outcome, distance}. */
export function valueForFirst({ known }, seats) {
  const outcome = known.turn === seats[0] ? known.outcome : OTHER[known.outcome];
  return { outcome, distance: known.distance };
}

/**
 * Return {who, label, from, to} for a blunder, with the outcomes for the side that played it; null
 * if the move kept the outcome. `plies[n].played` is the move from `plies[n - 1]`.
 */
export function blunderAt(plies, n) {
  const { played } = plies[n];
  if (!played) return null;
  const before = plies[n - 1].known;
  if (ORDER[played.outcome] >= ORDER[before.outcome]) return null;
  return { who: before.turn, label: played.label, from: before.outcome, to: played.outcome };
}

/** Return the bars, one for each ply; `onGo(ply)` is called when one is chosen. */
export function listBars({ plies, at, seats, shown }, onGo) {
  const far = Math.max(FAR, ...plies.map((ply) => ply.known.distance ?? 0));
  return plies.map((ply, n) => {
    const value = valueForFirst(ply, seats);
    const blunder = shown ? blunderAt(plies, n) : null;
    const label = ply.played ? ply.played.label : "start";
    const said = [ply.played ? `move ${n}, ${plies[n - 1].known.turn} ${label}` : "start"];
    if (shown) said.push(describeValue(value, seats));
    if (blunder) said.push(`blunder: ${blunder.from} became ${blunder.to}`);
    const bar = make("span", { class: `bar ${shown ? value.outcome : "unknown"}` });
    if (shown) {
      bar.style.setProperty("--reach", reachOf(value, far));
      bar.append(make("span", {}, valueMark(value.outcome, value.distance || null)));
    }
    const attributes = {
      type: "button",
      "data-ply": n,
      class: blunder ? "blunder" : null,
      "aria-current": n === at ? "step" : null,
      onclick: () => onGo(n),
    };
    const scale = make("span", { class: "scale" }, bar);
    const name = make("span", { class: "ply" }, label, blunder ? make("b", {}, "?") : null);
    const more = make("span", { class: "unseen" }, `, ${said.join("; ")}`);
    return make("li", {}, make("button", attributes, scale, name, more));
  });
}

/** Return the length of a bar, from 0 to 1. */
function reachOf({ outcome, distance }, far) {
  return outcome === "draw" ? 0 : 1 - (0.6 * distance) / far;
}

function describeValue({ outcome, distance }, seats) {
  if (outcome === "draw") return "a draw";
  const winner = seats[outcome === "win" ? 0 : 1];
  return distance ? `${winner} wins in ${movesIn(distance)}` : `${winner} has won`;
}

/** Return sentences that list the blunders of a game. */
export function reviewGame(plies) {
  const blunders = plies.map((_, n) => ({ n, ...blunderAt(plies, n) })).filter((b) => b.who);
  if (!blunders.length) return plies.length > 1 ? "No blunder so far: every move kept its outcome." : "";
  return blunders
    .map(
      ({ n, who, label, from, to }) =>
        `Move ${n}, ${who} ${label}: ${from} became ${to} (best was ${plies[n - 1].known.moves[0].label}, ${worthOfBest(plies[n - 1])}).`,
    )
    .join(" ");
}

function worthOfBest({ known }) {
  return worth(known.outcome, known.distance);
}
