/** What the page's modules pass to each other; the HTTP API describes it in api/v1/openapi.json. */

export type Outcome = "win" | "draw" | "loss";

/** An entry of api/v1/games. */
export interface Listing {
  game: string;
  title: string;
  about: string;
  seats: string[];
  board: number[] | null;
  style: "grid" | "rack" | "squares" | "points" | "heaps" | null;
  joined: number[][];
  places: number[][];
  start: string;
  marks: string | null;
  sample: string | null;
  positions: number | null;
  outcome: Outcome | null;
  distance: number | null;
  published: string | null;
  players: string[];
  levels: Record<string, number>;
  tag: string;
  searched: boolean;
  whole: boolean;
  map: boolean;
}

/** A move with its value for the side that makes it, and the position after it. */
export interface Move {
  move: number | string;
  label: string;
  outcome: Outcome;
  distance: number | null;
  trap: number;
  replies: number;
  reasons: string[];
  cell: number | null;
  origin: number | null;
  position: string;
  marks: string | null;
}

/** What an engine knows of a position: its value for the side to move, and its moves, best first. */
export interface Known {
  position: string;
  turn: string;
  outcome: Outcome;
  distance: number | null;
  best: (number | string)[];
  moves: Move[];
  marks: string | null;
  winner: string | null;
  won: number[];
}

/** A position of a game in progress, and the move that led there; null for the start. */
export interface Ply {
  known: Known;
  played: Move | null;
}

/** What a board shows. */
export interface View {
  known: Known;
  /** Whether the values of moves are shown. */
  values: boolean;
  last: Move | null;
  /** Whether the last move was just made. */
  fresh: boolean;
  /** Whether the user may move. */
  open: boolean;
}

/** One side's perfect play; map.js describes it. */
export interface Plan {
  before: Known;
  move: Move | null;
  after: Known;
  reader: string;
  replies: { cell: number; label: string; plan: Plan }[];
}
