/** The view of puzzles: positions with exactly one good move, which the user has to find. */

import { announce, byId } from "./dom.js";
import { makeBoard, sideIcon } from "./play.js";
import { count, recall } from "./store.js";
import { worth } from "./words.js";

const BATCH = 10; // puzzles per request
const DAY = 86_400_000; // milliseconds
const KEEPS = { win: "keeps the win", draw: "holds the draw" };

export class QuizView {
  /**
   * `told.open(engine, said)` plays on from a position, `told.changed()` is called when the address may
   * need an update, `told.share(button, text)` shares a text; `told.failed(error, again)`.
   */
  constructor(told) {
    this.told = told;
    this.tries = 0; // wrong answers to the current puzzle
    this.leave();
    byId("difficulty").addEventListener("change", () => this.change());
    byId("next").addEventListener("click", () => this.attempt(() => this.next()));
    byId("today").addEventListener("click", () => this.attempt(() => this.showToday()));
    byId("share-puzzle").addEventListener("click", () => this.share());
    byId("solution").addEventListener("click", () => this.solve());
    byId("play-on").addEventListener("click", () => this.playOn());
  }

  /** Forget the game, its puzzles and how many were solved. */
  leave() {
    this.engine = null;
    this.asked = null;
    this.board = null;
    this.puzzle = null;
    this.known = null;
    this.waiting = [];
    this.solved = 0;
    this.seen = 0;
  }

  /** Show a game's puzzles: first the one that an address names, if it does. */
  enter(engine, asked) {
    if (this.engine === engine && !asked) return;
    this.leave();
    this.engine = engine;
    this.board = makeBoard(byId("puzzle-board"), engine.listing, (move) => this.answer(move));
    this.attempt(() => (asked ? this.showAsked(asked) : this.next()));
  }

  async explain(position, turn) {
    const { engine } = this;
    return engine.valued(await engine.explain(position, turn));
  }

  /** Show the puzzle that an address names: a position and the side to move. */
  async showAsked(asked) {
    const [, position, turn] = /^(.*):([^:]*)$/s.exec(asked) ?? [null, asked, undefined];
    const [best, second] = (await this.explain(position, turn)).moves;
    if (!second || second.outcome === best.outcome) {
      throw new RangeError(`“${position}” is no puzzle: it needs exactly one good move`);
    }
    await this.show({ position, turn, difficulty: "shared" });
  }

  async showToday() {
    const asked = {};
    this.asked = asked;
    const puzzle = await this.engine.daily(Math.floor(Date.now() / DAY));
    if (this.asked !== asked) return;
    await this.show(puzzle && { ...puzzle, today: new Date().toISOString().slice(0, 10) });
  }

  /** The keys of the address that describe the puzzle. */
  said() {
    return { puzzle: this.puzzle ? `${this.puzzle.position}:${this.puzzle.turn}` : undefined };
  }

  share() {
    if (!this.puzzle) return;
    const { today } = this.puzzle;
    const what = `${this.engine.listing.title}, ${today ? `puzzle of ${today}` : "a puzzle"}`;
    const tries = "🟥".repeat(this.tries) + (this.right ? "🟩" : "");
    this.told.share(byId("share-puzzle"), `${what} ${tries}`.trim());
  }

  change() {
    this.waiting = [];
    this.attempt(() => this.next());
  }

  async attempt(action) {
    if (!this.engine) return; // the first game is not there yet
    try {
      await action();
    } catch (error) {
      this.told.failed(error, () => this.attempt(action));
    }
  }

  async next() {
    const { engine } = this;
    const difficulty = byId("difficulty").value || null;
    const asked = {}; // an answer to anything asked before is dropped
    this.asked = asked;
    const waiting = this.waiting.length ? this.waiting : await engine.puzzles(BATCH, difficulty);
    if (this.asked !== asked) return;
    this.waiting = waiting;
    await this.show(this.waiting.shift());
  }

  /** Show a puzzle; null if there is none of this difficulty. */
  async show(puzzle) {
    const { engine } = this;
    byId("puzzle-board").hidden = !puzzle;
    if (!puzzle) {
      const difficulty = byId("difficulty").value;
      this.puzzle = null;
      byId("task").textContent = `There is no ${difficulty} puzzle of this game.`.replace(
        "  ",
        " ",
      );
      byId("verdict").textContent = byId("tally").textContent = "";
      return;
    }
    const known = await this.explain(puzzle.position, puzzle.turn);
    if (engine !== this.engine) return;
    const [{ outcome: goal, move }] = known.moves;
    this.puzzle = { ...puzzle, turn: known.turn, goal, move };
    Object.assign(this, { known, tries: 0, done: false, right: false });
    this.seen += 1;
    const text = `${known.turn} to move: ${goal === "win" ? "find the win" : "hold the draw"}.`;
    const icon = sideIcon(known.turn, engine.listing);
    byId("task").replaceChildren(...(icon ? [icon] : []), text);
    this.paint(known);
    this.tell("", puzzle.difficulty);
    announce(`New puzzle, ${puzzle.difficulty}. ${text}`);
    this.told.changed();
  }

  paint(known, last = null, values = false) {
    this.board.show({ known, last, fresh: last !== null, values, open: !this.done });
  }

  tell(text, mood) {
    byId("verdict").textContent = text;
    byId("verdict").dataset.mood = mood;
    byId("tally").textContent =
      `Difficulty: ${this.puzzle.difficulty}. Solved at the first try: ${this.solved} of ${this.seen}.${this.everSolved()}`;
    byId("solution").setAttribute("aria-disabled", String(this.done));
  }

  everSolved() {
    const [solved] = recall("puzzles", {})[this.engine.listing.game] ?? [0];
    return solved > this.solved ? ` ${solved} in all.` : "";
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
    this.right = true;
    const only = KEEPS[puzzle.goal];
    if (!this.tries) count("puzzles", engine.listing.game, 0, 1);
    this.tell(
      `Right: ${move.label}, ${worth(move.outcome, move.distance)}. No other move ${only}.`,
      "right",
    );
    await this.attempt(async () => {
      const { seats } = engine.listing;
      const after = await engine.explain(move.position, seats[1 - seats.indexOf(known.turn)]);
      if (puzzle === this.puzzle) this.paint({ ...after, moves: [] }, move);
    });
  }

  /** Show the values of all moves. */
  solve() {
    if (!this.puzzle || this.done) return;
    this.done = true;
    this.paint(this.known, null, true);
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
