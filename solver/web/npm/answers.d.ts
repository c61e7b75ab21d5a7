// Written by `python -m scripts.docs` from the types of answers in Python.

export type Outcome = "win" | "draw" | "loss";
export type Code = number | string;
export type Style = "grid" | "rack" | "squares" | "points" | "heaps";

export interface Levels {
  easy: number;
  medium: number;
  hard: number;
}

/** A game that is served. */
export interface Listing {
  game: string;
  title: string;
  about: string;
  seats: [string, string];
  /** its columns and rows */
  board: [number, number] | null;
  style: Style | null;
  /** the pairs of cells joined by a line */
  joined: [number, number][];
  /** the column and row of each cell, if there is no board */
  places: [number, number][];
  start: string;
  /** a character for each cell; null without cells */
  marks: string | null;
  /** the marks of a position that shows what the game looks like */
  sample: string | null;
  positions: number | null;
  /** how many positions there are up to symmetry */
  canonical: number | null;
  outcome: Outcome | null;
  /** plies, of both sides, to the end of the game; null for a draw */
  distance: number | null;
  published: string | null;
  players: string[];
  levels: Levels;
  sha256: string;
  tag: string;
  /** whether values take a search: `rules` answers at once */
  searched: boolean;
  /** whether `Whole` answers about it */
  whole: boolean;
  map: boolean;
  /** since the table was made; only if they have */
  rules_changed?: boolean;
}

/** A move with its value, why it has it, and how to show it. */
export interface ExplainedMove {
  move: Code;
  label: string;
  outcome: Outcome;
  distance: number | null;
  /** the share of the opponent's replies that worsen the opponent's outcome */
  trap: number;
  cell: number | null;
  origin: number | null;
  /** before the move */
  position: string;
  marks: string | null;
  /** how many moves that position has */
  replies: number;
  reasons: string[];
}

/** The value of a position and of its moves, best first, in words, too, and how to show them. */
export interface Explained {
  game: string;
  position: string;
  turn: string;
  rules_changed?: boolean;
  outcome: Outcome;
  distance: number | null;
  move: number | string | null;
  best: Code[];
  verdict: string;
  marks: string | null;
  result: string | null;
  winner: string | null;
  /** the cells of the lines that won it */
  won: number[];
  moves: ExplainedMove[];
}

export interface Step {
  turn: string;
  move: Code;
  label: string;
  position: string;
}

export interface Chance {
  move: Code;
  label: string;
  probability: number;
}

/** A position in which exactly one move keeps the outcome, and that move. */
export interface Puzzle {
  move: Code;
  label: string;
  position: string;
  turn: string;
  /** the outcome to keep */
  task: "win" | "draw";
  /** how many moves the player `winblock` chooses from */
  candidates: number;
  difficulty: "easy" | "medium" | "hard";
}

/** The value of a position or a move for the side to move. */
export interface Value {
  outcome: Outcome;
  distance: number | null;
}
