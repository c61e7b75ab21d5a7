/**
 * Perfect play of solved games, from a JSON table or from all answers about a small game, as `/whole`
 * of a server and solver/web/whole_game.py describe them. types.d.ts describes `openTable`; the page
 * of perfectplay plays from a WholeGame.
 */

/** @import { Code, Course, Known, Move, Outcome, Symmetry, Whole, WholeMove, WholeNode } from "../page/types.d.ts" */
/** @import { openTable as Open, Value } from "./types.d.ts" */
/** @typedef {[move: Code, outcome: number, distance: number | null, trap: number]} Row */
/** @typedef {[outcome: number, distance: number | null, best: Code[], moves: Row[]]} Entry */
/** @typedef {{game: string, symmetries: {cells: number[][]}, entries: Record<string, Entry>}} Json */

/** @type {Record<number, Outcome>} */
const RESULTS = { "-1": "loss", 0: "draw", 1: "win" };
const LABELS = /\{\d+\}(?:(?:, | and )\{\d+\})*/g; // the labels of moves, in a reason
const FORMAT = "perfectplay table";

/** @type {typeof Open} */
export function openTable(data) {
  const about = read(data);
  const solved = "nodes" in about ? new WholeGame(about, []) : new JsonTable(about);
  const look = (/** @type {string} */ board) => {
    const found = typeof board === "string" && solved.explain(board);
    if (found) return found;
    throw RangeError(`the table of ${about.game} has no "${board}"`);
  };
  const scores = (/** @type {string} */ board) =>
    look(board).moves.map((m) => ({ move: m.move, ...worthOf(m), trap: m.trap }));
  return {
    game: about.game,
    probe: (board) => worthOf(look(board)),
    scores,
    bestMove: (board) => scores(board)[0]?.move ?? null,
  };
}

const worthOf = (/** @type {Value} */ { outcome, distance }) => ({ outcome, distance });

/** Return the JSON of a table or a whole game.
 * @param {unknown} data @returns {Json | (Whole & {game: string})} */
function read(data) {
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data))
    return read(new TextDecoder().decode(data));
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
    // moves of these games are cells, or columns, which are the cells of the top row; a custom game
    // is MODULE:CLASS, and what its moves are is not known
    const onCells = /^(tictactoe|connect4|(mnk|connect4):\d.*)$/.test(game);
    this.images = [[], ...(onCells ? symmetries.cells : [])];
    this.entries = new Map(Object.entries(entries));
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
