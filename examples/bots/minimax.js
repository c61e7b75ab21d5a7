// Perfect tic-tac-toe in JavaScript:  perfectplay grade "command:node minimax.js" --deterministic
const readline = require("node:readline");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const known = new Map();

// The best score for `side`, which is to move, and its cell: a win counts more the sooner it comes.
function best(board, side) {
  const key = side + board.join("");
  if (known.has(key)) return known.get(key);
  const other = side === "X" ? "O" : "X";
  const free = [...board.keys()].filter((cell) => board[cell] === ".");
  let found = { score: 0, cell: -1 };
  if (LINES.some((line) => line.every((cell) => board[cell] === other))) {
    found = { score: -1 - free.length, cell: -1 };
  } else if (free.length > 0) {
    found.score = -Infinity;
    for (const cell of free) {
      const after = [...board];
      after[cell] = side;
      const score = -best(after, other).score;
      if (score > found.score) found = { score, cell };
    }
  }
  known.set(key, found);
  return found;
}

readline.createInterface({ input: process.stdin }).on("line", (question) => {
  const [turn, board] = question.split("\t");
  console.log(best([...board], turn).cell + 1);
});
