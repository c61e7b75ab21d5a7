/**
 * Perfect play of solved games, from a JSON table, a strategy file, or all answers about a small game,
 * as `/whole` of a server and solver/web/whole_game.py describe them. types.d.ts describes `openTable`;
 * the page of perfectplay plays from a WholeGame.
 */

/** @import { Code, Course, Known, Move, Outcome, Symmetry, Whole, WholeMove, WholeNode } from "../page/types.d.ts" */
/** @import { Board, Chance, Level, openTable as Open, Table, Value } from "./types.d.ts" */
/** @typedef {[move: Code, outcome: number, distance: number | null, trap: number]} Row */
/** @typedef {[outcome: number, distance: number | null, best: Code[], moves: Row[]]} Entry */
/** @typedef {{game: string, symmetries: {cells: number[][]}, entries: Record<string, Entry>}} Json */

/** @type {Record<number, Outcome>} */
const RESULTS = { "-1": "loss", 0: "draw", 1: "win" };
const LABELS = /\{\d+\}(?:(?:, | and )\{\d+\})*/g; // the labels of moves, in a reason
const FORMAT = "perfectplay table";
const STRATEGY = "perfectplay strategy 1\n";
const FORMS = 'a board is a text such as "X...O....", or an array of "X", "O" and null';
/** @type {Map<unknown, string>} */
const MARKS = new Map([
  ...["X", "x", 1].map((mark) => /** @type {const} */ ([mark, "X"])),
  ...["O", "o", -1, 2].map((mark) => /** @type {const} */ ([mark, "O"])),
  ...[null, undefined, "", " ", ".", "-", "_", 0].map((mark) => /** @type {const} */ ([mark, "."])),
]);
// games whose moves are cells, or columns, which are the cells of the top row; a custom game is
// MODULE:CLASS, and what its moves are is not known
const ON_CELLS = /^(tictactoe|connect4|(mnk|connect4):\d.*)$/;

/**
 * The shares of the best move at the levels easy, medium and hard, as Python's data/levels.json has
 * them, of the games that are small enough to be opened here.
 * @type {Record<string, number[] | undefined>}
 */
const LEVELS = {
  tictactoe: [0.26, 0.7, 0.93],
  "mnk:3,3,3,misere": [0.36, 0.81, 0.96],
  "mnk:4,3,3": [0.25, 0.64, 0.91],
  wild: [0.26, 0.68, 0.92],
  notakto: [0.46, 0.84, 0.97],
  "hexapawn:3x3": [0.46, 0.92, 1],
  "hexapawn:4x4": [0.37, 0.79, 0.98],
  "nim:3,4,5": [0.45, 0.83, 0.97],
  morris: [0.21, 0.58, 0.88],
  "morris:any": [0.19, 0.55, 0.86],
  achi: [0.3, 0.7, 0.93],
  ponghauki: [0.36, 0.78, 0.96],
  mutorere: [0.29, 0.68, 0.93],
};

/** @type {typeof Open} */
export function openTable(data) {
  const text = data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? decode(data) : data;
  if (typeof text === "string" && text.startsWith(STRATEGY)) return openStrategy(text);
  const about = read(text);
  const solved = "nodes" in about ? new WholeGame(about, []) : new JsonTable(about);
  const look = (/** @type {Board} */ board) => {
    const asked = boardText(board, solved.example);
    return solved.explain(asked) || refuse(about.game, asked, solved.example);
  };
  /** @type {Table["scores"]} */
  const scores = (board) =>
    look(board).moves.map((m) => ({ move: m.move, ...worthOf(m), trap: m.trap }));
  /** @type {Table["chances"]} */
  const chances = (board, level) => chancesOf(scores(board), shareAt(about.game, level));
  return {
    game: about.game,
    probe: (board) => worthOf(look(board)),
    scores,
    bestMove: (board) => scores(board)[0]?.move ?? null,
    chances,
    level: (board, level, random = Math.random) => {
      if (typeof random !== "function")
        throw TypeError(`random is a function that returns 0 to 1, as Math.random, not ${random}`);
      return drawMove(chances(board, level), random());
    },
  };
}

