/** What the page says of a game: what the opponent can do, whose turn it is, and how it ended. */

/** @import { Listing, News } from "./types.d.ts" */
/** @import { Session } from "./session.js" */

import { sideIcon } from "./boardart.js";
import { listMistakes } from "./course.js";
import { byId } from "./dom.js";
import { shareOf } from "./engines.js";
import { HUMAN, playerName } from "./seats.js";
import { readerOf, resultOf } from "./session.js";
import { verdict } from "./words.js";

/** Return what is true of the opponent of a game: only one that plays perfectly cannot lose.
 * @param {Session} session */
export function promise({ players, engine: { listing } }) {
  const reader = readerOf(players);
  if (reader === null) return `Take turns with a friend.${fact(listing)}`;
  const name = players[1 - reader];
  const who = playerName(name);
  const share = shareOf(name, listing);
  if (share !== null && share < 1)
    return `${who} plays perfectly in ${Math.round(100 * share)} % of its turns, and any move in the others.`;
  if (share === null && name !== "perfect" && name !== "minimax")
    return `${who} is a player of the library.`;
  const { outcome, title } = listing;
  if (!outcome) return `${who} works out every position of ${title} that it comes to.`;
  const known = `${who} has worked out every game of ${title}`;
  if (outcome === "draw" || reader !== (outcome === "win" ? 0 : 1))
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
  const { known, players, result, reader } = session;
  if (result) {
    if (reader === null || known.moves.length) return result;
    return { won: "You won!", lost: "You lost.", draw: "A draw.", "": "" }[moodOf(session)];
  }
  if (values) return verdict(known);
  const name = players[session.side];
  if (name === HUMAN)
    return `${readerOf(players) === null ? "" : "Your turn: "}${known.turn} to move.`;
  return `${known.turn} to move: ${playerName(name)}${known.outcome ? "" : " is thinking"}.`;
}

/** Show whose turn it is, or how the game ended. @param {Session} session @param {boolean} values */
export function showStatus(session, values) {
  const side = session.result ? session.known.winner : session.known.turn;
  const icon = side ? sideIcon(side, session.engine.listing) : null;
  byId("status").replaceChildren(...(icon ? [icon] : []), sentence(session, values));
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
export function moodOf({ result, reader, known, engine }) {
  if (!result) return "";
  if (!known.winner || known.moves.length) return "draw";
  return reader === null || engine.listing.seats[reader] === known.winner ? "won" : "lost";
}

/** Return the result of a finished game as a text to share; "" before the end.
 * @param {Session} session */
export function resultText(session) {
  const { reader, seated, plies, at, end } = session;
  if (!end) return "";
  const { title, seats } = session.engine.listing;
  if (reader === null) return `${title}: ${resultOf(plies)}`;
  const mistakes = listMistakes([plies], reader, seats).length;
  const did = { won: "I won", draw: "I drew", lost: "I lost", "": "" }[moodOf(session)];
  const judged = plies.every(({ known }) => known.outcome);
  const slips = judged ? `, with ${mistakes} mistake${mistakes === 1 ? "" : "s"}` : "";
  const helped = [end.hints && "hints", end.undone && "undo"].filter(Boolean).join(" and ");
  const by = helped ? `, helped by ${helped}` : "";
  return `${title}: ${did} against ${playerName(seated[1 - reader])} in ${at} moves${slips}${by}.`;
}
