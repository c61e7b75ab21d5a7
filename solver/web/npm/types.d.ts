import type { Code, Outcome, Value } from "./answers.d.ts";

export type { Outcome, Value };

/** A move with its value, for the side that makes it. */
export interface MoveScore extends Value {
  /** A cell or a column, from 0, or the move's text, as tables write moves. */
  move: Code;
  /** The share of the opponent's replies that worsen the opponent's outcome, from 0 to 1. */
  trap: number;
}

/** A mark of a board: 1 is X, -1 or 2 is O; 0, or null, undefined, "", ".", " ", "-" and "_" are an
 * empty cell, but not both. */
export type Mark = string | number | null | undefined;

/** A board: the text of a position as Python writes it, or its marks, flat or in rows. */
export type Board = string | readonly Mark[] | readonly (readonly Mark[])[];

/** How well to play: a word, or how often to make the best move, from 0 to 1; any move otherwise. */
export type Level = "easy" | "medium" | "hard" | "perfect" | number;

/** A move and how likely it is, from 0 to 1. */
export interface Chance {
  move: Code;
  probability: number;
}

/**
 * A solved game. The text of a board is X, O and . row by row from the top in tic-tac-toe, m,n,k games
 * and Connect 4. Each method throws a RangeError for a board that no game reaches, and a TypeError for
 * what is no board. A strategy file knows `bestMove` only, of its side in its positions.
 */
export interface Table {
  /** The game's name, such as "tictactoe" or "connect4:4x4". */
  readonly game: string;
  /** The value of a position for the side to move. */
  probe(board: Board): Value;
  /** All legal moves, the best first; of equal ones, that with the largest trap. */
  scores(board: Board): MoveScore[];
  /** The first of `scores`; null if the game is over. */
  bestMove(board: Board): Code | null;
  /** The moves at a level with their probabilities, in the order of `scores`. */
  chances(board: Board, level: Level): Chance[];
  /** One of these moves, drawn by a number from 0 up to 1; null if the game is over. */
  level(board: Board, level: Level, random?: () => number): Code | null;
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
 * Opens a JSON table, a strategy file, or all answers about a small game: its text, its bytes or its
 * parsed JSON. The words of levels are those of `perfectplay players`; games that have none take
 * numbers. Tables and strategies of games other than m,n,k games and Connect 4 answer only about boards as they write them,
 * without images by symmetry; `whole` answers have all boards. Throws an Error if the data are neither.
 */
export function openTable(data: string | ArrayBuffer | Uint8Array | JsonTable | Whole): Table;
