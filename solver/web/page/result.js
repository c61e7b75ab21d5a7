/**
 * What the page says of a game: what the opponent can do, whose turn it is, how it ended, and whether
 * that counts. Nothing is said of a player who has not played.
 */

/** @import { Event, Listing, Shown } from "./types.d.ts" */

import { sideIcon } from "./boardart.js";
import { byId, capital, make, reducesMotion } from "./dom.js";
import { countsOf } from "./memory.js";
import { listMistakes } from "./plies.js";
import { HUMAN, habitOf, humanSide, playerName, shareOf } from "./seats.js";
import { verdict } from "./words.js";

const SPARKS = 14;
/** @type {Record<string, string | undefined>} */
const SENTENCES = { won: "You won!", lost: "You lost.", draw: "A draw." };

/** Return what is true of the opponent of a game: only one that plays perfectly, and has from the start,
 * cannot lose, unless that start is won for the user. @param {Shown} shown */
export function promise({ players, begun, help, why, listing, result, rivals }) {
  const human = humanSide(players);
  if (human === null) return `Take turns with a friend.${fact(listing)}`;
  const name = players[1 - human];
  if (result && !rivals.includes(name)) return `In the next game: ${playerName(name)}.`;
  const note = why ? ` Not counted: ${why}.` : "";
  const late = begun || help.includes("sides") || help.includes("opponent");
  const who = late ? `From here on, ${playerName(name)}` : playerName(name);
  const share = shareOf(name, listing) ?? 1;
  if (share < 1 || late) return `${who} ${habitOf(share)}.${note}`;
  const { outcome, title, searched } = listing;
  if (outcome && outcome !== "draw" && human === (outcome === "win" ? 0 : 1))
    return `You can win this: ${who} makes no mistake, so neither may you.${note}`;
  if (searched || !outcome) return `${who} works out each position of ${title} as it comes.${note}`;
  return `${who} has worked out every game of ${title} and cannot lose.${note}`;
}

/** @param {Listing} listing */
function fact({ outcome, seats }) {
  if (outcome === "draw") return " It is a draw if nobody makes a mistake.";
  return outcome ? ` From the start, ${seats[outcome === "win" ? 0 : 1]} can always win.` : "";
}

/** Return how a game ended without saying that it did. @param {string} result */
const endOf = (result) => capital(result.replace("The game is over: ", ""));

/** Return how a game that a link carries ended: after how many moves, and whether the winner made a
 * mistake. Who played it is not said, as nobody can check that. @param {Shown} shown @param {string} result */
function story({ plies, known: { winner }, listing: { seats } }, result) {
  const isJudged = winner && plies.every(({ known }) => known.outcome);
  const slips = isJudged && listMistakes(plies, [], seats.indexOf(winner), seats).length;
  const praise = slips === 0 ? `, and ${winner} made no mistake.` : ".";
  return `${endOf(result).replace(/\.$/, "")} after ${plies.length - 1} moves${praise}`;
}

/** Return one sentence: whose turn it is, or how the game ended. @param {Shown} shown */
export function sentence(shown) {
  const { known, players, result, own, mood, side, values, carried, humanMoves } = shown;
  if (result) {
    if (carried) return story(shown, result);
    if (own === null || known.moves.length) return endOf(result);
    return SENTENCES[mood] ?? "";
  }
  if (values) return verdict(known);
  if (carried && humanMoves) return `${known.turn} to move: what would you play?`;
  const name = players[side];
  if (name === HUMAN)
    return `${humanSide(players) === null ? "" : "Your turn: "}${known.turn} to move.`;
  return `${known.turn} to move: ${playerName(name)}${known.outcome ? "" : " is thinking"}.`;
}

/** Show whose turn it is, or how the game ended. @param {Shown} shown */
export function showStatus(shown) {
  const { result, known, listing, mood, humanMoves, held } = shown;
  const side = result ? known.winner : known.turn;
  const icon = side ? sideIcon(side, listing) : "";
  byId("status").replaceChildren(icon, sentence(shown));
  delete byId("status").dataset.wait;
  byId("status").classList.toggle("over", Boolean(result));
  byId("status").dataset.mood = mood;
  byId("board").setAttribute("aria-busy", String(!result && !humanMoves && !held));
}

/** Return what a change has led to, for screen readers. @param {Shown} shown @param {Event} event */
export function describe(shown, event) {
  const { plies, at } = shown;
  const head =
    event.type === "played"
      ? `${plies[at - 1].known.turn} plays ${event.move.label}.`
      : `Move ${at} of ${plies.length - 1}.`;
  return `${head} ${sentence(shown)}`;
}

/** Return the result of a finished game as a text to share; "" before the end. @param {Shown} shown */
export function resultText(shown) {
  const { own, plies, main, at, result, mood, rivals, begun, help, listing } = shown;
  if (!result) return "";
  const { title, seats } = listing;
  if (own === null) return `${title}: ${endOf(result)}`;
  const did = { won: "I won", draw: "I drew", lost: "I lost" }[mood];
  const against = rivals.length ? ` against ${rivals.map(playerName).join(" and ")}` : "";
  const from = begun === "position" ? " from a position set up" : "";
  const moves = plies.slice(1, at + 1).filter(({ by }) => by === HUMAN).length;
  const slips = listMistakes(plies, [], own, seats).length;
  const judged = plies.every(({ known }) => known.outcome);
  const errors = judged ? `, with ${slips} mistake${slips === 1 ? "" : "s"}` : "";
  const aids = ["hints", "undo"].filter((kind) => help.includes(kind));
  const aid = [...aids, ...(plies === main ? [] : ["another try"])].join(" and ");
  const by = aid ? `, helped by ${aid}` : "";
  const many = `${moves} move${moves === 1 ? "" : "s"}`;
  return `${title}: ${did}${against}${from} in ${many}${errors}${by}.`;
}

/** Show the result of a game that has just ended over the board for a moment, unless motion is reduced.
 * @param {Shown} shown */
export function celebrate(shown) {
  if (reducesMotion()) return;
  const { known, mood, own } = shown;
  const draws = !known.winner || known.moves.length;
  const text = own !== null ? sentence(shown) : draws ? "A draw." : `${known.winner} wins!`;
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

/** Show how the games of the user have ended. @param {Shown} shown */
export function showScore({ listing: { game } }) {
  const counts = countsOf("games", game);
  byId("score").textContent = counts
    ? `Against all opponents, without help: ${counts[0]} won, ${counts[1]} drawn, ${counts[2]} lost.`
    : "";
}
