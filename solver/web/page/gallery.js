/** The entrance: a card for each game, with its picture, the value of its start and its size. */

/** @import { Listing } from "./types.d.ts" */

import { writeAddress } from "./address.js";
import { drawBoard, planBoard } from "./boardart.js";
import { byId, capital, draw, grouped, make } from "./dom.js";
import { textOf } from "./textboard.js";

const FIRST_CARDS = ["tictactoe", "connect4:7x6"]; // the others follow in the order of the server
const VALUES = {
  win: "The first player can always win.",
  draw: "A draw, if nobody makes a mistake.",
  loss: "The second player can always win.",
};

/** Fill the entrance with the cards of some games. @param {Listing[]} listings */
export function showGallery(listings) {
  /** @param {Listing} listing */
  const rank = ({ game }) =>
    (FIRST_CARDS.indexOf(game) + FIRST_CARDS.length + 1) % (FIRST_CARDS.length + 1);
  const ordered = [...listings].sort((a, b) => rank(a) - rank(b));
  byId("cards").replaceChildren(...ordered.map(listCard));
}

function listCard(/** @type {Listing} */ listing) {
  const { game, title, positions, outcome, published } = listing;
  return make(
    "li",
    {},
    make(
      "a",
      { href: writeAddress({ game }) },
      drawSample(listing),
      make("strong", {}, title),
      make(
        "span",
        {},
        outcome
          ? VALUES[outcome]
          : published
            ? `${capital(published.split(" in ")[0])}.`
            : "Worked out while you play.",
      ),
      positions ? make("span", { class: "quiet" }, `${grouped(positions)} positions`) : null,
    ),
  );
}

/** Return the picture of a position of a game; its text without a board. @param {Listing} listing */
function drawSample(listing) {
  if (!listing.sample) return make("span", { class: "sample" }, textOf(listing, listing.start));
  const plan = planBoard(listing);
  const seen = { marks: listing.sample, won: [], targets: [], values: [], best: [] };
  const picture = { viewBox: `0 0 ${plan.width} ${plan.height}`, "aria-hidden": "true" };
  return draw("svg", picture, drawBoard(plan, seen));
}
