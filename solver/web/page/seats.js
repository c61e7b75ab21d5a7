/**
 * The choice of an opponent: a level, a friend, or a player of the library.
 *
 * Names are those of `perfectplay players`, with the argument after a colon: level:0.5, nstep:3;
 * `human` is the user.
 */

import { make } from "./dom.js";

export const HUMAN = "human";
/** @type {Record<string, string | undefined>} */
const PEOPLE = {
  "level:easy": "Easy",
  "level:medium": "Medium",
  "level:hard": "Hard",
  perfect: "Unbeatable",
  human: "A friend",
};
/** @type {Record<string, string[] | undefined>} */
const TYPICAL = { "level:P": [], "nstep:N": ["nstep:1", "nstep:2", "nstep:3"] };

/** Return the names of a list that the choice has: those with an argument several times.
 * @param {string[]} listed */
function choices(listed) {
  const names = listed.flatMap((entry) => {
    const [, stem, argument] = /^(.*)\[(:.*)\]$/.exec(entry) ?? [];
    return stem ? [stem, stem + argument] : (TYPICAL[entry] ?? [entry]);
  });
  return names.filter((name) => !Object.hasOwn(PEOPLE, name));
}

/** Return whether a name is a player of a list, with a valid argument if it takes one.
 * @param {string} name @param {string[]} listed */
export function knowsPlayer(name, listed) {
  if (Object.hasOwn(PEOPLE, name)) return true;
  const [stem, argument] = name.split(":");
  if (stem === "level" && argument) return Number(argument) >= 0 && Number(argument) <= 1;
  if (stem === "nstep" && listed.includes("nstep:N")) return /^[1-9]\d?$/.test(argument);
  return choices(listed).includes(name);
}

/** Return what people call a player. @param {string} name */
export const playerName = (name) => PEOPLE[name] ?? name;

/** Fill a choice of opponents. @param {HTMLSelectElement} select @param {string} name the present one
 * @param {string[]} listed */
export function showOpponents(select, name, listed) {
  const option = (/** @type {string} */ value) => make("option", { value }, playerName(value));
  const library = choices(listed);
  if (!Object.hasOwn(PEOPLE, name) && !library.includes(name)) library.push(name);
  const group = make("optgroup", { label: "Library" }, library.map(option));
  select.replaceChildren(...Object.keys(PEOPLE).map(option), group);
  select.value = name;
}
