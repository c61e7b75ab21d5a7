// The answers of the page's modules about tic-tac-toe, without a server. Reads {table, ask, ...}
// from standard input and writes one JSON value; see the functions of `ANSWERS`.
import { readFileSync } from "node:fs";
import { openTable } from "../../../solver/web/page/perfectplay.js";
import { PLAYERS, choose } from "../../../solver/web/page/players.js";
import { findPuzzles } from "../../../solver/web/page/puzzles.js";
import * as rules from "../../../solver/web/page/tictactoe.js";
import { reasons, verdict } from "../../../solver/web/page/words.js";

const asked = JSON.parse(readFileSync(0, "utf8"));
const data = JSON.parse(readFileSync(asked.table, "utf8"));
const table = openTable(data);

function attempt(answer) {
  try {
    return answer();
  } catch (error) {
    return { error: error.name, message: error.message };
  }
}

/** Returns a generator of numbers from 0 to below 1 for a seed. */
function seeded(seed) {
  let x = seed;
  return () => {
    x = (x * 1103515245 + 12345) % 2147483648;
    return x / 2147483648;
  };
}

const ANSWERS = {
  listed: () => PLAYERS,
  chances: ({ players, boards }) =>
    players.map((name) =>
      boards.map((board) =>
        attempt(() => choose(table, name, board).map((m) => [m.move, m.probability])),
      ),
    ),
  words: ({ boards }) =>
    boards.map((board) => [
      verdict(table, board),
      table.scores(board).map((s) => [
        s.move,
        reasons(table, board, s),
      ]),
    ]),
  rules: ({ boards }) =>
    boards.map((board) => [
      rules.turnOf(board),
      rules.emptyCells(board),
      rules.isOver(board),
      rules.winnerOf(board),
      rules.wonLine(board),
    ]),
  read: ({ texts }) => texts.map((text) => attempt(() => rules.readBoard(text))),
  puzzles: ({ count, seed, difficulty }) =>
    attempt(() => findPuzzles(data, table, count, seeded(seed), difficulty)),
};

process.stdout.write(JSON.stringify(ANSWERS[asked.ask](asked)));
