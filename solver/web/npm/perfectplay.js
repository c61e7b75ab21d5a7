/**
 * Perfect play from a table; perfectplay.d.ts describes it. Boards are texts of X, O and . row by row,
 * X began; in Connect 4 also the columns played: "4453". For other games `rules` give key(board), the
 * canonical image as text (JSON) or as a BigInt, moves(board) in order, [] at the end, and
 * play(board, move), a board. Values are for the side to move, distances in plies.
 */

/** @import { Outcome, openTable as Open } from "./perfectplay.d.ts" */

const TOP = 16384; // a score is outcome * (TOP - distance)
/** @type {Outcome[]} */
const OUTCOMES = ["loss", "draw", "win"];
const FORMAT = "perfectplay table";
const { abs, sign } = Math;
const range = (n) => [...Array(n).keys()];
const damaged = (why) => Error(`a damaged table: ${why}`);

/**
 * Opens a file's bytes, its text or the parsed JSON.
 * @type {typeof Open}
 */
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
  const own = h ? connect4(w, h) : rules;
  const written = about.entries && !rules; // boards are found as the table writes them
  if (!own && !written) throw TypeError(`${game} needs its rules: openTable(data, rules)`);
  const cells = h ? w * h : !rules && size;
  const known = written ? "; without rules it has boards only as it writes them" : "";
  const why = cells ? ": no game reaches it" : known;

  const look = (p) => {
    const found = find(written ? p : own.key(p));
    if (found) return found;
    throw RangeError(`the table of ${game} has no "${p}"${why}`);
  };
  const after = (p) =>
    abs(look(p)[0]) === TOP ? [] : own.moves(p).map((m) => [m, own.play(p, m)]);
  const rate = ([move, child]) => {
    const [score] = look(child);
    const replies = after(child);
    const wrong = replies.filter(([, p]) => sign(look(p)[0]) + sign(score) > 0);
    return [move, sign(score) - score, wrong.length / (replies.length || 1)];
  };
  const read = (board) => {
    if (!cells || (board?.length === cells && /^[XO.]+$/.test(board))) return board;
    if (h && typeof board === "string" && !/\D/.test(board)) return drop(board);
    const form = `${cells} cells, each X, O or .${h ? ", or the columns played" : ""}`;
    throw RangeError(`"${board}" is no board of ${game}: ${form}`);
  };
  const drop = (columns) =>
    [...columns].reduce((p, digit, n) => {
      const moves = after(p);
      const child = moves.find(([c]) => c === digit - 1);
      if (child) return child[1];
      const open = moves.map(([c]) => c + 1).join(", ");
      const right = open ? `the open columns are ${open}` : "the game is over";
      throw RangeError(`move ${n + 1} of "${columns}", column ${digit}, is illegal: ${right}`);
    }, ".".repeat(cells));
  const tell = (score) => ({
    outcome: OUTCOMES[sign(score) + 1],
    distance: score ? TOP - abs(score) : null,
  });
  const scores = (board) => {
    const p = read(board);
    const moves = (!rules && look(p)[1]) || after(p).map(rate);
    moves.sort((a, b) => b[1] - a[1] || b[2] - a[2]);
    return moves.map(([move, score, trap]) => ({ move, ...tell(score), trap }));
  };
  const probe = (board) => tell(look(read(board))[0]);
  return { game, probe, scores, bestMove: (board) => scores(board)[0]?.move ?? null };
}

function readTable(data) {
  if (typeof data === "string") return readJson(parse(data));
  if (data?.byteLength === undefined) {
    if (data?.entries) return readJson(data);
    throw TypeError(`a table is text, bytes or JSON, not ${data?.constructor?.name ?? data}`);
  }
  const bytes = new Uint8Array(data);
  const text = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  return bytes[0] === 123 ? readJson(parse(text())) : readMapped(bytes, text);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw Error(`not a table, or a damaged one: ${error.message}`, { cause: error });
  }
}

function check(about) {
  const { format, version } = about ?? {};
  if (format !== FORMAT) throw Error(`not a table: its format is ${format}, not "${FORMAT}"`);
  if (Number(version) !== 2) throw Error(`a table of version ${version}; this reads version 2`);
}

function readJson(about) {
  check(about);
  const known = new Map(Object.entries(about.entries));
  const onCells = /^(tictactoe|mnk|connect4)/.test(about.game);
  const score = (outcome, distance) => outcome * (TOP - distance);
  const find = (board) => {
    for (const cells of [range(board.length), ...(onCells ? about.symmetries.cells : [])]) {
      const entry = known.get(cells.map((cell) => board[cell]).join(""));
      if (!entry || cells.length !== board.length) continue;
      const [outcome, distance, , moved] = entry;
      const moves = moved.map(([m, o, d, trap]) => [cells[m] ?? m, score(o, d), trap]);
      return [score(outcome, distance), moves.sort((a, b) => onCells && a[0] - b[0])];
    }
  };
  return { about, find, counts: [known.size], size: onCells && about.symmetries.cells[0].length };
}

function readMapped(bytes, text) {
  const start = 8 + bytes[0] + (bytes[1] << 8) + (bytes[2] << 16);
  const { __metadata__: about, ...arrays } = parse(text(8, start));
  check(about);
  if (arrays.blocks) throw Error("a packed table: unpack it first, with unpackTable of unpack.js");
  for (const name in arrays) {
    const {
      dtype,
      data_offsets: [from, to],
    } = arrays[name];
    const missing = start + to - bytes.length;
    if (missing > 0) throw damaged(`${missing} bytes are missing`);
    const kind = dtype.replace("I", "Int").replace("U", "Uint").replace("Uint64", "BigUint64");
    arrays[name] = new globalThis[`${kind}Array`](bytes.slice(start + from, start + to).buffer);
  }
  const { offsets, remainders, values } = arrays;
  const find = (key) => {
    if (typeof key !== "bigint") throw TypeError(`rules.key must return a BigInt, not ${key}`);
    const mixed = BigInt.asUintN(about.bits, key * BigInt(about.multiplier));
    const bucket = Number(mixed >> BigInt(about.width));
    const rest = BigInt.asUintN(about.width, mixed);
    for (let i = offsets[bucket]; i < offsets[bucket + 1]; i++) {
      if (BigInt(remainders[i]) !== rest || key >> BigInt(about.bits)) continue;
      return [values[i] + sign(values[i]) * (TOP - about.limit)];
    }
  };
  return { about, find, counts: [remainders.length, values.length, Number(offsets.at(-1))] };
}

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