/** Return the share of the best move at a level. @param {string} game @param {Level} level */
function shareAt(game, level) {
  if (level === "perfect") return 1;
  const known = LEVELS[game];
  const share = known?.[["easy", "medium", "hard"].indexOf(`${level}`)] ?? level;
  if (typeof share === "number" && share >= 0 && share <= 1) return share;
  const words = known ? "easy, medium, hard, perfect" : "perfect";
  throw RangeError(
    `there is no level "${level}" of ${game}: give ${words} or a number from 0 to 1`,
  );
}

/** Return the probabilities of moves, the best first: it has a share, the rest is any of all.
 * @param {{move: Code}[]} moves @param {number} share @returns {Chance[]} */
export function chancesOf(moves, share) {
  return moves.map(({ move }, i) => ({
    move,
    probability: (1 - share) / moves.length + (i ? 0 : share),
  }));
}

/** Return the move that a number from 0 to 1 falls on; null if there is none.
 * @param {Chance[]} chances @param {number} drawn @returns {Code | null} */
export function drawMove(chances, drawn) {
  let left = drawn;
  const found = chances.find(({ probability }) => {
    left -= probability;
    return left < 0;
  });
  return (found ?? chances.find(({ probability }) => probability))?.move ?? null;
}

/** Return the text of a board, given it or its marks, flat or in rows.
 * @param {Board} board @param {string} example of the game's texts */
function boardText(board, example = "") {
  if (typeof board === "string") {
    const marks = [...board.replace(/[/|\r\n]/g, "")].map((mark) => MARKS.get(mark));
    const isBoard = /^[XO.]+$/.test(example) && marks.length === example.length;
    return isBoard && !marks.includes(undefined) ? marks.join("") : board;
  }
  const isList = Array.isArray(board) || ArrayBuffer.isView(board);
  /** @param {any} row */
  const cells = (row) => (Array.isArray(row) || row?.length > 1 ? [...row] : [row]);
  const marks = isList ? [...board].flatMap(cells) : []; // copied, so that a hole is undefined
  const wrong = marks.find((mark) => !MARKS.has(mark));
  const isEmpty = (/** @type {unknown} */ mark) => mark !== 0 && MARKS.get(mark) === ".";
  if (wrong === undefined && marks.includes(0) && marks.some(isEmpty))
    throw TypeError("a board has 0 or null for an empty cell, not both");
  if (marks.includes(-1) && marks.includes(2))
    throw TypeError("a board has -1 or 2 for O, not both");
  if (marks.length && wrong === undefined) return marks.map((mark) => MARKS.get(mark)).join("");
  const found = wrong === undefined ? JSON.stringify(board) : `the mark ${JSON.stringify(wrong)}`;
  throw TypeError(`${FORMS}, not ${found}`);
}

/** Throw a RangeError about a board that is not known.
 * @param {string} game @param {string} board @param {string} example @returns {never} */
function refuse(game, board, example) {
  const isLike = board.length === example.length && /^[XO.]+$/.test(board);
  const hint = isLike || !/^[XO.]+$/.test(example) ? "" : `; write it like "${example}"`;
  throw RangeError(`the table of ${game} has no "${board}"${hint}`);
}

