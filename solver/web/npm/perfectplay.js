/**
 * Perfect play from a table; perfectplay.d.ts describes it. Boards are texts of X, O and . row by row,
 * X began; in Connect 4 also the columns played: "4453". For other games `rules` give key(board), the
 * canonical image as text (JSON) or as a BigInt, moves(board) in order, [] at the end, and
 * play(board, move), a board. Values are for the side to move, distances in plies.
 */

/** @import { JsonTable, Outcome, Rules, Table, openTable as Open } from "./perfectplay.d.ts" */
/** @typedef {[move: unknown, score: number, trap: number]} Rated */
/** @typedef {[score: number, moves?: Rated[]]} Found */
/**
 * @typedef {object} Opened
 * @property {{game: string, canonical: number | string, entries?: object}} about
 * @property {(key: unknown) => Found | undefined} find
 * @property {number[]} counts
 * @property {number | false} size of a board, if it is known
 */
/** @typedef {[outcome: number, distance: number, why: unknown, moves: [number | string, number, number, number][]]} Entry */
/** @typedef {JsonTable & {canonical: number, symmetries: {cells: number[][]}, entries: Record<string, Entry>}} Json */

const TOP = 16384; // a score is outcome * (TOP - distance)
/** @type {Outcome[]} */
const OUTCOMES = ["loss", "draw", "win"];
const FORMAT = "perfectplay table";
const { abs, sign } = Math;
const range = (/** @type {number} */ n) => [...Array(n).keys()];
const damaged = (/** @type {string} */ why) => Error(`a damaged table: ${why}`);

/** Opens a file's bytes, its text or the parsed JSON.
 * @type {typeof Open} */
export function openTable(data, rules) {
  if (rules && [rules.key, rules.moves, rules.play].some((f) => typeof f !== "function")) {
    throw TypeError("rules are three functions: key, moves and play");
  }
  const { about, find, counts, size } = readTable(data);
  const { game } = about;
  if (counts.some((n) => n !== Number(about.canonical))) {
    throw damaged(`${Math.min(...counts)} entries instead of ${about.canonical}`);
  }
  const [w, h] = (/^connect4:(\d+)x(\d+)/.exec(game) ?? []).slice(1).map(Number);
  /** @type {Rules<unknown, unknown> | undefined} */
  const own = h ? connect4(w, h) : rules;
  const written = about.entries && !rules; // boards are found as the table writes them
  if (!own && !written) throw TypeError(`${game} needs its rules: openTable(data, rules)`);
  const cells = h ? w * h : !rules && size;
  const known = written ? "; without rules it has boards only as it writes them" : "";
  const why = cells ? ": no game reaches it" : known;

  const look = (/** @type {unknown} */ p) => {
    const found = find(own && !written ? own.key(p) : p);
    if (found) return found;
    throw RangeError(`the table of ${game} has no "${p}"${why}`);
  };
  /** @type {(p: unknown) => [move: unknown, child: unknown][]} */
  const after = (p) =>
    !own || abs(look(p)[0]) === TOP ? [] : own.moves(p).map((m) => [m, own.play(p, m)]);
  /** @type {(way: [unknown, unknown]) => Rated} */
  const rate = ([move, child]) => {
    const [score] = look(child);
    const replies = after(child);
    const wrong = replies.filter(([, p]) => sign(look(p)[0]) + sign(score) > 0);
    return [move, sign(score) - score, wrong.length / (replies.length || 1)];
  };
  const read = (/** @type {unknown} */ board) => {
    if (!cells) return board;
    const text = typeof board === "string" ? board : "-";
    if (text.length === cells && /^[XO.]+$/.test(text)) return text;
    if (h && !/\D/.test(text)) return drop(text);
    const form = `${cells} cells, each X, O or .${h ? ", or the columns played" : ""}`;
    throw RangeError(`"${board}" is no board of ${game}: ${form}`);
  };
  const drop = (/** @type {string} */ columns) =>
    [...columns].reduce(
      (/** @type {unknown} */ p, digit, n) => {
        const moves = after(p);
        const child = moves.find(([c]) => c === Number(digit) - 1);
        if (child) return child[1];
        const open = moves.map(([c]) => Number(c) + 1).join(", ");
        const right = open ? `the open columns are ${open}` : "the game is over";
        throw RangeError(`move ${n + 1} of "${columns}", column ${digit}, is illegal: ${right}`);
      },
      ".".repeat(w * h),
    );
  const tell = (/** @type {number} */ score) => ({
    outcome: OUTCOMES[sign(score) + 1],
    distance: score ? TOP - abs(score) : null,
  });
  const scores = (/** @type {unknown} */ board) => {
    const p = read(board);
    const moves = (!rules && look(p)[1]) || after(p).map(rate);
    moves.sort((a, b) => b[1] - a[1] || b[2] - a[2]);
    return moves.map(([move, score, trap]) => ({ move, ...tell(score), trap }));
  };
  /** @type {Table<unknown, unknown>} */
  const table = {
    game,
    probe: (board) => tell(look(read(board))[0]),
    scores,
    bestMove: (board) => scores(board)[0]?.move ?? null,
  };
  return /** @type {Table<never, never>} */ (table); // the caller says what boards and moves are
}

