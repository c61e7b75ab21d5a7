/** Helpers to make elements without markup in strings; they depend on nothing but the browser. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | (() => void)>} Attributes */

/** Return a value that is there; throw if it is not.
 * @template T @param {T} value @returns {NonNullable<T>} */
export function sure(value) {
  if (value === null || value === undefined) throw TypeError("something of the page is missing");
  return value;
}

/** Return the element of a kind with an id.
 * @template {HTMLElement} T @param {new () => T} kind @param {string} id */
function find(kind, id) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw TypeError(`the page has no ${kind.name} ${id}`);
}

/** Return the element with an id. @param {string} id */
export const byId = (id) => find(HTMLElement, id);
/** Return the input with an id. @param {string} id */
export const inputOf = (id) => find(HTMLInputElement, id);
/** Return the choice with an id. @param {string} id */
export const choiceOf = (id) => find(HTMLSelectElement, id);

/** Return the dialog with an id, which its button closes. @param {string} id */
export function dialogOf(id) {
  const dialog = find(HTMLDialogElement, id);
  byId(`${id}-close`).onclick = () => dialog.close();
  return dialog;
}

/** Return a new HTML element. Attributes such as `onclick` are listeners; true stands for an
 * attribute without a value, and false, null and undefined for no attribute.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} attributes @param {(Child | Child[])[]} children */
export function make(tag, attributes = {}, ...children) {
  return setUp(document.createElement(tag), attributes, children);
}

/** Return a new button. @param {Child | Child[]} content @param {Attributes} attributes */
export const makeButton = (content, attributes) =>
  make("button", { type: "button", ...attributes }, content);

/** Return a choice: a radio button and its label.
 * @param {string} name @param {string} value @param {boolean} checked @param {string} label */
export const makeRadio = (name, value, checked, label = value) =>
  make("label", {}, make("input", { type: "radio", name, value, checked }), label);

/**
 * Return a new SVG element, as `make` does. `look` names its colours in style.css: "f-win s-ink" is
 * filled with --win and outlined with --ink, "none" is not filled.
 * @template {keyof SVGElementTagNameMap} T @param {T} tag
 * @param {Attributes & {look?: string}} attributes @param {(Child | Child[])[]} children
 */
export function draw(tag, { look = "", ...attributes } = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const part of look.split(" ")) {
    if (part === "none") element.setAttribute("fill", "none");
    else if (part)
      element.setAttribute(part[0] === "f" ? "fill" : "stroke", `var(--${part.slice(2)})`);
  }
  return setUp(element, attributes, children);
}

/** @template {Element} T
 * @param {T} element @param {Attributes} attributes @param {(Child | Child[])[]} children */
function setUp(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  element.append(...present(children.flat()));
  return element;
}

/** Replace a list's entries; if the focus was in it, focus the entry that matches.
 * @param {HTMLElement} list @param {(Node | string)[]} items @param {string} selector */
export function refill(list, items, selector) {
  const focused = list.contains(document.activeElement);
  list.replaceChildren(...items);
  const entry = list.querySelector(selector);
  if (focused && entry instanceof HTMLElement) entry.focus();
}

/** Return a list without what is missing. @template T @param {T[]} list */
export const present = (list) => list.filter((one) => one !== null && one !== undefined);

/** Return whether the user prefers reduced motion. */
export const reducesMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Return a text with its first letter capitalized. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return an integer with commas between thousands. @param {number} number */
export const grouped = (number) => number.toLocaleString("en");

/** Announce a change to screen readers. @param {string} text */
export function announce(text) {
  const place = byId("live");
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

/** Let the arrow keys move the focus among elements of which Tab reaches only one. `columns` is the
 * length of a row; arrows stop at the edges. Tab reaches the element at `start`.
 * @param {HTMLElement[]} elements @param {number} columns */
export function roveFocus(elements, columns, start = 0) {
  const aim = (/** @type {number} */ to) => {
    for (const [i, element] of elements.entries()) element.tabIndex = i === to ? 0 : -1;
  };
  elements.forEach((element, i) => {
    element.addEventListener("focus", () => aim(i));
    element.addEventListener("keydown", (event) => {
      const to = stepTo(event.key, i, elements.length, columns);
      if (to === i || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      elements[to].focus();
    });
  });
  aim(start);
}

/** @param {string} key @param {number} at @param {number} count @param {number} columns */
function stepTo(key, at, count, columns) {
  const column = at % columns;
  if (key === "ArrowLeft" && column > 0) return at - 1;
  if (key === "ArrowRight" && column < columns - 1 && at + 1 < count) return at + 1;
  if (key === "ArrowUp" && at >= columns) return at - columns;
  if (key === "ArrowDown" && at + columns < count) return at + columns;
  if (key === "Home") return at - column;
  if (key === "End") return Math.min(at - column + columns, count) - 1;
  return at;
}
