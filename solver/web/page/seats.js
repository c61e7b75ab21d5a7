/**
 * The choice of an opponent: a level or a friend; addresses may name a player of the library.
 *
 * Names are those of `perfectplay players`, with the argument after a colon: level:0.5, nstep:3;
 * `human` is the user.
 */

/** @import { Fields } from "./address.js" */
/** @import { Listing } from "./types.d.ts" */

import { byId, makeRadio } from "./dom.js";
import { recall } from "./store.js";

export const HUMAN = "human";
/** What the page calls its opponents. @type {Record<string, string | undefined>} */
const PEOPLE = Object.fromEntries(
  [...byId("opponents").querySelectorAll("input")].map((input) => [
    input.value,
    input.closest("label")?.textContent,
  ]),
);

/** Return whether a name is a player of a list, with a valid argument if it takes one.
 * @param {string} name @param {string[]} listed */
export function knowsPlayer(name, listed) {
  if (Object.hasOwn(PEOPLE, name)) return true;
  const [stem, argument] = name.split(":");
  if (stem === "level" && argument)
    return /^(0|1|[01]?\.\d+)$/.test(argument) && Number(argument) <= 1;
  if (stem === "nstep" && listed.includes("nstep:N")) return /^(1000|[1-9]\d{0,2})$/.test(argument);
  return listed.some((entry) => {
    const [, plain, given] = /^(.*?)(?:\[(:.*)\])?$/.exec(entry) ?? []; // which may be left out
    return name === plain || name === plain + (given ?? "");
  });
}

/** Return what people call a player. @param {string} name */
export const playerName = (name) => PEOPLE[name] ?? name;

/** Show an opponent in the choice of opponents; a player of the library becomes one more.
 * @param {HTMLElement} choice @param {string} name */
export function showOpponent(choice, name) {
  choice.querySelector(`label:nth-of-type(${Object.keys(PEOPLE).length + 1})`)?.remove();
  if (!Object.hasOwn(PEOPLE, name)) choice.append(makeRadio("opponent", name, false));
  for (const input of choice.querySelectorAll("input")) input.checked = input.value === name;
}

const usual = () => recall("opponent", "level:medium");

/** Return the players of an address where the user plays the side to move, against the usual one.
 * @param {Listing} listing @param {string} turn @returns {Fields} */
export const humanPlays = ({ seats }, turn) =>
  seats.indexOf(turn) ? { x: usual(), o: HUMAN } : {};

/** Return the two players of a game that an address asks for, and what is wrong with them.
 * @param {Fields} fields @param {string[]} players those that fit the game */
export function seatPlayers(fields, players) {
  /** @type {string[]} */
  const wrong = [];
  const openers = [HUMAN, knowsPlayer(usual(), players) ? usual() : "level:medium"];
  const chosen = [fields.x, fields.o].map((name, i) => {
    if (name === undefined) return openers[i];
    if (knowsPlayer(name, players)) return name;
    wrong.push(
      `There is no player ${name} for this game; the players are human, ${players.join(", ")}`,
    );
    return openers[i];
  });
  if (!chosen.includes(HUMAN)) {
    if (fields.x && fields.o) wrong.push("one of the two players has to be human");
    chosen[fields.o ? 0 : 1] = HUMAN;
  }
  return { chosen, wrong };
}
