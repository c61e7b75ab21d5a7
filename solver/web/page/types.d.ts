import type * as Answered from "../npm/answers.d.ts";
import type { Code, Outcome, Step } from "../npm/answers.d.ts";
import type { WholeGame } from "../npm/perfectplay.js";

/** What the page's modules pass to each other; the HTTP API describes it in api/v1/openapi.json. */

export type { Code, Outcome, Step };
export type Point = [x: number, y: number];

/** An entry of api/v1/games; the shares of perfect moves by level. `seats` are the names of the sides, and
 * `codes` what the API and addresses call them. */
export type Listing = Omit<Answered.Listing, "levels"> & {
  levels: Record<string, number>;
  codes: string[];
};

/** A value for the side to move. */
export type Value<O = Outcome | null> = { outcome: O; distance: number | null };

/** A move with its value for the side that makes it, null if not known, and the position after it. */
export type Move = Omit<Answered.ExplainedMove, keyof Value | "trap"> &
  Value & { trap: number | null };

/** A move whose value is known. */
export type Valued = Move & { outcome: Outcome };

/** What an engine knows of a position: its value for the side to move, and its moves, best first. */
export type Known = Omit<
  Answered.Explained,
  keyof Value | "game" | "move" | "moves" | "result" | "verdict"
> &
  Value & { moves: Move[] };

/** The answers about the positions of a game, and what is wrong with its first illegal move. */
export type Course = { plies: Known[]; wrong: string | null };

/** A move of a player, and how often it is played. */
export type Chance = Omit<Answered.Chance, "label">;

/** A position with exactly one good move. */
export type Puzzle = Pick<Answered.Puzzle, "position" | "turn"> & { difficulty: string };

/** A small game; solver/web/whole_game.py describes it. */
export interface Whole {
  moves: WholeMove[];
  symmetries: Symmetry[];
  nodes: WholeNode[];
  puzzles: [node: number, symmetry: number, difficulty: string, candidates: number][];
  /** The maps of the sides; only in a page that needs no server. */
  maps?: Record<string, string>;
}
export type WholeMove = [code: Code, label: string, cell: number | null, origin: number | null];
export type WholeNode = [
  text: string,
  seat: number,
  outcome: number,
  distance: number | null,
  marks: string | null,
  won: number[],
  moves: [move: number, node: number, symmetry: number, reasons: string[]][],
];
export type Symmetry = { cells: number[]; text: number[]; moves: number[]; after: number[] };

/** What a server answers, by the end of the address. */
export interface Answers {
  "/explain": Known;
  "/record": Course;
  "/rules": Course;
  "/line": { line: Step[] };
  "/player": { moves: Chance[] };
  "/puzzles": { puzzles: Puzzle[] };
  "/whole": Whole;
}

export type Query = Record<string, string | number | undefined>;
export type Asked = { position?: string; turn?: string; moves?: string };

/** The search for the values of a position: whether it still is wanted, and what is known so far. */
export interface Search {
  wanted?: () => boolean;
  onKnown?: (outcomes: Record<string, Outcome>) => void;
}

/**
 * Answers questions about a game. Errors say what is wrong; their `again` is true if trying again
 * may help.
 */
export interface Engine {
  listing: Listing;
  /** All answers, if the game is small. */
  whole?: WholeGame;
  explain(position?: string, turn?: string): Promise<Known>;
  record(asked: Asked): Promise<Course>;
  /** The positions of a game as people write it. */
  read(text: string): Promise<Course>;
  /** The game under best play. */
  line(position: string, turn: string): Promise<Step[]>;
  /**
   * The answer with values, if `known` lacks them: games answered by search are explained by their
   * rules at first. Null as soon as the search is not wanted.
   */
  valued(known: Known, search?: Search): Promise<Known | null>;
  /** The moves of a player at an explained position; null if they are not wanted any more. */
  chances(name: string, known: Known, search?: Search): Promise<Chance[] | null>;
  /** A puzzle, drawn at random; null if there is none. */
  puzzle(): Promise<Puzzle | null>;
  /** The puzzles of a day, the same for everyone, the first ones preferred. */
  daily(day: number): Promise<Puzzle[]>;
  /** The drawing of a side's perfect play. */
  map(side: string): Promise<string>;
}

/** A position of a game in progress, the move that led there, null for the start, and the player who
 * made it, null if the page was not there. */
export type Ply = { known: Known; played: Move | null; by: string | null };

