/**
 * The players of solver/players, by name, for tic-tac-toe: the exact probabilities of their moves.
 * Where a source takes whichever of equal moves comes first, these take the lowest cell.
 */

import { LINES, emptyCells, isOver, otherOf, playCell, turnOf, winnerOf, winningCells } from "./tictactoe.js";
import { ORDER } from "./words.js";

/** Every player and what it does; a name with a colon takes an argument after it. */
export const PLAYERS = [
  { name: "random", about: "Any move." },
  { name: "win", about: "A move that wins at once; else any." },
  {
    name: "winblock",
    about: "A move that wins at once; else one that stops the other side from doing so; else any.",
  },
  { name: "think1", about: "The first move that wins at once; else any." },
  { name: "think2", about: "The first move that wins at once; else the first that blocks; else any." },
  {
    name: "think3",
    about:
      "Like think2, but instead of any move the one that starts most ways to win in three moves.",
  },
  {
    name: "lookahead1[:printed]",
    about: "Score the lines of the board after each move, and take any of the best moves.",
  },
  { name: "nstep:N", about: "Minimax of a fixed depth; takes any of the moves with the best score." },
  {
    name: "center-first",
    about: "Win, block, the centre, any corner, any side: the first of these that is possible.",
  },
  {
    name: "corner-first",
    about: "Win, block, any corner, the centre, any side: the first of these that is possible.",
  },
  { name: "minimax", about: "Any of the best moves by outcome and distance." },
  {
    name: "perfect",
    about: "The table's choice: by outcome, then distance, then the street-smart tie-break.",
  },
  { name: "perfect-against:PLAYER", about: "Street-smart against one opponent." },
  {
    name: "level:P",
    about: "The table's choice with probability P, otherwise any move: a difficulty setting.",
  },
];

const CORNERS = [0, 2, 6, 8];
const CENTRE = [4];
const SIDES = [1, 3, 5, 7];
const FALLING = [0, 4, 8];
const RISING = [2, 4, 6];
const KNOWN = new WeakMap(); // table -> player's name -> its choice, cached by board

/**
 * Returns the moves that a named player may make on a board, each with its probability.
 *
 * Throws RangeError for an unknown name, and if the game is over.
 */
export function choose(table, name, board) {
  if (isOver(board)) {
    throw new RangeError(`the game is over on ${board}`);
  }
  const shares = playerOf(table, name)(board);
  return [...shares].map(([move, probability]) => ({ move, probability }));
}

/** Returns the function from a board to a player's moves, as a Map to probabilities. */
function playerOf(table, name) {
  if (!KNOWN.has(table)) {
    KNOWN.set(table, new Map());
  }
  const players = KNOWN.get(table);
  if (!players.has(name)) {
    const decide = findPlayer(table, name);
    const seen = new Map();
    players.set(name, (board) => {
      if (!seen.has(board)) {
        seen.set(board, evenOut(decide(board)));
      }
      return seen.get(board);
    });
  }
  return players.get(name);
}

function findPlayer(table, name) {
  const [, stem, colon, argument] = /^([^:]*)(:?)(.*)$/s.exec(name);
  const entry = PLAYERS.find((player) => player.name.split(/\[?:/)[0] === stem);
  if (!entry) {
    const names = PLAYERS.map((player) => player.name).join(", ");
    throw new RangeError(`there is no player "${name}"; the players are: ${names}`);
  }
  if (argument && !entry.name.includes(":")) {
    throw new RangeError(`"${name}" is no player; ${entry.name} takes nothing after a colon`);
  }
  return RULES[stem] ?? TAUGHT[stem](table, colon ? argument : "");
}

/** Returns the positive shares divided by their sum, as solver/players/player.py does. */
function evenOut(shares) {
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0);
  return new Map([...shares].filter(([, share]) => share).map(([m, share]) => [m, share / total]));
}

const anyOf = (moves) => new Map(moves.map((move) => [move, 1 / moves.length]));
const firstOf = (moves) => moves.slice(0, 1);
const winsOf = (board) => winningCells(board, turnOf(board));
const blocksOf = (board) => winningCells(board, otherOf(board));

/** Returns the first list that is not empty. */
const firstFilled = (...lists) => lists.find((list) => list.length);

/** Players that need no argument and no table. */
const RULES = {
  random: (board) => anyOf(emptyCells(board)),
  win: (board) => anyOf(firstFilled(winsOf(board), emptyCells(board))),
  winblock: (board) => anyOf(firstFilled(winsOf(board), blocksOf(board), emptyCells(board))),
  think1: (board) => anyOf(firstFilled(firstOf(winsOf(board)), emptyCells(board))),
  think2: (board) => anyOf(firstFilled(urgent(board), emptyCells(board))),
  think3: (board) => anyOf(firstFilled(urgent(board), mostWays(board), emptyCells(board))),
  "center-first": (board) => inOrder(board, CENTRE, CORNERS, SIDES),
  "corner-first": (board) => inOrder(board, CORNERS, CENTRE, SIDES),
};

