/**
 * The page's address as the state of a game: #game=tictactoe&moves=0,4&x=human&o=perfect.
 *
 * Keys: game; moves as in tables, separated by commas; position and turn, if the game did not start
 * at its initial position; ply, if the last one is not shown; x and o, the players of the first and
 * the second side; values=1 if the moves' values are shown; view, the part of the page; side and
 * path, the place in the map: cells that the opponent takes, from 1; puzzle, its position and side, or
 * the number of a day; embed=1 if there is only the board, as at /embed. Old links may have shared=1.
 */

/** @typedef {"game" | "position" | "turn" | "moves" | "ply" | "x" | "o" | "values" | "view" | "side"
 * | "path" | "puzzle" | "embed" | "shared"} Key */
/** @typedef {{[key in Key]?: string}} Fields */

const KEYS = /** @type {Key[]} */ (
  "game position turn moves ply x o values view side path puzzle embed shared".split(" ")
);

/** Parse an address; return the text of each key, and a list of errors. @param {string} hash */
export function readAddress(hash) {
  /** @type {Fields} */
  const fields = {};
  /** @type {string[]} */
  const wrong = [];
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    const [name, ...rest] = part.split("=");
    const key = KEYS.find((known) => known === name);
    if (!key) {
      wrong.push(`The address has a part without a meaning, “${part}”: it is left out`);
      continue;
    }
    try {
      if (part === "embed") fields.embed = "1";
      else fields[key] = decodeURIComponent(rest.join("=").replaceAll("+", " "));
    } catch {
      wrong.push(`A part of the address cannot be read, “${part}”: it is left out`);
    }
  }
  return { fields, wrong };
}

/** Return the address for these keys; those without a value are left out.
 * @param {{[key in Key]?: string | number}} fields */
export function writeAddress(fields) {
  const written = KEYS.filter((key) => fields[key] !== undefined && fields[key] !== "");
  return `#${written.map((key) => `${key}=${escapePart(String(fields[key]))}`).join("&")}`;
}

/** Escape what would end a part, and nothing else, so that addresses stay readable.
 * @param {string} text */
function escapePart(text) {
  return encodeURIComponent(text)
    .replaceAll("%2C", ",")
    .replaceAll("%3A", ":")
    .replaceAll("%2F", "/");
}
