/** Helpers to make elements without markup in strings; they depend on nothing but the browser. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return the element with an id.
 * @returns {any} since the caller knows the kind of element
 */
export const byId = (id) => document.getElementById(id);

/**
 * Return a new HTML element. Attributes such as `onclick` are listeners; true stands for an
 * attribute without a value, and false, null and undefined for no attribute.
 * @param {string} tag
 * @param {Record<string, any>} attributes
 * @returns {any} since the tag tells the kind of element
 */
export function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/**
 * Return a new SVG element, as `make` does. `look` names its colours in style.css: "f-win s-ink" is
 * filled with --win and outlined with --ink, "none" is not filled.
 * @param {string} tag
 * @param {Record<string, any>} attributes
 */
export function draw(tag, { look = "", ...attributes } = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const part of look.split(" ")) {
    if (part === "none") element.setAttribute("fill", "none");
    else if (part)
      element.setAttribute(part[0] === "f" ? "fill" : "stroke", `var(--${part.slice(2)})`);
  }
  return furnish(element, attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return whether the user prefers reduced motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Return a text with its first letter capitalized. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return an integer with commas between thousands. */
export const grouped = (number) => Number(number).toLocaleString("en");

/** Announce a change to screen readers. */
export function announce(text) {
  const place = byId("live");
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

/**
 * Let the arrow keys move the focus among elements of which Tab reaches only one. `columns` is the
 * length of a row; arrows stop at the edges. Tab reaches the element at `start`.
 */
export function rove(elements, columns, start = 0) {
  const aim = (to) => {
    for (const [i, element] of elements.entries())
      element.setAttribute("tabindex", i === to ? 0 : -1);
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
