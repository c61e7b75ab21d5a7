// Written by `python -m scripts.docs` from solver/agent/answers.py.

export type Outcome = "win" | "draw" | "loss";

/** The value of a position or a move for the side to move. */
export interface Value {
  outcome: Outcome;
  /** plies, of both sides, to the end of the game; null for a draw */
  distance: number | null;
}
