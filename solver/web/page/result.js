/**
 * What the page says of a game: what the opponent can do, whose turn it is, and how it ended; then also
 * its result over the board, and after a loss the move that lost, for another try.
 */

/** @import { Listing, Move, News } from "./types.d.ts" */
/** @import { Session } from "./session.js" */

import { drawSmall, sideIcon } from "./boardart.js";
import { listMistakes, mistakeIn } from "./course.js";
import { byId, make, makeButton, reducesMotion, sure } from "./dom.js";
import { shareOf } from "./engines.js";
import { HUMAN, playerName } from "./seats.js";
import { humanSide, resultOf } from "./session.js";
import { count, countsOf } from "./store.js";
import { verdict, worth } from "./words.js";

const SPARKS = 14;
const MOODS = ["won", "draw", "lost"];

/** Return what is true of the opponent of a game: only one that plays perfectly cannot lose.
 * @param {Session} session */
export function promise({ players, engine: { listing } }) {
  const human = humanSide(players);
  if (human === null) return `Take turns with a friend.${fact(listing)}`;
  const name = players[1 - human];
  const who = playerName(name);
  const share = shareOf(name, listing);
  if (share !== null && share < 1)
    return `${who} plays perfectly in ${Math.round(100 * share)} % of its turns, and any move in the others.`;
  if (share === null && name !== "perfect" && name !== "minimax")
    return `${who} is a player of the library.`;
  const { outcome, title } = listing;
  if (!outcome) return `${who} works out every position of ${title} that it comes to.`;
  const known = `${who} has worked out every game of ${title}`;
  if (outcome === "draw" || human !== (outcome === "win" ? 0 : 1))
    return `${known} and cannot lose.`;
  return `${known}. You can win, but only if you never slip.`;
}

/** @param {Listing} listing */
function fact({ outcome, seats }) {
  if (outcome === "draw") return " It is a draw if nobody makes a mistake.";
  return outcome ? ` From the start, ${seats[outcome === "win" ? 0 : 1]} can always win.` : "";
}

/** Return one sentence: whose turn it is, or how the game ended.
 * @param {Session} session @param {boolean} values whether they are shown */
export function sentence(session, values) {
  const { known, players, result, human } = session;
  if (result) {
    if (human === null || known.moves.length) return result;
    return { won: "You won!", lost: "You lost.", draw: "A draw.", "": "" }[moodOf(session)];
  }
  if (values) return verdict(known);
  const name = players[session.side];
  if (name === HUMAN)
    return `${humanSide(players) === null ? "" : "Your turn: "}${known.turn} to move.`;
  return `${known.turn} to move: ${playerName(name)}${known.outcome ? "" : " is thinking"}.`;
}

/** Show whose turn it is, or how the game ended. @param {Session} session @param {boolean} values */
export function showStatus(session, values) {
  const side = session.result ? session.known.winner : session.known.turn;
  const icon = side ? sideIcon(side, session.engine.listing) : "";
  byId("status").replaceChildren(icon, sentence(session, values));
  byId("status").classList.toggle("over", Boolean(session.result));
  byId("status").dataset.mood = moodOf(session);
}

/** Return what a change has led to, for screen readers.
 * @param {Session} session @param {News} news @param {boolean} values whether they are shown */
export function describe(session, { played }, values) {
  const { plies, at } = session;
  const head = played
    ? `${plies[at - 1].known.turn} plays ${played.label}.`
    : `Move ${at} of ${plies.length - 1}.`;
  return `${head} ${sentence(session, values)}`;
}

/** Return "won", "lost" or "draw" for the only human, or for a winner without one; "" before the end.
 * @param {Session} session */
function moodOf({ result, human, known, engine }) {
  if (!result) return "";
  if (!known.winner || known.moves.length) return "draw";
  return human === null || engine.listing.seats[human] === known.winner ? "won" : "lost";
}

/** Return the result of a finished game as a text to share; "" before the end.
 * @param {Session} session */
export function resultText(session) {
  const { human, seated, plies, at, end } = session;
  if (!end) return "";
  const { title, seats } = session.engine.listing;
  if (human === null) return `${title}: ${resultOf(plies)}`;
  const mistakes = listMistakes([plies], human, seats).length;
  const did = { won: "I won", draw: "I drew", lost: "I lost", "": "" }[moodOf(session)];
  const judged = plies.every(({ known }) => known.outcome);
  const slips = judged ? `, with ${mistakes} mistake${mistakes === 1 ? "" : "s"}` : "";
  const helped = [end.hints && "hints", end.undone && "undo"].filter(Boolean).join(" and ");
  const by = helped ? `, helped by ${helped}` : "";
  return `${title}: ${did} against ${playerName(seated[1 - human])} in ${at} moves${slips}${by}.`;
}

/** Show the result of a game that has just ended over the board for a moment, unless motion is reduced.
 * @param {Session} session */
export function celebrate(session) {
  if (reducesMotion()) return;
  const { winner, moves } = session.known;
  const draws = !winner || moves.length;
  const text =
    session.human !== null ? sentence(session, false) : draws ? "A draw." : `${winner} wins!`;
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
  const { end, human, line, counted } = session;
  const ended = played && end && human !== null && line === 0 && !counted;
  if (ended) session.counted = true;
  const counts =
    ended && !end.hints && !end.undone
      ? count("games", game, MOODS.indexOf(moodOf(session)), MOODS.length)
      : countsOf("games", game);
  byId("score").textContent = counts
    ? `Without help you have won ${counts[0]}, drawn ${counts[1]} and lost ${counts[2]}.`
    : "";
}

/** Return the number of the move that lost the game for the user; 0 if there is none.
 * @param {Session} session */
function losingMove({ lines: [plies], human, engine: { listing } }) {
  const mistakes = listMistakes([plies], human, listing.seats);
  return mistakes.findLast(({ n }) => plies[n].known.outcome === "win")?.n ?? 0;
}

/**
 * Show the move that lost a game beside a better one, or while another is tried at move `tried`, what
 * that one is worth. Returns a comment on it.
 * @param {Session} session @param {number} tried
 * @param {{retry: (n: number) => void, close: () => void}} handlers
 */
export function renderLesson(session, tried, { retry, close }) {
  const lost = session.end && session.line === 0 && moodOf(session) === "lost";
  const n = tried || (lost ? losingMove(session) : 0);
  const comment = tried
    ? answerTo(session, tried)
    : { text: `Move ${n} lost the game.`, right: false };
  const place = byId("lesson");
  place.hidden = !n || !comment.text || (session.human === null && !tried);
  if (place.hidden) return "";
  const begun = session.at === n - 1;
  const again = makeButton("Try again here", { class: "strong", onclick: () => retry(n) });
  const keys = [
    comment.right || begun ? null : again,
    makeButton("Close", { class: "plain", onclick: close }),
  ];
  place.replaceChildren(
    make("h2", {}, comment.text),
    tried ? "" : make("div", { class: "pair" }, compareMoves(session, n)),
    make("div", { class: "keys" }, keys),
  );
  return tried ? comment.text : "";
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
  const ring = cell === null ? undefined : { cell, role };
  const picture = listing.style ? drawSmall(listing, marks ?? "", ring) : null;
  return make("figure", {}, picture, make("figcaption", {}, caption));
}
