/** The entrance: a card for each game, with its picture, the value of its start and its size. */

/** @import { Listing } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { writeAddress } from "./address.js";
import { drawSmall } from "./boardart.js";
import { byId, capital, grouped, make } from "./dom.js";
import { textOf } from "./textboard.js";

const FIRST_CARDS = ["tictactoe", "connect4:7x6"]; // the others follow in the order of the server
const VALUES = {
  win: "The first player can always win.",
  draw: "A draw, if nobody makes a mistake.",
  loss: "The second player can always win.",
};

/** Fill the entrance with the cards of some games, each with the seats that it opens with.
 * @param {Listing[]} listings @param {(listing: Listing) => Fields} seatsOf */
export function showGallery(listings, seatsOf) {
  /** @param {Listing} listing */
  const rank = ({ game }) =>
    (FIRST_CARDS.indexOf(game) + FIRST_CARDS.length + 1) % (FIRST_CARDS.length + 1);
  const ordered = [...listings].sort((a, b) => rank(a) - rank(b));
  byId("cards").replaceChildren(...ordered.map((one) => listCard(one, seatsOf(one))));
}

/** @param {Listing} listing @param {Fields} seats */
function listCard(listing, seats) {
  const { game, title, positions, outcome, published, sample, start } = listing;
  const source = published?.split(" in ")[0];
  const unknown = source ? `${capital(source)}.` : "Worked out while you play.";
  const picture = sample
    ? drawSmall(listing, sample)
    : make("span", { class: "sample" }, textOf(listing, start));
  const value = make("span", {}, outcome ? VALUES[outcome] : unknown);
  const size = make("span", { class: "quiet" }, `${grouped(positions ?? 0)} positions`);
  const content = [make("strong", {}, title), value, positions ? size : null];
  return make("li", {}, make("a", { href: writeAddress({ game, ...seats }) }, picture, content));
}
