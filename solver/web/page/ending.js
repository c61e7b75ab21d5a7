/** The end of a game: its result over the board, and after a loss the move that lost, for another try. */

/** @import { Session } from "./session.js" */
/** @import { Listing, Move } from "./types.d.ts" */

import { drawBoard, planBoard } from "./boardart.js";
import { listMistakes, mistakeIn } from "./course.js";
import { byId, calm, draw, make, makeButton, sure } from "./dom.js";
import { moodOf, sentence } from "./result.js";
import { count, countsOf } from "./store.js";
import { worth } from "./words.js";

const SPARKS = 14;
const MOODS = ["won", "draw", "lost"];

/** Show the result of a game that has just ended over the board for a moment, unless motion is reduced.
 * @param {Session} session */
export function celebrate(session) {
  if (calm()) return;
  const { winner, moves } = session.known;
  const draws = !winner || moves.length;
  const text =
    session.reader !== null ? sentence(session, false) : draws ? "A draw." : `${winner} wins!`;
  const mood = moodOf(session);
  const sparks = Array.from({ length: mood === "won" ? SPARKS : 0 }, (_, i) => {
    const spark = make("i");
    spark.style.setProperty("--turn", `${(360 * i) / SPARKS}deg`);
    return spark;
  });
  const banner = make("div", { class: "banner", "data-mood": mood, "aria-hidden": "true" });
  banner.append(make("strong", {}, text), ...sparks);
  banner.addEventListener("animationend", ({ target }) => target === banner && banner.remove());
  byId("board").append(banner);
}

/** Count a game of the only human that has just ended, once, unless there was help.
 * @param {Session} session @param {boolean} played whether a move was just played */
export function showScore(session, played) {
  const { game } = session.engine.listing;
  const { end, reader, line, counted } = session;
  const ended = played && end && reader !== null && line === 0 && !counted;
  if (ended) session.counted = true;
  const counts =
    ended && !end.hints && !end.undone
      ? count("games", game, MOODS.indexOf(moodOf(session)), MOODS.length)
      : countsOf("games", game);
  byId("score").textContent = counts
    ? `Without help you have won ${counts[0]}, drawn ${counts[1]} and lost ${counts[2]}.`
    : "";
}

/** Return the number of the move that lost the game for its reader; 0 if there is none.
 * @param {Session} session */
function losingMove({ lines: [plies], reader, engine: { listing } }) {
  const mistakes = listMistakes([plies], reader, listing.seats);
  return mistakes.findLast(({ n }) => plies[n].known.outcome === "win")?.n ?? 0;
}

/**
 * Show the move that lost a game beside a better one, or while another is tried at move `tried`, what
 * that one is worth. Returns what is said about it.
 * @param {Session} session @param {number} tried
 * @param {{retry: (n: number) => void, close: () => void}} told
 */
export function renderLesson(session, tried, { retry, close }) {
  const lost = session.end && session.line === 0 && moodOf(session) === "lost";
  const n = tried || (lost ? losingMove(session) : 0);
  const said = tried
    ? answerTo(session, tried)
    : { text: `Move ${n} lost the game.`, right: false };
  const place = byId("lesson");
  place.hidden = !n || !said.text || (session.reader === null && !tried);
  if (place.hidden) return "";
  const begun = session.at === n - 1;
  place.replaceChildren(
    make("h2", {}, said.text),
    tried ? "" : make("div", { class: "pair" }, compareMoves(session, n)),
    make(
      "div",
      { class: "keys" },
      said.right || begun
        ? null
        : makeButton("Try again here", { class: "strong", onclick: () => retry(n) }),
      makeButton("Close", { class: "plain", onclick: close }),
    ),
  );
  return tried ? said.text : "";
}

/** Return what there is to say of the line that is tried from a move on. @param {Session} session @param {number} n */
function answerTo({ lines: [game], plies, at }, n) {
  const nothing = { text: "", right: false };
  const played = plies[n]?.played;
  if (plies[n - 1] !== game[n - 1] || at < n - 1 || !played) return nothing;
  if (at === n - 1)
    return { text: `Find a better move than ${game[n].played?.label}.`, right: false };
  if (plies[n] === game[n] || !plies[n].known.outcome) return nothing;
  const mistake = mistakeIn(plies, n);
  if (mistake) return { text: `${played.label} is no better: ${mistake}.`, right: false };
  return { text: `Right: ${played.label}, ${worth(played)}.`, right: true };
}

/** Return pictures of the board after a move and after the best one. @param {Session} session @param {number} n */
function compareMoves({ lines: [plies], engine: { listing } }, n) {
  const best = plies[n - 1].known.moves[0];
  const played = sure(plies[n].played);
  return [
    drawFigure(listing, played, "wrong", `You played ${played.label}`),
    drawFigure(listing, best, "win", `Better: ${best.label}`),
  ];
}

/** @param {Listing} listing @param {Move} move @param {string} role
 * @param {string} caption */
function drawFigure(listing, { marks, cell }, role, caption) {
  const text = make("figcaption", {}, caption);
  if (listing.style === null) return make("figure", {}, text);
  const plan = planBoard(listing);
  const ring = cell === null ? undefined : { cell, role };
  const seen = { marks: marks ?? "", won: [], targets: [], values: [], best: [], ring };
  const picture = { viewBox: `0 0 ${plan.width} ${plan.height}`, "aria-hidden": "true" };
  return make("figure", {}, draw("svg", picture, drawBoard(plan, seen)), text);
}
