import type { Code, Outcome, Value } from "./answers.d.ts";

export type { Outcome, Value };

/** A move with its value, for the side that makes it. */
export interface MoveScore extends Value {
  /** A cell or a column, from 0, or the move's text, as tables write moves. */
  move: Code;
  /** The share of the opponent's replies that worsen the opponent's outcome, from 0 to 1. */
  trap: number;
}

/**
 * A solved game. A board is the text of a position as Python writes it: X, O and . row by row from the
 * top in tic-tac-toe, m,n,k games and Connect 4. Each method throws a RangeError if no game reaches it.
 */
export interface Table {
  /** The game's name, such as "tictactoe" or "connect4:4x4". */
  readonly game: string;
  /** The value of a position for the side to move. */
  probe(board: string): Value;
  /** All legal moves, the best first; of equal ones, that with the largest trap. */
  scores(board: string): MoveScore[];
  /** The first of `scores`; null if the game is over. */
  bestMove(board: string): Code | null;
}

/** A parsed JSON table; docs/reference/tables.md describes it. */
export interface JsonTable {
  format: string;
  version: number;
  game: string;
  entries: object;
}

/** All answers about a small game, as a server's api/v1/GAME/whole sends them. */
export interface Whole {
  game: string;
  nodes: unknown[];
}

/**
 * Opens a JSON table, or all answers about a small game: its text, its bytes or its parsed JSON.
 * Tables of games other than m,n,k games and Connect 4 answer only about boards as they write them,
 * without images by symmetry; `whole` answers have all boards. Throws an Error if the data are neither.
 */
export function openTable(data: string | ArrayBuffer | Uint8Array | JsonTable | Whole): Table;
