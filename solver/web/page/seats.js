/**
 * The choice of a player for one side: a list, and a control for players that take an argument.
 *
 * Names are those of `perfectplay players`, with the argument after a colon: level:0.5, nstep:3,
 * perfect-against:winblock; `human` is the user.
 */

import { make } from "./dom.js";
import { HUMAN } from "./session.js";

const GROUPS = {
  Perfect: ["perfect", "minimax", "perfect-against:PLAYER"],
  Adjustable: ["level:P", "nstep:N"],
};
const LEVELS = { easy: "Easy", medium: "Medium", hard: "Hard" };
const OPPONENTS = {
  ...Object.fromEntries(Object.entries(LEVELS).map(([word, name]) => [`level:${word}`, name])),
  perfect: "Unbeatable",
  human: "A friend",
};
const DEPTHS = { min: 1, max: 9, value: 3 };
const FIRST = { "level:P": "0.5", "nstep:N": String(DEPTHS.value) };

/** Return whether a name is a player of a list, with a valid argument if it takes one. */
export function knowsPlayer(name, listed) {
  if (name === HUMAN) return true;
  const entry = entryOf(name, listed);
  const argument = argumentOf(name);
  if (entry === "level:P")
    return argument in LEVELS || (argument !== "" && argument >= 0 && argument <= 1);
  if (entry === "nstep:N") return /^[1-9]\d?$/.test(argument);
  if (entry === "perfect-against:PLAYER")
    return argument !== HUMAN && knowsPlayer(argument, listed);
  return (
    entry !== undefined && (name === entry || listed.includes(`${stemOf(name)}[:${argument}]`))
  );
}

/** Return what people call a player. */
export const playerName = (name) => OPPONENTS[name] ?? name;

/** Fill a choice of opponents; `name` is the present one, null if there is no human or no opponent. */
export function showOpponents(select, name) {
  const names = name in OPPONENTS ? Object.keys(OPPONENTS) : [...Object.keys(OPPONENTS), "more"];
  const options = names.map((value) => make("option", { value }, OPPONENTS[value] ?? "More …"));
  select.replaceChildren(...options);
  select.value = name in OPPONENTS ? name : "more";
}

const stemOf = (name) => name.split(/[:[]/)[0];
const argumentOf = (name) => (name.includes(":") ? name.slice(name.indexOf(":") + 1) : "");
const entryOf = (name, listed) => listed.find((entry) => stemOf(entry) === stemOf(name));

/** Return the names that need no argument. */
function choices(listed) {
  return listed.flatMap((entry) => {
    const option = /^(.*)\[(:.*)\]$/.exec(entry);
    return option ? [option[1], option[1] + option[2]] : [entry];
  });
}

/** Fill an element with the choice for a side; `onChoose(name)` is called when it changes. */
export function showSeat(root, { id, side, name, listed, levels, about }, onChoose) {
  const entry =
    name === HUMAN ? HUMAN : (choices(listed).find((n) => n === name) ?? entryOf(name, listed));
  const select = make(
    "select",
    { id, onchange: () => onChoose(firstName(select.value, listed)) },
    ...options(listed),
  );
  select.value = entry;
  root.replaceChildren(
    make("label", { class: "field" }, make("span", {}, side), select),
    ...argumentControl(id, entry, argumentOf(name), listed, levels, onChoose),
    make(
      "p",
      { class: "about" },
      name === HUMAN
        ? "You, or anyone beside you."
        : (about[stemOf(name)] ?? "").replaceAll("`", ""),
    ),
  );
}

function options(listed) {
  const all = choices(listed);
  const grouped = Object.values(GROUPS).flat();
  const option = (name) => make("option", { value: name }, name.replace(/:[A-Z]+$/, ""));
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

/** Return the name of a player just chosen, with an initial argument. */
function firstName(entry, listed) {
  if (entry === "perfect-against:PLAYER") return `perfect-against:${plainNames(listed)[0]}`;
  return entry in FIRST ? `${stemOf(entry)}:${FIRST[entry]}` : entry;
}

function plainNames(listed) {
  return choices(listed).filter((name) => !/:[A-Z]+$/.test(name));
}

/** Return a list with the control for the player's argument; empty if it takes none. */
function argumentControl(id, entry, argument, listed, levels, onChoose) {
  const numbered = { id: `${id}-argument`, "data-argument": stemOf(entry) };
  const kinds = { "level:P": sharePart, "nstep:N": depthPart, "perfect-against:PLAYER": rivalPart };
  const [label, ...controls] = kinds[entry]?.(numbered, argument, onChoose, listed, levels) ?? [];
  return label ? [make("label", { class: "field" }, make("span", {}, label), ...controls)] : [];
}

function sharePart(numbered, argument, onChoose, _listed, levels) {
  const percent = Math.round((levels[argument] ?? argument) * 100);
  const told = make("output", { for: numbered.id }, `${percent}%`);
  const show = () => {
    told.textContent = `${slider.value}%`;
  };
  const choose = () => onChoose(`level:${slider.value / 100}`);
  const range = { type: "range", min: 0, max: 100, step: 5, oninput: show, onchange: choose };
  const slider = make("input", { ...numbered, ...range, value: percent });
  return ["Perfect moves", slider, told];
}

function depthPart(numbered, argument, onChoose) {
  const choose = () => {
    const asked = Math.round(number.value) || DEPTHS.value;
    onChoose(`nstep:${Math.min(DEPTHS.max, Math.max(DEPTHS.min, asked))}`);
  };
  const range = { type: "number", ...DEPTHS, value: argument, onchange: choose };
  const number = make("input", { ...numbered, ...range });
  return ["Moves it looks ahead", number];
}

function rivalPart(numbered, argument, onChoose, listed) {
  const choose = () => onChoose(`perfect-against:${rival.value}`);
  const options = plainNames(listed).map((name) => make("option", { value: name }, name));
  const rival = make("select", { ...numbered, onchange: choose }, options);
  rival.value = argument;
  return ["Against", rival];
}