/** Open a strategy file: the moves of one side. @param {string} text @returns {Table} */
function openStrategy(text) {
  const lines = text.split("\n");
  const [, game, claim, symmetry, nodes] = lines.map((line) => line.slice(line.indexOf(" ") + 1));
  const rows = lines.slice(5, -2).map((line) => line.split("\t"));
  const whole = rows.every((row) => row.length === 4) && lines.at(-2)?.startsWith("sha256 ");
  if (!whole || rows.length !== Number(nodes))
    throw Error(`a damaged strategy file: ${rows.length} whole nodes instead of ${nodes}`);
  const own = rows.filter(([who]) => who !== "t");
  const moves = new Map(own.map(([, next, move, position]) => [position, next[0] !== "=" && move]));
  const images = symmetry === "yes" ? imagesOf(game) : [[]];
  const noValues = () => {
    throw Error("a strategy has moves of one side, but no values: use a table");
  };
  return {
    game,
    probe: noValues,
    scores: noValues,
    chances: noValues,
    level: noValues,
    bestMove(board) {
      const asked = boardText(board, own[0]?.[3]);
      for (const cells of images) {
        const move = moves.get(turned(asked, cells));
        if (move === undefined) continue;
        const code = ON_CELLS.test(game) ? Number(move) - 1 : move;
        return move === false ? null : (cells[Number(code)] ?? code);
      }
      const [side] = claim.split(" ");
      throw RangeError(`"${asked}" is not in this strategy of ${game} for the ${side} side`);
    },
  };
}

/** Return the symmetries of a game's board, as orders of its cells; none is known of other games.
 * @param {string} game */
function imagesOf(game) {
  if (!ON_CELLS.test(game)) return [[]];
  const usual = game === "connect4" ? ":7,6" : ":3,3";
  const [columns, rows] = (game.includes(":") ? game : usual).split(/[:x,]/).slice(1).map(Number);
  const cells = [...Array(columns * rows).keys()];
  /** @param {(row: number, column: number) => number} from */
  const order = (from) => cells.map((i) => from(Math.floor(i / columns), i % columns));
  const mirrors = [
    order((row, column) => row * columns + column),
    order((row, column) => row * columns + columns - 1 - column),
  ];
  if (game.startsWith("connect4")) return mirrors;
  const halves = [...mirrors, ...mirrors.map((cells) => [...cells].reverse())];
  if (columns !== rows) return halves;
  const flipped = order((row, column) => column * columns + row);
  return [...halves, ...halves.map((cells) => flipped.map((i) => cells[i]))];
}

const worthOf = (/** @type {Value} */ { outcome, distance }) => ({ outcome, distance });

const decode = (/** @type {AllowSharedBufferSource} */ bytes) => new TextDecoder().decode(bytes);

/** Return the JSON of a table or a whole game.
 * @param {unknown} data @returns {Json | (Whole & {game: string})} */
function read(data) {
  let about = /** @type {any} */ (data);
  try {
    if (typeof data === "string") about = JSON.parse(data);
  } catch (cause) {
    throw Error(`not a JSON table, or a damaged one: ${cause}`, { cause });
  }
  if (about?.nodes) return about;
  const { format, version, canonical, entries } = about ?? {};
  if (format !== FORMAT) throw Error(`not a table: its format is ${format}, not "${FORMAT}"`);
  if (version !== 2) throw Error(`a table of version ${version}; this reads version 2`);
  const count = Object.keys(entries ?? {}).length;
  if (count !== canonical) throw Error(`a damaged table: ${count} entries instead of ${canonical}`);
  return about;
}

class JsonTable {
  constructor(/** @type {Json} */ { game, symmetries, entries }) {
    this.images = [[], ...(ON_CELLS.test(game) ? symmetries.cells : [])];
    this.entries = new Map(Object.entries(entries));
    [this.example = ""] = this.entries.keys();
  }

  /** Return the value of a position and of its moves, best first; null if there is none.
   * @param {string} board */
  explain(board) {
    for (const cells of this.images) {
      const entry = this.entries.get(turned(board, cells));
      if (!entry) continue;
      const [value, distance, , rows] = entry;
      const moves = rows.map(([move, value, distance, trap]) => ({
        move: cells[Number(move)] ?? move,
        outcome: RESULTS[value],
        distance,
        trap,
        score: value / (1 + (distance ?? 0)),
      }));
      moves.sort((a, b) => b.score - a.score || b.trap - a.trap || byNumber(a.move, b.move));
      return { outcome: RESULTS[value], distance, moves };
    }
    return null;
  }
}

