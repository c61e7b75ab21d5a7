/**
 * The page's address as the state of a game: #game=tictactoe&moves=0,4&x=human&o=perfect.
 *
 * Keys: game; moves as tables write them, with commas between them; position and turn, where the
 * game did not begin at its start; ply, if not the last one is shown; x and o, the players of the
 * first and the second side; values=1 with the moves' values shown; view, the part of the page.
 */

const KEYS = ["game", "position", "turn", "moves", "ply", "x", "o", "values", "view"];

/** Return what an address says, each key's text, and a list of what is wrong with it. */
export function readAddress(hash) {
  const said = {};
  const wrong = [];
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    const [, key, text] = /^([^=]*)=?(.*)$/s.exec(part);
    if (!KEYS.includes(key)) {
      wrong.push(`“${part}” is nothing that an address says; it may say ${KEYS.join(", ")}`);
      continue;
    }
    try {
      said[key] = decodeURIComponent(text.replaceAll("+", " "));
    } catch {
      wrong.push(`“${part}” has a % without two digits after it`);
    }
  }
  return { said, wrong };
}

/** Return the address for what is said; keys without a value are left out. */
export function writeAddress(said) {
  const told = KEYS.filter((key) => said[key] !== undefined && said[key] !== "");
  return `#${told.map((key) => `${key}=${escapePart(String(said[key]))}`).join("&")}`;
}

/** Escape what would end a part, and leave readable what need not be escaped. */
function escapePart(text) {
  return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
}

/**
 * Return the legal move with which a text of moves goes on, and the rest of the text. A move's own
 * text may have commas, so the longest that fits is taken. Null if none does.
 */
export function takeMove(text, moves) {
  const fits = (code) => text === code || text.startsWith(`${code},`);
  const found = moves.filter((move) => fits(String(move.move)));
  if (!found.length) return null;
  const long = (move) => String(move.move).length;
  const move = found.reduce((a, b) => (long(b) > long(a) ? b : a));
  return { move, rest: text.slice(long(move) + 1) };
}
