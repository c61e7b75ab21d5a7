/**
 * The players of a game, by the names of addresses: the levels, which play the best move in a share of
 * their turns and any move in the others, the perfect player, and `human`, who is the user or a friend.
 */

/** @import { Fields } from "./address.js" */
/** @import { Listing } from "./types.d.ts" */

export const HUMAN = "human";
/** What the page calls its opponents. @type {Record<string, string | undefined>} */
export const OPPONENTS = {
  "level:easy": "Easy",
  "level:medium": "Medium",
  "level:hard": "Hard",
  perfect: "Perfect",
  human: "A friend",
};

/** Return what people call a player. @param {string} name */
export const playerName = (name) => OPPONENTS[name] ?? name;

/** Return the share of a player's turns in which it plays the best move; null for people.
 * @param {string} name @param {Listing} listing */
export function shareOf(name, { levels }) {
  if (name === "perfect") return 1;
  const word = name.split(":")[1];
  return word ? (levels[word] ?? 1) : null;
}

/** Return what a player with a share does. @param {number} share */
export function habitOf(share) {
  if (share < 0.5) return "mostly guesses";
  if (share < 0.88) return "slips now and then";
  return share < 1 ? "rarely slips" : "never slips";
}

/** Return the opponents of a game: of two that play alike, one. @param {Listing} listing */
export function opponentsOf(listing) {
  /** @type {(number | null)[]} */
  const shares = [1];
  return Object.keys(OPPONENTS).filter((name) => {
    const share = shareOf(name, listing);
    const isNew = name === "perfect" || !shares.includes(share);
    shares.push(share);
    return isNew;
  });
}

/** Return the opponent of a game that plays as one with a name does. @param {string} name
 * @param {Listing} listing */
const alike = (name, listing) =>
  opponentsOf(listing).find((one) => shareOf(one, listing) === shareOf(name, listing)) ?? "perfect";

/** Return the side of the only human, 0 or 1; null if there are two. @param {string[]} players */
export function humanSide([first, second]) {
  return first === second ? null : [first, second].indexOf(HUMAN);
}

/** Return what the API and addresses call a side, given its name. @param {Listing} listing
 * @param {string} [seat] */
export const codeOf = ({ seats, codes }, seat = "") => codes[seats.indexOf(seat)] ?? seat;

/** Return the name of a side, given what the API calls it. @param {Listing} listing
 * @param {string} [code] */
export const nameOf = ({ seats, codes }, code = "") => seats[codes.indexOf(code)] ?? code;

/** Return the side against one. @param {Pick<Listing, "seats">} listing @param {string} seat */
export const rivalOf = ({ seats }, seat) => seats[1 - seats.indexOf(seat)];

/** Return the players as in an address, where the user has a side.
 * @param {number} side @param {string} opponent @returns {{x: string, o: string}} */
export const seated = (side, opponent) =>
  side ? { x: opponent, o: HUMAN } : { x: HUMAN, o: opponent };

/** Return the side that does not lose from the start under best play: the first one of a draw.
 * @param {Listing} listing */
export const safeSide = ({ outcome }) => (outcome === "loss" ? 1 : 0);

/** Return the two players of a game that an address asks for, and what is wrong with them.
 * @param {Fields} fields @param {Listing} listing @param {string} usual the opponent that is chosen */
export function seatPlayers(fields, listing, usual) {
  /** @type {string[]} */
  const wrong = [];
  const openers = [HUMAN, alike(OPPONENTS[usual] ? usual : "level:medium", listing)];
  const chosen = [fields.x, fields.o].map((name, i) => {
    if (name === undefined) return openers[i];
    if (OPPONENTS[name]) return name === HUMAN ? name : alike(name, listing);
    wrong.push(`There is no opponent “${name}”: ${playerName(openers[1])} plays instead`);
    return openers[1];
  });
  if (!chosen.includes(HUMAN)) {
    const side = fields.o ? 0 : 1;
    if (fields.x && fields.o)
      wrong.push(`One side has to be yours: you play ${listing.seats[side]}`);
    chosen[side] = HUMAN;
  }
  return { chosen, wrong };
}
