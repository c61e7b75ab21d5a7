/** The entrance: a card for each game, with its picture, the value of its start and its size. */

/** @import { Listing } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { writeAddress } from "./address.js";
import { drawFrame, drawSmall, middle, planBoard } from "./boardart.js";
import { puzzleOfDay, today } from "./daily.js";
import { byId, capital, draw, grouped, make, sure } from "./dom.js";
import { follow, stateNow } from "./drive.js";
import { engineOf } from "./engines.js";
import { attempt } from "./notice.js";
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
    ? drawSample(listing, sample)
    : make("span", { class: "sample" }, textOf(listing, start));
  const value = make("span", {}, outcome ? VALUES[outcome] : unknown);
  const size = make("span", { class: "quiet" }, `${grouped(positions ?? 0)} positions`);
  const content = [make("strong", {}, title), value, positions ? size : null];
  return make(
    "li",
    {},
    make("a", { class: "tile", href: writeAddress({ game, ...seats }) }, picture, content),
  );
}

/** Return what a game looks like; one of dominoes, with the first of each side.
 * @param {Listing} listing @param {string} sample */
function drawSample(listing, sample) {
  if (!listing.game.startsWith("domineering:")) return drawSmall(listing, sample);
  const across = [sample.length - 2, sample.length - 1];
  const cells = [[0, sure(listing.board)[0]], across];
  return drawSmall(listing, "", { bars: cells.map(([a, b], side) => ({ cells: [a, b], side })) });
}

/** Show doors to the rest of the page, each with a picture: the puzzle of a day, Connect 4, and all of a
 * small game. @param {Listing[]} listings @param {(listing: Listing) => Fields} seatsOf */
export function showDoors(listings, seatsOf) {
  const small = listings.find(({ map }) => map);
  const rack = listings.find(({ game }) => game === "connect4:7x6" || game === "connect4");
  /** @param {Listing} listing @param {Fields} fields */
  const addressOf = (listing, fields) =>
    writeAddress({ game: listing.game, ...seatsOf(listing), ...fields });
  /** @param {string} title @param {Listing} listing @param {Fields} fields @param {Node} picture */
  const door = (title, listing, fields, picture) =>
    make("a", { class: "tile", href: addressOf(listing, fields) }, picture, title);
  const doors = [
    small && door("Today’s puzzle", small, { view: "puzzles" }, drawSmall(small, "")),
    rack?.sample && door(rack.title, rack, {}, drawSmall(rack, rack.sample)),
    small &&
      door(
        `Never lose at ${small.title}, in one picture`,
        small,
        { view: "map" },
        drawNested(small),
      ),
  ];
  const shown = doors.filter((one) => one instanceof HTMLAnchorElement);
  byId("doors").replaceChildren(...shown);
  if (!small) return;
  let day = 0; // whose puzzle the first door shows, once its game is there in any case
  follow(({ type }) => {
    const isOpen = /opened|viewed/.test(type) && stateNow().game?.listing === small;
    if (!isOpen || day === today()) return;
    day = today();
    shown[0].href = addressOf(small, { view: "puzzles", puzzle: `${day}` });
    attempt(async () => {
      const puzzle = await puzzleOfDay(await engineOf(small), day);
      if (puzzle) shown[0].firstChild?.replaceWith(drawSmall(small, puzzle.position));
    });
  });
}

/** Return the board of a small game with boards in its cells. @param {Listing} listing */
function drawNested(listing) {
  const plan = planBoard(listing);
  const board = `#board-${listing.game}`;
  const cells = Array.from({ length: plan.count }, (_, cell) => {
    const [x, y] = middle(plan, cell);
    return draw("use", { href: board, transform: `translate(${x - 16} ${y - 16})scale(0.24)` });
  });
  return drawFrame(plan, [draw("use", { href: board }), ...cells]);
}
