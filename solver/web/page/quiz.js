/** The view of puzzles: positions with exactly one good move, which the user has to find. */

import { announce, byId } from "./dom.js";
import { makeBoard, sideIcon } from "./play.js";
import { worth } from "./words.js";

const BATCH = 10; // puzzles per request
const KEEPS = { win: "keeps the win", draw: "holds the draw" };

export class QuizView {
  /** `told.open(engine, said)` plays on from a position; `told.failed(error, again)`. */
  constructor(told) {
    this.told = told;
    this.tries = 0; // wrong answers to the current puzzle
    this.leave();
    byId("difficulty").addEventListener("change", () => this.change());
    byId("next").addEventListener("click", () => this.attempt(() => this.next()));
    byId("solution").addEventListener("click", () => this.solve());
    byId("play-on").addEventListener("click", () => this.playOn());
  }

  /** Forget the game, its puzzles and how many were solved. */
  leave() {
    this.engine = null;
    this.board = null;
    this.puzzle = null;
    this.waiting = [];
    this.solved = 0;
    this.seen = 0;
  }

  enter(engine) {
    if (this.engine === engine) return;
    this.leave();
    this.engine = engine;
    this.board = makeBoard(byId("puzzle-board"), engine.listing, (move) => this.answer(move));
    this.attempt(() => this.next());
  }

  change() {
    this.waiting = [];
    this.attempt(() => this.next());
  }

  async attempt(action) {
    try {
      await action();
    } catch (error) {
      this.told.failed(error, () => this.attempt(action));
    }
  }

  async next() {
    const { engine } = this;
    const difficulty = byId("difficulty").value || null;
    if (!this.waiting.length) this.waiting = await engine.puzzles(BATCH, difficulty);
    const puzzle = this.waiting.shift();
    byId("puzzle-board").hidden = !puzzle;
    if (!puzzle) {
      this.puzzle = null;
      byId("task").textContent = `There is no ${difficulty ?? ""} puzzle of this game.`.replace("  ", " ");
      byId("verdict").textContent = byId("tally").textContent = "";
      return;
    }
    const known = await engine.explain(puzzle.position, puzzle.turn);
    if (engine !== this.engine) return;
    Object.assign(this, { puzzle, known, tries: 0, done: false });
    this.seen += 1;
    const task = puzzle.task === "win" ? "find the win" : "hold the draw";
    const text = `${puzzle.turn} to move: ${task}.`;
    const icon = sideIcon(puzzle.turn, engine.listing.seats);
    byId("task").replaceChildren(...(icon ? [icon] : []), text);
    this.show(known);
    this.tell("", puzzle.difficulty);
    announce(`New puzzle, ${puzzle.difficulty}. ${text}`);
  }

  show(known, last = null, values = false) {
    this.board.show({ known, last, fresh: last !== null, values, open: !this.done });
  }

  tell(text, mood) {
    byId("verdict").textContent = text;
    byId("verdict").dataset.mood = mood;
    byId("tally").textContent =
      `Difficulty: ${this.puzzle.difficulty}. Solved at the first try: ${this.solved} of ${this.seen}.`;
    byId("solution").setAttribute("aria-disabled", String(this.done));
  }

  /** Check the move that the user chose. */
  async answer(move) {
    const { puzzle, known, engine } = this;
    if (!puzzle) return;
    if (String(move.move) !== String(puzzle.move)) {
      this.tries += 1;
      this.tell(`${move.label} is not it: ${tellWhy(move)}. Try again.`, "wrong");
      return;
    }
    this.done = true;
    this.solved += this.tries ? 0 : 1;
    const only = KEEPS[puzzle.task];
    this.tell(
      `Right: ${move.label}, ${worth(move.outcome, move.distance)}. No other move ${only}.`,
      "right",
    );
    await this.attempt(async () => {
      const { seats } = engine.listing;
      const after = await engine.explain(move.position, seats[1 - seats.indexOf(known.turn)]);
      if (puzzle === this.puzzle) this.show({ ...after, moves: [] }, move);
    });
  }

  /** Show the values of all moves. */
  solve() {
    if (!this.puzzle || this.done) return;
    this.done = true;
    this.show(this.known, null, true);
    const best = this.known.moves[0];
    this.tell(`The move is ${best.label}: ${tellWhy(best)}.`, "told");
  }

  playOn() {
    if (!this.puzzle) return;
    const { position, turn } = this.puzzle;
    const sides = this.engine.listing.seats.indexOf(turn) ? { x: "perfect", o: "human" } : {};
    this.told.open(this.engine, { position, turn, ...sides });
  }
}

/** Return the value of a move and the reasons for it. */
function tellWhy({ outcome, distance, reasons }) {
  return [worth(outcome, distance), ...(distance === 1 ? [] : reasons)].join("; ");
}
