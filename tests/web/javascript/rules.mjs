// Rules as a user gives them to openTable, for games that perfectplay.js does not know.

const SPREAD = 0xd1b54a32d192ed03n;

/** The counter of tests/tables/test_mapped_table.py, whose positions are numbers. */
export const counter = {
  key: (p) => BigInt.asUintN(64, BigInt(p) * SPREAD),
  moves: (p) => (p === 2 ? [] : [1, 3, 4, -2].filter((m) => (m < 0 ? p % 7 === 0 : m <= p))),
  play: (p, m) => p - m,
};

/** The long counter of tests/web/test_javascript.py. */
export const long = { ...counter, moves: (p) => [1, 3].filter((m) => m <= p) };

/** The counter with keys that match the table's only if their high bits are dropped. */
export const far = { ...counter, key: (p) => counter.key(p) + (1n << 64n) };

/** Rules that are wrong for a mapped table: two functions are missing, or keys are no BigInts. */
export const partial = { key: counter.key };
export const numbered = { ...counter, key: (p) => p };

const heapsOf = (text) =>
  text
    .split(",")
    .map(Number)
    .filter(Boolean)
    .sort((a, b) => a - b);

/** Nim with a JSON table: a board is the heaps in any order, "5,3,4". */
export const nim = {
  key: (board) => heapsOf(board).join() || "0",
  moves: (board) =>
    [...new Set(heapsOf(board))].flatMap((size) =>
      Array.from({ length: size }, (_, i) => `${size}-${i + 1}`),
    ),
  play(board, move) {
    const [size, take] = move.split("-").map(Number);
    const heaps = heapsOf(board);
    heaps[heaps.indexOf(size)] -= take;
    return heaps.join();
  },
};
