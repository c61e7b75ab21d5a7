/** All answers about a small game; solver/web/whole_game.py describes them. */

/** @import { Known, Outcome } from "./types.d.ts" */

import { takeMove } from "./address.js";

/** @type {Record<number, Outcome>} */
const RESULTS = { "-1": "loss", 0: "draw", 1: "win" };
const LABELS = /\{\d+\}(?:(?:, | and )\{\d+\})*/g; // the labels of moves, in a reason

export class WholeGame {
  constructor({ moves, symmetries, nodes, puzzles }, seats) {
    this.moves = moves;
    this.symmetries = symmetries;
    this.nodes = nodes;
    this.seats = seats;
    this.asked = puzzles;
    this.places = new Map(nodes.map(([text, seat], i) => [`${seat}${text}`, i]));
    this.known = new Map();
  }

  /**
   * Return the answer about a position, given its text; null if there is none.
   * @param {string} text
   * @param {string} [turn]
   * @returns {Known | null}
   */
  explain(text, turn) {
    const seats = turn ? [this.seats.indexOf(turn)] : [0, 1];
    for (const seat of seats) {
      for (const [n, symmetry] of this.symmetries.entries()) {
        const node = this.places.get(`${seat}${turned(text, symmetry)}`);
        const back = this.symmetries.findIndex(({ after }) => after[n] === 0);
        if (node !== undefined) return this.at(node, back);
      }
    }
    return null;
  }

  /**
   * Return the answer about the image of a node.
   * @returns {Known}
   */
  at(node, n) {
    const key = node * this.symmetries.length + n;
    if (!this.known.has(key))
      this.known.set(key, this.describe(this.nodes[node], this.symmetries[n]));
    return this.known.get(key);
  }

  /** @returns {Known & {over: boolean}} */
  describe([text, seat, value, distance, marks, won, moves], symmetry) {
    const image = (m) => this.moves[symmetry.moves[m]];
    const images = moves.map(([m, node, n, why]) => {
      const [code, name, cell, origin] = image(m);
      const [childText, , childValue, childDistance, childMarks, , replies] = this.nodes[node];
      const there = this.symmetries[symmetry.after[n]];
      const wrong = replies.filter(([, reply]) => -this.nodes[reply][2] < childValue).length;
      return {
        move: code,
        label: name,
        outcome: RESULTS[-childValue],
        distance: childDistance === null ? null : childDistance + 1,
        trap: wrong / (replies.length || 1),
        reasons: why.map((reason) => reason.replace(LABELS, (list) => listLabels(list, image))),
        cell,
        origin,
        position: turned(childText, there),
        marks: childMarks && turned(childMarks, there),
        replies: replies.length,
      };
    });
    const equal = (a, b) =>
      a.outcome === b.outcome && a.distance === b.distance && a.trap === b.trap;
    const rank = (move) => images.findIndex((other) => equal(move, other));
    const listed = [...images].sort((a, b) => rank(a) - rank(b) || a.move - b.move || 0); // 0 for texts
    const best = listed.filter(
      (m) => m.outcome === listed[0].outcome && m.distance === listed[0].distance,
    );
    const winner = moves.length || !value ? null : this.seats[value > 0 ? seat : 1 - seat];
    return {
      position: turned(text, symmetry),
      turn: this.seats[seat],
      outcome: RESULTS[value],
      distance,
      best: best.map(({ move }) => move),
      moves: listed,
      marks: marks && turned(marks, symmetry),
      over: !moves.length,
      winner,
      won: won.map((cell) => symmetry.cells.indexOf(cell)).sort((a, b) => a - b),
    };
  }

  /**
   * Return the answers about the positions of a game, and what is wrong with its moves.
   * @param {Known} start
   */
  record(start, moves = "") {
    const plies = [start];
    let rest = moves;
    while (rest) {
      const last = plies.at(-1);
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
      plies.push(this.explain(taken.move.position, this.other(last.turn)));
      rest = taken.rest;
    }
    return { plies, wrong: null };
  }

  other(turn) {
    return this.seats[turn === this.seats[0] ? 1 : 0];
  }

  /** Return the game to its end under best play, or until a position repeats. */
  line(position, turn) {
    const steps = [];
    const seen = new Set();
    let known = this.explain(position, turn);
    while (known.moves.length && !seen.has(known)) {
      seen.add(known);
      const [{ move, label, position: next }] = known.moves;
      steps.push({ turn: known.turn, move, label, position: next });
      known = this.explain(next, this.other(known.turn));
    }
    return steps;
  }

  /** Return the puzzle with a number, which is the same for everyone. */
  daily(day) {
    const [node, , difficulty] =
      this.asked[((day * 2654435761) % 2 ** 32) % this.asked.length] ?? [];
    return node === undefined ? null : { ...this.at(node, 0), difficulty };
  }

  /** Return up to `count` puzzles in a random order, each as a random image. */
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

/** Return the image of a text under a symmetry. */
function turned(text, { cells }) {
  return cells.length === text.length ? cells.map((cell) => text[cell]).join("") : text;
}

/** Return the labels of moves in words, in the order of their codes if these are numbers: "1", "1 and 2" or "1, 2 and 3". */
function listLabels(list, image) {
  const moves = list.match(/\d+/g).map(image);
  const labels = moves.sort(([a], [b]) => a - b || 0).map(([, label]) => label);
  const last = labels.pop();
  return labels.length ? `${labels.join(", ")} and ${last}` : last;
}