/** Players made of the table and the text after the colon. */
const TAUGHT = {
  lookahead1: lookOnce,
  nstep: lookAhead,
  minimax: (table) => (board) => anyOf(tiedMoves(table, board).sort((a, b) => a - b)),
  perfect: (table) => (board) => anyOf([table.bestMove(board)]),
  "perfect-against": perfectAgainst,
  level: skilled,
};

function urgent(board) {
  return firstOf(firstFilled(winsOf(board), blocksOf(board)) ?? []);
}

/** Returns the first move with the most ways to win: any reply, then a move that wins. */
function mostWays(board) {
  const moves = emptyCells(board);
  const replies = moves.length - 2; // any cell but those of the two moves
  const ways = moves.map((m) => replies * winningCells(playCell(board, m), turnOf(board)).length);
  const most = Math.max(...ways);
  return most > 0 ? [moves[ways.indexOf(most)]] : [];
}

function inOrder(board, ...groups) {
  const free = groups.map((group) => group.filter((cell) => board[cell] === "."));
  return anyOf(firstFilled(urgent(board), ...free));
}

/** Three marks in a line count 1000, two and an empty cell 1, two of the other side's -100. */
function lookOnce(_, variant) {
  if (variant !== "" && variant !== "printed") {
    throw new RangeError(`lookahead1:${variant} is no player; there is lookahead1:printed`);
  }
  const isRising = (line) => line.join() === RISING.join();
  const lines = LINES.map((line) => (variant && isRising(line) ? FALLING : line));
  const points = (board, mark) => {
    const counts = lines.map((line) => line.map((cell) => board[cell]).sort().join(""));
    const other = mark === "X" ? "O" : "X";
    const held = { [mark.repeat(3)]: 1000, [`.${mark.repeat(2)}`]: 1, [`.${other.repeat(2)}`]: -100 };
    return counts.reduce((sum, marks) => sum + (held[marks] ?? 0), 0);
  };
  return (board) => bestBy(board, (move) => points(playCell(board, move), turnOf(board)));
}

/** Minimax of a fixed depth in plies; what lies beyond counts as a draw. */
function lookAhead(_, plies) {
  if (!/^\d+$/.test(plies) || !(plies >= 1 && plies <= 1000)) {
    throw new RangeError(`nstep:${plies} is no player; give the plies to look, as in nstep:3`);
  }
  const seen = new Map();
  const minimax = (board, depth) => {
    const key = `${board}${depth}`;
    if (!seen.has(key)) {
      seen.set(key, isOver(board) || !depth ? -Boolean(winnerOf(board)) : search(board, depth));
    }
    return seen.get(key);
  };
  const search = (board, depth) =>
    Math.max(...emptyCells(board).map((cell) => -minimax(playCell(board, cell), depth - 1)));
  return (board) => {
    const depth = Math.min(plies, emptyCells(board).length);
    return bestBy(board, (move) => -minimax(playCell(board, move), depth - 1));
  };
}

/** Returns the moves that a function rates highest, with equal probabilities. */
function bestBy(board, rate) {
  const moves = emptyCells(board);
  const rates = moves.map(rate);
  const most = Math.max(...rates);
  return anyOf(moves.filter((_, i) => rates[i] === most));
}

/** Returns the moves that tie on outcome and distance, the table's choice first. */
function tiedMoves(table, board) {
  const scores = table.scores(board);
  const { outcome, distance } = scores[0];
  return scores.filter((s) => s.outcome === outcome && s.distance === distance).map((s) => s.move);
}

/** The move with the highest expected result against one opponent, among those that tie. */
function perfectAgainst(table, name) {
  if (!name) {
    throw new RangeError("perfect-against needs a player, as in perfect-against:winblock");
  }
  const opponent = playerOf(table, name);
  const seen = new Map();
  const after = (board, move) => {
    const child = playCell(board, move);
    if (!seen.has(child)) {
      seen.set(child, isOver(child) ? Number(winnerOf(child) !== null) : average(child));
    }
    return seen.get(child);
  };
  const average = (board) =>
    [...opponent(board)].reduce((sum, [m, share]) => sum + share * expected(playCell(board, m)), 0);
  const expected = (board) => {
    if (isOver(board)) {
      return ORDER[table.probe(board).outcome];
    }
    return Math.max(...tiedMoves(table, board).map((move) => after(board, move)));
  };
  return (board) => {
    const moves = tiedMoves(table, board);
    const results = moves.map((move) => after(board, move));
    return anyOf([moves[results.indexOf(Math.max(...results))]]);
  };
}

/** The table's choice with a probability, otherwise any move. */
function skilled(table, share) {
  const skill = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(share.trim()) ? Number(share) : -1;
  if (!(skill >= 0 && skill <= 1)) {
    throw new RangeError(`level:${share} is no player; give a number from 0 to 1: level:0.5`);
  }
  return (board) => {
    const moves = emptyCells(board);
    const shares = new Map(moves.map((move) => [move, (1 - skill) / moves.length]));
    const best = table.bestMove(board);
    return shares.set(best, shares.get(best) + skill);
  };
}
