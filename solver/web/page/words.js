/**
 * The values of positions and moves of tic-tac-toe in words: the sentences of
 * solver/agent/words.py. Cells are named by their numbers from 1.
 */

import { isOver, otherOf, playCell, turnOf, winnerOf, winningCells } from "./tictactoe.js";

/** Outcomes for the side to move, in order. */
export const ORDER = { loss: -1, draw: 0, win: 1 };

const HOLDS = { win: "keeps the win", draw: "holds the draw" };
const ERR = { win: "let the win go", draw: "lose" };
const ERRS = { win: "lets the win go", draw: "loses" };

/** Returns how many of the next `plies` plies are moves of the side to move. */
export function movesIn(plies) {
  return Math.ceil(plies / 2);
}

/** Returns "in 2 moves" and so on, counting the moves of the side to move. */
function movesText(plies) {
  const count = movesIn(plies);
  return `in ${count} move${count === 1 ? "" : "s"}`;
}

/** Returns "draw", "wins now", "wins in 2 moves", "loses now" and so on. */
export function worth(outcome, distance) {
  if (distance === null) {
    return "draw";
  }
  const verb = outcome === "win" ? "wins" : "loses";
  return distance === 1 ? `${verb} now` : `${verb} ${movesText(distance)}`;
}

/** Returns a value in plies, for those who want to know: "a win in 5 plies". */
export function exactly(outcome, distance) {
  return distance === null ? "a draw" : `a ${outcome} in ${distance} ${distance === 1 ? "ply" : "plies"}`;
}

/** Returns how many of the opponent's answers to a move are mistakes: "7 of 8 answers lose", or "". */
export function trapWords({ outcome, trap, replies }) {
  const wrong = Math.round(trap * replies);
  if (!wrong) {
    return "";
  }
  return `${wrong} of ${replies} answers ${(wrong > 1 ? ERR : ERRS)[outcome === "draw" ? "draw" : "win"]}`;
}

/** Returns one sentence about the value of a position for the side to move. */
export function verdict(table, board) {
  if (isOver(board)) {
    const winner = winnerOf(board);
    return `The game is over: ${winner ? `${winner} has won` : "a draw"}.`;
  }
  const turn = turnOf(board);
  const { outcome, distance } = table.probe(board);
  if (distance === null) {
    return `${turn} to move: a draw with best play.`;
  }
  const when = distance === 1 ? "at once" : `${movesText(distance)} with best play`;
  return `${turn} to move: ${turn} ${outcome === "win" ? "wins" : "loses"} ${when}.`;
}

/** Returns the reasons for the value of a move, one of the table's scores of the board. */
export function reasons(table, board, score) {
  if (score.distance === 1) {
    return ["wins now"];
  }
  const opponent = otherOf(board);
  const child = playCell(board, score.move);
  const said = [];
  const danger = winningCells(board, opponent);
  if (danger.includes(score.move)) {
    said.push(`blocks ${danger.length > 1 ? `one of ${opponent}'s wins` : `${opponent}'s win`}`);
  }
  const threats = winningCells(child, turnOf(board));
  if (threats.length > 1) {
    said.push(`makes a fork: would win at ${listCells(threats)}`);
  } else if (threats.length) {
    said.push(`threatens to win at ${listCells(threats)}`);
  }
  const scores = table.scores(board);
  const alone = scores.filter((s) => ORDER[s.outcome] >= ORDER[score.outcome]).length === 1;
  if (alone && score.outcome in HOLDS && scores.length > 1) {
    said.push(`the only move that ${HOLDS[score.outcome]}`);
  }
  return [...said, ...replyWords(table, child, opponent, score)];
}

/** Returns which of the opponent's replies hold and which do not. */
function replyWords(table, child, opponent, score) {
  const replies = table.scores(child);
  if (!replies.length) {
    return [];
  }
  const { outcome, distance, move } = replies[0];
  const good = replies.filter((reply) => reply.outcome === outcome);
  const wrong = replies.filter((reply) => reply.outcome !== outcome).map((reply) => reply.move);
  if (outcome === "win" && score.outcome === "loss") {
    const when = distance === 1 ? "at once" : movesText(distance);
    return [`${opponent} answers ${move + 1} and wins ${when}`];
  }
  if (!wrong.length) {
    return [`every reply ${outcome === "loss" ? "loses" : "holds the draw"}`];
  }
  if (good.length === 1) {
    return [`of ${opponent}'s ${replies.length} replies all but ${move + 1} ${ERR[outcome]}`];
  }
  const verb = (wrong.length > 1 ? ERR : ERRS)[outcome];
  const cells = listCells(wrong.sort((a, b) => a - b));
  return [`${wrong.length} of ${opponent}'s ${replies.length} replies ${verb}: ${cells}`];
}

/** Returns "1", "1 and 2" or "1, 2 and 3". */
function listCells(cells) {
  const labels = cells.map((cell) => `${cell + 1}`);
  const last = labels.pop();
  return labels.length ? `${labels.join(", ")} and ${last}` : last;
}