export class WholeGame {
  /** @param {Whole} whole @param {string[]} seats */
  constructor({ moves, symmetries, nodes, puzzles }, seats) {
    this.moves = moves;
    this.symmetries = symmetries;
    this.nodes = nodes;
    this.seats = seats;
    this.asked = puzzles;
    this.example = nodes[0]?.[0] ?? "";
    this.places = new Map(nodes.map(([text, seat], i) => [`${seat}${text}`, i]));
    /** @type {Map<number, ReturnType<WholeGame["describe"]>>} */
    this.known = new Map();
  }

  /** Return the answer about a position, given its text; null if there is none.
   * @param {string} text @param {string} [turn] */
  explain(text, turn) {
    const seats = turn ? [this.seats.indexOf(turn)] : [0, 1];
    for (const seat of seats) {
      for (const [n, symmetry] of this.symmetries.entries()) {
        const node = this.places.get(`${seat}${turned(text, symmetry.text)}`);
        const back = this.symmetries.findIndex(({ after }) => after[n] === 0);
        if (node !== undefined) return this.at(node, back);
      }
    }
    return null;
  }

  /** Return the answer about the image of a node. @param {number} node @param {number} n */
  at(node, n) {
    const key = node * this.symmetries.length + n;
    const known = this.known.get(key) ?? this.describe(this.nodes[node], this.symmetries[n]);
    this.known.set(key, known);
    return known;
  }

  /** @param {WholeNode} node @param {Symmetry} symmetry */
  describe([text, seat, value, distance, marks, won, moves], symmetry) {
    const image = (/** @type {number} */ m) => this.moves[symmetry.moves[m]];
    const images = moves.map(([m, node, n, why]) => {
      const [code, name, cell, origin] = image(m);
      const [childText, , childValue, childDistance, childMarks, , replies] = this.nodes[node];
      const plies = childDistance === null ? null : childDistance + 1;
      const there = this.symmetries[symmetry.after[n]];
      const wrong = replies.filter(([, reply]) => -this.nodes[reply][2] < childValue).length;
      return {
        move: code,
        label: name,
        outcome: RESULTS[-childValue],
        distance: plies,
        trap: wrong / (replies.length || 1),
        reasons: why.map((reason) => reason.replace(LABELS, (list) => listLabels(list, image))),
        cell,
        origin,
        position: turned(childText, there.text),
        marks: childMarks && turned(childMarks, there.cells),
        replies: replies.length,
      };
    });
    /** @param {(typeof images)[number]} move */
    const rank = ({ outcome, distance, trap }) =>
      images.findIndex((m) => m.outcome === outcome && m.distance === distance && m.trap === trap);
    const listed = [...images].sort((a, b) => rank(a) - rank(b) || byNumber(a.move, b.move));
    const best = listed.filter(
      (m) => m.outcome === listed[0].outcome && m.distance === listed[0].distance,
    );
    const winner = moves.length || !value ? null : this.seats[value > 0 ? seat : 1 - seat];
    return {
      position: turned(text, symmetry.text),
      turn: this.seats[seat],
      outcome: RESULTS[value],
      distance,
      best: best.map(({ move }) => move),
      moves: listed,
      marks: marks && turned(marks, symmetry.cells),
      over: !moves.length,
      winner,
      won: won.map((cell) => symmetry.cells.indexOf(cell)).sort((a, b) => a - b),
    };
  }

