/** Puzzles of tic-tac-toe, where exactly one move keeps the outcome, as solver/arena/puzzles.py. */

import { choose } from "./players.js";
import { turnOf } from "./tictactoe.js";

/** Difficulties by the number of moves that winblock would choose from: the least, the most. */
export const DIFFICULTIES = { easy: [1, 1], medium: [2, 4], hard: [5, 9] };

/**
 * Returns up to `count` different puzzles, no two of them symmetric.
 *
 * `tableData` is the JSON table as an object, `table` the same opened, and `random()` returns a
 * number from 0 to below 1. `task` is "win" or "draw", what the one good move keeps; `candidates`
 * is the number of moves that winblock would choose from. Throws RangeError for an unknown
 * difficulty.
 */
export function findPuzzles(tableData, table, count, random, difficulty = null) {
  if (difficulty !== null && !Object.hasOwn(DIFFICULTIES, difficulty)) {
    const known = Object.keys(DIFFICULTIES).join(", ");
    throw new RangeError(`the difficulty is ${difficulty}; it must be one of ${known}`);
  }
  const found = Object.keys(tableData.entries)
    .map((board) => makePuzzle(table, board))
    .filter((puzzle) => puzzle && (difficulty === null || puzzle.difficulty === difficulty));
  return drawSome(found, count, random).map((puzzle) => {
    const { cells } = tableData.symmetries;
    const image = cells[Math.floor(random() * cells.length)];
    const position = image.map((cell) => puzzle.position[cell]).join("");
    const move = image.indexOf(puzzle.move);
    return { ...puzzle, position, move, label: `${move + 1}` };
  });
}

/** Returns the puzzle of a board, or null if it is none. */
function makePuzzle(table, board) {
  const [best, second] = table.scores(board);
  if (!second || second.outcome === best.outcome) {
    return null;
  }
  const candidates = choose(table, "winblock", board).length;
  const fits = ([, [low, high]]) => low <= candidates && candidates <= high;
  return {
    position: board,
    turn: turnOf(board),
    task: best.outcome,
    move: best.move,
    label: `${best.move + 1}`,
    candidates,
    difficulty: Object.entries(DIFFICULTIES).find(fits)[0],
  };
}

/** Returns up to `count` different items, in a random order. */
function drawSome(items, count, random) {
  const left = [...items];
  const drawn = [];
  while (left.length && drawn.length < count) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return drawn;
}
