import type { Outcome, Value } from "./answers.d.ts";

export type { Outcome, Value };

/** A move with its value, for the side that makes it. */
export interface MoveScore<Move = number | string> extends Value {
  /** A cell or a column, from 0, or the move's text, as the table writes moves. */
  move: Move;
  /** The share of the opponent's replies that worsen the opponent's outcome, from 0 to 1. */
  trap: number;
}

/** The rules of a game that the module does not know. */
export interface Rules<Board = string, Move = number | string> {
  /**
   * The board's canonical image among those that are equal by symmetry: as text, as a JSON table
   * writes it, or as the BigInt that the game's `key` is in Python, for a mapped table.
   */
  key(board: Board): string | bigint;
  /** The legal moves in the order of the rules; none if the game is over. */
  moves(board: Board): Move[];
  /** The board after a move; the other side is to move. */
  play(board: Board, move: Move): Board;
}

/**
 * An open table. A board of tic-tac-toe, m,n,k games and Connect 4 is a text of X, O and . row by
 * row from the top, and X began; in Connect 4 it may be the columns played instead, from 1: "4453".
 *
 * Each method throws a RangeError that says what is wrong: the text is no board, no game reaches
 * the board, or one of the columns is an illegal move.
 */
export interface Table<Board = string, Move = number | string> {
  /** The game's name, such as "tictactoe" or "connect4:5x4". */
  readonly game: string;
  /** The value of a position. */
  probe(board: Board): Value;
  /** All legal moves, the best first; of equal ones, that with the largest trap. */
  scores(board: Board): MoveScore<Move>[];
  /** The first of `scores`; null if the game is over. */
  bestMove(board: Board): Move | null;
}

/** A parsed JSON table; docs/reference/tables.md describes it. */
export interface JsonTable {
  format: string;
  version: number;
  game: string;
  entries: object;
}

/**
 * Opens a table: the text or bytes of a JSON table, that table parsed, or the bytes of a mapped one.
 * Unpack a packed table first, with `unpackTable` of unpack.js.
 *
 * `rules` are needed for mapped tables of games other than Connect 4. JSON tables of m,n,k games
 * and Connect 4 do without; those of other games answer without rules only about boards as they
 * write them.
 *
 * Throws a TypeError if `data` is of another type, or if rules are missing or lack a function, and
 * an Error if the data are no table, a damaged one, a packed one, or one of another version.
 */
export function openTable<Board = string, Move = number | string>(
  data: string | ArrayBuffer | Uint8Array | JsonTable,
  rules?: Rules<Board, Move>,
): Table<Board, Move>;
