/**
 * Perfect play from a table. Boards are texts of X, O and . row by row, X began; in Connect 4 also
 * the columns played: "4453". For other games `rules` give key(board), the canonical image as text
 * (JSON) or as a BigInt, moves(board) in order, [] at the end, and play(board, move), a board.
 */

const TOP = 16384; // a score is outcome * (TOP - distance)
const { abs, sign } = Math;
const range = (n) => [...Array(n).keys()];

/**
 * Opens a file's bytes or JSON; Error if it is no table, later RangeError if it has no such board.
 * Values are for the side to move, distances in plies; `trap` is the share of replies that err.
 */
export function openTable(data, rules) {
  const [about, find, ...counts] = (data.byteLength ? readBytes : readJson)(data);
  const { game, version, canonical, entries } = about;
  if (version != 1 || counts.some((n) => n != canonical)) throw Error("a damaged table");
  const [, w, h] = /^connect4:(\d+)x(\d+)/.exec(game) ?? [];
  const own = h ? connect4(+w, +h) : rules;
  if (!own && !entries) throw Error(`${game} needs its rules`);

  const look = (p) => {
    const found = find(entries && !rules ? p : own.key(p));
    if (found) return found;
    throw RangeError(`the table of ${game} has no ${p}`);
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
    if (!h || /\D/.test(board)) return board;
    const drop = (p, digit) => after(p).find(([c]) => c === digit - 1)?.[1] ?? board;
    return [...board].reduce(drop, ".".repeat(w * h));
  };
  const tell = (score) => ({
    outcome: ["loss", "draw", "win"][sign(score) + 1],
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

function readJson(data) {
  const about = data.entries ? data : JSON.parse(data);
  const known = new Map(Object.entries(about.entries));
  const onCells = /^(tictactoe|mnk|connect4)/.test(about.game);
  const score = ([outcome, distance]) => outcome * (TOP - distance);
  const find = (board) => {
    for (const cells of [range(board.length), ...(onCells ? about.symmetries.cells : [])]) {
      const entry = known.get(cells.map((cell) => board[cell]).join(""));
      if (!entry || cells.length !== board.length) continue;
      const moves = entry[3].map(([m, ...worth]) => [cells[m] ?? m, score(worth), worth[2]]);
      return [score(entry), moves.sort((a, b) => onCells && a[0] - b[0])];
    }
  };
  return [about, find, known.size];
}

function readBytes(data) {
  const bytes = new Uint8Array(data);
  const text = (from, to) => new TextDecoder().decode(bytes.slice(from, to));
  if (bytes[0] === 123) return readJson(text());
  const start = 8 + bytes[0] + 256 * bytes[1];
  const { __metadata__: about, ...arrays } = JSON.parse(text(8, start));
  for (const name in arrays) {
    const { dtype, data_offsets: [from, to] } = arrays[name];
    const kind = dtype.replace("I", "Int").replace("U", "Uint").replace("Uint64", "BigUint64");
    arrays[name] = new globalThis[`${kind}Array`](bytes.slice(start + from, start + to).buffer);
  }
  const { offsets, remainders, values } = arrays;
  const find = (key) => {
    const mixed = BigInt.asUintN(about.bits, key * BigInt(about.multiplier));
    const bucket = Number(mixed >> BigInt(about.width));
    const rest = BigInt.asUintN(about.width, mixed);
    for (let i = offsets[bucket]; i < offsets[bucket + 1]; i++) {
      if (remainders[i] != rest || key >> BigInt(about.bits)) continue;
      return [values[i] + sign(values[i]) * (TOP - about.limit)];
    }
  };
  return [about, find, remainders.length, values.length, offsets.at(-1)];
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
      const bits = all.map((s) => s.replace(/^\.*/, "$&X").replace(/./g, (m) => +(m === "X")));
      return BigInt("0b" + [bits.join(""), bits.reverse().join("")].sort()[0]);
    },
  };
}