function readTable(/** @type {string | ArrayBuffer | Uint8Array | JsonTable} */ data) {
  if (typeof data === "string") return readJson(parse(data));
  if (!data || typeof data !== "object" || !("byteLength" in data)) {
    if (data?.entries) return readJson(data);
    throw TypeError(`a table is text, bytes or JSON, not ${data?.constructor?.name ?? data}`);
  }
  const bytes = new Uint8Array(data);
  return bytes[0] === 123 ? readJson(parse(textOf(bytes))) : readMapped(bytes);
}

const textOf = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);

function parse(/** @type {string} */ text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw Error(`not a table, or a damaged one: ${why}`, { cause: error });
  }
}

/** @param {{format: string, version: number | string} | null | undefined} about */
function check(about) {
  const { format, version } = about ?? {};
  if (format !== FORMAT) throw Error(`not a table: its format is ${format}, not "${FORMAT}"`);
  if (Number(version) !== 2) throw Error(`a table of version ${version}; this reads version 2`);
}

/** @param {JsonTable} data @returns {Opened} */
function readJson(data) {
  check(data);
  const about = /** @type {Json} */ (data);
  const known = new Map(Object.entries(about.entries));
  const onCells = /^(tictactoe|mnk|connect4)/.test(about.game);
  /** @param {number} outcome @param {number} distance */
  const score = (outcome, distance) => outcome * (TOP - distance);
  /** @type {Opened["find"]} */
  const find = (board) => {
    if (typeof board !== "string") return;
    for (const cells of [range(board.length), ...(onCells ? about.symmetries.cells : [])]) {
      const entry = known.get(cells.map((cell) => board[cell]).join(""));
      if (!entry || cells.length !== board.length) continue;
      const [outcome, distance, , moved] = entry;
      /** @type {Rated[]} */
      const moves = moved.map(([m, o, d, trap]) => [
        typeof m === "number" ? (cells[m] ?? m) : m,
        score(o, d),
        trap,
      ]);
      if (onCells) moves.sort(([a], [b]) => Number(a) - Number(b));
      return [score(outcome, distance), moves];
    }
  };
  return { about, find, counts: [known.size], size: onCells && about.symmetries.cells[0].length };
}

/** @typedef {{dtype: string, data_offsets: [number, number]}} Part */
/** @typedef {"format" | "version" | "game" | "canonical" | "bits" | "width" | "multiplier" | "limit"} Field */
/** @type {Record<string, new (bytes: ArrayBuffer) => ArrayLike<number | bigint>>} */
const ARRAYS = { BigUint64Array, Int16Array, Int8Array, Uint16Array, Uint32Array, Uint8Array };

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Opened} */
function readMapped(bytes) {
  const start = 8 + bytes[0] + (bytes[1] << 8) + (bytes[2] << 16);
  /** @type {Record<string, Part> & {__metadata__: Record<Field, string>}} */
  const { __metadata__: about, ...header } = parse(textOf(bytes.subarray(8, start)));
  check(about);
  if (header.blocks) throw Error("a packed table: unpack it first, with unpackTable of unpack.js");
  const [bits, width, limit] = [about.bits, about.width, about.limit].map(Number);
  /** @param {Part} part */
  const read = ({ dtype, data_offsets: [from, to] }) => {
    const missing = start + to - bytes.length;
    if (missing > 0) throw damaged(`${missing} bytes are missing`);
    const kind = dtype.replace("I", "Int").replace("U", "Uint").replace("Uint64", "BigUint64");
    return new ARRAYS[`${kind}Array`](bytes.slice(start + from, start + to).buffer);
  };
  /** @type {Record<string, ArrayLike<number | bigint>>} */
  const arrays = {};
  for (const name in header) arrays[name] = read(header[name]);
  const { offsets, remainders, values } = arrays;
  /** @type {Opened["find"]} */
  const find = (key) => {
    if (typeof key !== "bigint") throw TypeError(`rules.key must return a BigInt, not ${key}`);
    const mixed = BigInt.asUintN(bits, key * BigInt(about.multiplier));
    const bucket = Number(mixed >> BigInt(width));
    const rest = BigInt.asUintN(width, mixed);
    for (let i = Number(offsets[bucket]); i < Number(offsets[bucket + 1]); i++) {
      if (BigInt(remainders[i]) !== rest || key >> BigInt(bits)) continue;
      const value = Number(values[i]);
      return [value + sign(value) * (TOP - limit)];
    }
  };
  const filled = Number(offsets[offsets.length - 1]);
  return { about, find, counts: [remainders.length, values.length, filled], size: false };
}

/** @param {number} columns @param {number} rows @returns {Rules<string, number>} */
function connect4(columns, rows) {
  return {
    moves: (p) => range(columns).filter((c) => p[c] === "."),
    play(p, c) {
      let cell = p.length - columns + c;
      while (p[cell] !== ".") cell -= columns;
      return p.slice(0, cell) + "XO"[p.replace(/\./g, "").length % 2] + p.slice(cell + 1);
    },
    key(p) {
      const all = range(columns).map((c) => [...p].filter((_, i) => i % columns === c).join(""));
      if (all.some((s) => s.length !== rows || !/^\.*[XO]*$/.test(s))) return -1n;
      const bits = all.map((s) =>
        s.replace(/^\.*/, "$&X").replace(/./g, (m) => (m === "X" ? "1" : "0")),
      );
      return BigInt(`0b${[bits.join(""), bits.reverse().join("")].sort()[0]}`);
    },
  };
}