  /** Return the answers about the positions of a game, and what is wrong with its moves.
   * @param {Known} start @returns {Course} */
  record(start, moves = "") {
    const plies = [start];
    let rest = moves;
    while (rest) {
      const last = plies[plies.length - 1];
      const taken = takeMove(rest, last.moves);
      if (!taken) {
        const right = last.moves.map((move) => move.move).sort();
        const would = right.length
          ? `the moves there are ${right.join(", ")}`
          : "the game is over there";
        return {
          plies,
          wrong: `move ${plies.length}, “${rest.split(",")[0]}”, is no move: ${would}`,
        };
      }
      plies.push(this.after(last, taken.move));
      rest = taken.rest;
    }
    return { plies, wrong: null };
  }

  /** Return the answer about the position after a move. @param {Known} known @param {Move} move */
  after({ turn }, { position }) {
    return /** @type {Known} */ (this.explain(position, this.other(turn)));
  }

  other(/** @type {string} */ turn) {
    return this.seats[turn === this.seats[0] ? 1 : 0];
  }

  /** Return the game to its end under best play, or until a position repeats.
   * @param {string} position @param {string} turn */
  line(position, turn) {
    const steps = [];
    const seen = new Set();
    let known = this.explain(position, turn);
    while (known?.moves.length && !seen.has(known)) {
      seen.add(known);
      const [{ move, label, position }] = known.moves;
      steps.push({ turn: known.turn, move, label, position });
      known = this.explain(position, this.other(known.turn));
    }
    return steps;
  }

  /** Return the puzzles of a day, which are the same for everyone: medium or hard ones, if there are
   * any. @param {number} day */
  daily(day) {
    const good = this.asked.filter(([, , grade]) => grade !== "easy");
    const all = good.length ? good : this.asked;
    return all.map((_, i) => {
      const [node, , difficulty] = all[(day * 7919 + i) % all.length]; // a prime: all come in turn
      return { ...this.at(node, day % this.symmetries.length), difficulty };
    });
  }

  /** Return up to `count` puzzles in a random order, each as a random image.
   * @param {number} count @param {string | null} difficulty */
  puzzles(count, difficulty) {
    const left = this.asked.filter(([, , grade]) => !difficulty || grade === difficulty);
    const drawn = [];
    while (left.length && drawn.length < count) {
      const [[node, , grade, candidates]] = left.splice(Math.floor(Math.random() * left.length), 1);
      const known = this.at(node, Math.floor(Math.random() * this.symmetries.length));
      const [{ move, label }] = known.moves;
      const { position, turn, outcome: task } = known;
      drawn.push({ position, turn, task, move, label, candidates, difficulty: grade });
    }
    return drawn;
  }
}

/** Compare moves by their numbers, if they have any. @param {Code} a @param {Code} b */
const byNumber = (a, b) => Number(a) - Number(b) || 0;

/** Return a text with its characters in an order, if it has as many. @param {string} text @param {number[]} order */
function turned(text, order) {
  return order.length === text.length ? order.map((i) => text[i]).join("") : text;
}

/**
 * Return the labels of moves in words, in the order of their codes: "1", "1 and 2" or "1, 2 and 3".
 * @param {string} list @param {(m: number) => WholeMove} image
 */
function listLabels(list, image) {
  const moves = (list.match(/\d+/g) ?? []).map((m) => image(Number(m)));
  const labels = moves.sort(([a], [b]) => byNumber(a, b)).map(([, label]) => label);
  const last = labels.pop();
  return labels.length ? `${labels.join(", ")} and ${last}` : `${last}`;
}

/**
 * Return the legal move at the start of a text of moves, and the rest of the text; null if there is
 * none. A move may contain commas itself, so the longest match counts.
 * @param {string} text @param {Move[]} moves
 */
function takeMove(text, moves) {
  const found = moves.filter(({ move }) => text === `${move}` || text.startsWith(`${move},`));
  if (!found.length) return null;
  const long = (/** @type {Move} */ move) => String(move.move).length;
  const move = found.reduce((a, b) => (long(b) > long(a) ? b : a));
  return { move, rest: text.slice(long(move) + 1) };
}