/** A wrong move that is shown with its refutation, and taken back when that is over. */
export type Refused = { move: Move; reply: Move | null; won?: number[]; over?: boolean };

/** What is kept of a game. */
export type Kept = Pick<Game, "id" | "players" | "begun" | "help" | "counted"> & {
  game: string;
  start: string;
  record: string;
  by: (string | null)[];
};

/** A game in progress; store.js describes it. */
export interface Game {
  id: string;
  listing: Listing;
  lines: Ply[][];
  line: number;
  at: number;
  lead: number;
  /** From here on; each ply names who played it. */
  players: string[];
  /** How it was begun: "" for the start of the game, "link" or "position". */
  begun: string;
  /** What has helped the user, or makes the result no result. */
  help: string[];
  /** Whether the opponent is paused. */
  held: boolean;
  values: boolean;
  over: boolean;
  counted: boolean;
  /** The number of the move for which a better one is looked for; 0 for none. */
  trying: number;
  /** The mistakes whose answers are shown. */
  told: number[];
  /** Whether the lesson is closed. */
  closed: boolean;
  refused: Refused | null;
}

/** A puzzle in progress. */
export interface Quest extends Game {
  /** That of a day's puzzle. */
  number?: number;
  /** The day on which it was opened. */
  day: number;
  squares: string;
  /** The wrong moves, each with its ply. */
  wrong: string[];
  done: boolean;
  /** Whether the user has solved it. */
  right: boolean;
  /** Whether it is tried again after the solution was shown, which does not count. */
  spare: boolean;
}

/** What was answered to a puzzle before: the wrong moves, and whether the solution was shown. */
export interface Tried {
  wrong: string[];
  told: boolean;
}

export interface State {
  view: string;
  game: Game | null;
  puzzle: Quest | null;
  /** The puzzle of an address that is not there yet. */
  awaited: string;
}

export interface Opened
  extends Pick<Game, "listing" | "at" | "players" | "held" | "values" | "id"> {
  type: "opened";
  of?: string;
  plies: Ply[];
  kept?: Kept | null;
}

/** What happens, in the game or in the puzzle. */
export type Event =
  | Opened
  | { type: "viewed"; view: string; of?: string }
  | { type: "left"; of?: string }
  | { type: "awaited"; puzzle: string; of?: string }
  | {
      type: "set";
      of?: string;
      listing: Listing;
      plies: Ply[];
      number?: number;
      day: number;
      squares: string | null;
      tried: Tried | null;
    }
  | ({ of?: "game" | "puzzle" } & (
      | { type: "played"; move: Move; known: Known; by?: null }
      | { type: "went"; at: number; line?: number }
      | { type: "seated"; players: string[] }
      | { type: "held"; held: boolean }
      | { type: "valued"; known: Known }
      | { type: "hinted"; shown: boolean }
      | { type: "asked" | "told"; n: number }
      | { type: "refused"; move: Move }
      | { type: "refuted"; shown: Partial<Refused> }
      | { type: "restored" | "closed" | "counted" | "solved" | "shown" | "again" }
    ));

export type OnMove = (move: Move) => void;

/** What a board shows. */
export interface View {
  known: Pick<Known, "position" | "marks" | "moves" | "best" | "won">;
  /** Whether the values of moves are shown. */
  values: boolean;
  last: Move | null;
  /** Whether the last move was just made. */
  fresh: boolean;
  /** Whether the user may move. */
  open: boolean;
  /** Whether empty cells have their names. */
  named?: boolean;
  bars?: Bar[];
}

/** A domino, and the side that laid it. */
export type Bar = { cells: [number, number]; side: number };

/** What is to be seen on a board. */
export interface Seen extends Partial<Pick<View, "last" | "fresh" | "named" | "bars">> {
  marks: string;
  won: number[];
  selected?: number | null;
  /** Where the selected piece may move. */
  targets: number[];
  /** The cells that are pointed at. */
  hot?: (number | null)[];
  /** The moves whose values are shown, best first. */
  values: Valued[];
  best: Code[];
  /** The cell of the piece whose moves' values are shown. */
  from?: number | null;
  /** A move of which a shadow is shown. */
  ghost?: Move | null;
  /** The names of moves to cells. */
  labels?: Map<number, string>;
  /** The radius of values. */
  badge?: number;
  /** Cells from which a piece may leave the board. */
  exits?: number[];
  /** A cell with a ring, and the colour's role. */
  ring?: { cell: number; role: string };
}

/** What there is to see of a game. */
export type Shown = ReturnType<typeof import("./store.js").view>;
