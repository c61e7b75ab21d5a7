/**
 * The choice of a player for one side: a list, and a control for players that take an argument.
 *
 * Names are those of `perfectplay players`, with the argument after a colon: level:0.5, nstep:3;
 * `human` is the user.
 */

/** @import { Listing } from "./types.d.ts" */
/** @import { Attributes } from "./dom.js" */

import { make } from "./dom.js";
import { HUMAN } from "./session.js";

const GROUPS = {
  Perfect: ["perfect", "minimax"],
  Adjustable: ["level:P", "nstep:N"],
};
const LEVELS = { easy: "Easy", medium: "Medium", hard: "Hard" };
/** @type {Record<string, string | undefined>} */
const OPPONENTS = {
  ...Object.fromEntries(Object.entries(LEVELS).map(([word, name]) => [`level:${word}`, name])),
  perfect: "Unbeatable",
  human: "A friend",
};
const DEPTHS = { min: 1, max: 9, value: 3 };
/** @type {Record<string, string | undefined>} */
const FIRST = { "level:P": "0.5", "nstep:N": String(DEPTHS.value) };

/** Return whether a name is a player of a list, with a valid argument if it takes one.
 * @param {string} name @param {string[]} listed @returns {boolean} */
export function knowsPlayer(name, listed) {
  if (name === HUMAN) return true;
  const entry = entryOf(name, listed);
  const argument = argumentOf(name);
  if (entry === "level:P")
    return argument in LEVELS || (argument !== "" && isShare(Number(argument)));
  if (entry === "nstep:N") return /^[1-9]\d?$/.test(argument);
  return (
    entry !== undefined && (name === entry || listed.includes(`${stemOf(name)}[:${argument}]`))
  );
}

const isShare = (/** @type {number} */ number) => number >= 0 && number <= 1;

/** Return what people call a player. @param {string} name */
export const playerName = (name) => OPPONENTS[name] ?? name;

/** Fill a choice of opponents; `name` is the present one, null if there is no human or no opponent.
 * @param {HTMLSelectElement} select @param {string | null} name */
export function showOpponents(select, name) {
  const shown = name !== null && name in OPPONENTS ? name : "more";
  const names = Object.keys(OPPONENTS);
  if (shown === "more") names.push("more");
  const options = names.map((value) => make("option", { value }, OPPONENTS[value] ?? "More …"));
  select.replaceChildren(...options);
  select.value = shown;
}

const stemOf = (/** @type {string} */ name) => name.split(/[:[]/)[0];
/** @param {string} name */
const argumentOf = (name) => (name.includes(":") ? name.slice(name.indexOf(":") + 1) : "");
/** @param {string} name @param {string[]} listed */
const entryOf = (name, listed) => listed.find((entry) => stemOf(entry) === stemOf(name));

/** Return the names that need no argument. @param {string[]} listed */
function choices(listed) {
  return listed.flatMap((entry) => {
    const option = /^(.*)\[(:.*)\]$/.exec(entry);
    return option ? [option[1], option[1] + option[2]] : [entry];
  });
}

/** @typedef {(name: string) => void} OnChoose */

/**
 * Fill an element with the choice for a side; `onChoose(name)` is called when it changes.
 * @param {Element} root
 * @param {{id: string, side: string, name: string, listing: Listing, about: Record<string, string>}} seat
 * @param {OnChoose} onChoose
 */
export function showSeat(root, { id, side, name, listing, about }, onChoose) {
  const listed = listing.players;
  const known = [HUMAN, ...choices(listed)].includes(name);
  const entry = known ? name : (entryOf(name, listed) ?? "");
  /** @type {HTMLSelectElement} */
  const select = make(
    "select",
    { id, onchange: () => onChoose(firstName(select.value)) },
    ...options(listed),
  );
  select.value = entry;
  root.replaceChildren(
    make("label", { class: "field" }, make("span", {}, side), select),
    ...argumentControl(id, entry, argumentOf(name), listing, onChoose),
    make(
      "p",
      { class: "about" },
      name === HUMAN
        ? "You, or anyone beside you."
        : (about[stemOf(name)] ?? "").replaceAll("`", ""),
    ),
  );
}

function options(/** @type {string[]} */ listed) {
  const all = choices(listed);
  const grouped = Object.values(GROUPS).flat();
  /** @param {string} name */
  const option = (name) => make("option", { value: name }, name.replace(/:[A-Z]+$/, ""));
  /** @param {string} label @param {string[]} names */
  const group = (label, names) => make("optgroup", { label }, ...names.map(option));
  return [
    make("option", { value: HUMAN }, "Human"),
    ...Object.entries(GROUPS).map(([label, names]) =>
      group(
        label,
        names.filter((n) => all.includes(n)),
      ),
    ),
    group(
      "Rules of thumb",
      all.filter((name) => !grouped.includes(name)),
    ),
  ];
}

/** Return the name of a player just chosen, with an initial argument.
 * @param {string} entry */
function firstName(entry) {
  return entry in FIRST ? `${stemOf(entry)}:${FIRST[entry]}` : entry;
}

/** @typedef {(numbered: Attributes, argument: string, onChoose: OnChoose, listing: Listing) =>
 *   [string, ...HTMLElement[]]} Part the label and the controls for an argument */
/** @type {Record<string, Part | undefined>} */
const PARTS = { "level:P": sharePart, "nstep:N": depthPart };

/** Return a list with the control for the player's argument; empty if it takes none.
 * @param {string} id @param {string} entry @param {string} argument @param {Listing} listing
 * @param {OnChoose} onChoose */
function argumentControl(id, entry, argument, listing, onChoose) {
  const numbered = { id: `${id}-argument`, "data-argument": stemOf(entry) };
  const [label, ...controls] = PARTS[entry]?.(numbered, argument, onChoose, listing) ?? [];
  return label ? [make("label", { class: "field" }, make("span", {}, label), ...controls)] : [];
}

/** @type {Part} */
function sharePart(numbered, argument, onChoose, { levels }) {
  const percent = Math.round(Number(levels[argument] ?? argument) * 100);
  const told = make("output", { for: numbered.id }, `${percent}%`);
  const show = () => {
    told.textContent = `${slider.value}%`;
  };
  const choose = () => onChoose(`level:${slider.valueAsNumber / 100}`);
  const range = { type: "range", min: 0, max: 100, step: 5, oninput: show, onchange: choose };
  /** @type {HTMLInputElement} */
  const slider = make("input", { ...numbered, ...range, value: percent });
  return ["Perfect moves", slider, told];
}

/** @type {Part} */
function depthPart(numbered, argument, onChoose) {
  const choose = () => {
    const asked = Math.round(number.valueAsNumber) || DEPTHS.value;
    onChoose(`nstep:${Math.min(DEPTHS.max, Math.max(DEPTHS.min, asked))}`);
  };
  const range = { type: "number", ...DEPTHS, value: argument, onchange: choose };
  const number = make("input", { ...numbered, ...range });
  return ["Moves it looks ahead", number];
}
