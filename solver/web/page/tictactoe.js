/**
 * The rules of tic-tac-toe. A board is a text of nine cells row by row, "X...O...."; X moves first.
 * Cells count from 0, and players are "X" and "O".
 */

export const START = ".........";

/** Every line of three cells: rows, columns, the falling and the rising diagonal. */
export const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];

const countMarks = (board, mark) => board.split(mark).length - 1;
const linesOf = (board, mark) => LINES.filter((line) => line.every((cell) => board[cell] === mark));

/** Returns who is to move, "X" or "O". */
export function turnOf(board) {
  return countMarks(board, "X") === countMarks(board, "O") ? "X" : "O";
}

/** Returns who is not to move. */
export function otherOf(board) {
  return turnOf(board) === "X" ? "O" : "X";
}

/** Returns the empty cells in ascending order, even if the game is over. */
export function emptyCells(board) {
  return [...board].flatMap((mark, cell) => (mark === "." ? [cell] : []));
}

/** Returns the board after the side to move, or a given one, marks an empty cell. */
export function playCell(board, cell, mark = turnOf(board)) {
  if (board[cell] !== ".") {
    throw new RangeError(`cell ${cell + 1} of ${board} is not empty`);
  }
  return board.slice(0, cell) + mark + board.slice(cell + 1);
}

/** Returns the cells of a completed line, or null if there is none. */
export function wonLine(board) {
  return linesOf(board, "X")[0] ?? linesOf(board, "O")[0] ?? null;
}

/** Returns "X" or "O" if that side has three in a row, else null. */
export function winnerOf(board) {
  const line = wonLine(board);
  return line ? board[line[0]] : null;
}

/** Returns whether a side has won or no cell is empty. */
export function isOver(board) {
  return wonLine(board) !== null || !board.includes(".");
}

/** Returns the empty cells that would complete a line of a mark; none when the game is over. */
export function winningCells(board, mark) {
  const open = isOver(board) ? [] : emptyCells(board);
  const completes = (cell) => (line) =>
    line.includes(cell) && line.every((other) => other === cell || board[other] === mark);
  return open.filter((cell) => LINES.some(completes(cell)));
}

/**
 * Parses a board: X and O in either case; `.`, `-`, `_`, a space or the cell's number for an empty
 * cell; `/`, `|` or a new line between rows.
 *
 * Throws RangeError with the reason if the text is not a board or no game leads to it.
 */
export function readBoard(text) {
  const board = readMarks(text);
  const reason = whyIllegal(board);
  if (reason) {
    throw new RangeError(reason);
  }
  return board;
}

function readMarks(text) {
  const rows = String(text).replaceAll("\r\n", "\n").split(/[/|\n]/);
  const inRows = rows.length === 3 && rows.every((row) => row.length === 3);
  const marks = [...(inRows ? rows.join("") : String(text))];
  if (marks.length !== 9) {
    throw new RangeError(
      `"${text}" is no board: a board has 9 cells, 3 in a row, and / or | or a new line between ` +
        "rows or nowhere",
    );
  }
  return marks.map((mark, cell) => readMark(text, mark, cell)).join("");
}

function readMark(text, mark, cell) {
  if ("XxOo".includes(mark)) {
    return mark.toUpperCase();
  }
  if (!".-_ ".includes(mark) && mark !== String(cell + 1)) {
    throw new RangeError(
      `cell ${cell + 1} of "${text}" holds "${mark}"; it must be X or O, or if it is empty one ` +
        `of . - _ or a space or its number, ${cell + 1}`,
    );
  }
  return ".";
}

/** Returns why no game leads to a board, or null if one does. */
function whyIllegal(board) {
  const [x, o] = [countMarks(board, "X"), countMarks(board, "O")];
  if (x !== o && x !== o + 1) {
    const many = x > o ? "X" : "O";
    return `too many ${many}: ${x} X and ${o} O, but X moves first and has as many as O or one more`;
  }
  const [turn, other] = [turnOf(board), otherOf(board)];
  const [own, made] = [linesOf(board, turn), linesOf(board, other)];
  if (own.length && made.length) {
    return "both X and O have 3 in a row";
  }
  if (own.length) {
    return `${turn} has 3 in a row, so the game was over before ${other}'s last move`;
  }
  const shared = LINES.flat().some((cell) => made.every((line) => line.includes(cell)));
  return shared ? null : `${other} has lines of 3 that no single last move completes`;
}
