/** The view of puzzles: positions with exactly one good move, which the user has to find. */

/** @import { Engine, Failed, Known, Move, Puzzle } from "./types.d.ts" */
/** @import { Said } from "./address.js" */

import { sideIcon } from "./boardart.js";
import { announce, byId, choiceOf, sure } from "./dom.js";
import { mayHelp } from "./notice.js";
import { count, countsOf, recall, remember } from "./store.js";
import { makeBoard } from "./textboard.js";
import { worth } from "./words.js";

const BATCH = 10; // puzzles per request
const DAY = 86_400_000; // milliseconds
/** @type {Record<string, {day: string, puzzle: string, tries: number} | undefined>} */
const SOLVED = {}; // the puzzle of the day by game, from what the browser remembers

/**
 * @typedef Told
 * @property {(engine: Engine, said: Said) => void} open plays on from a position
 * @property {(instead?: boolean) => void} changed is called when the address may need an update, if
 *   `instead` is true without a new entry of the browser's history
 * @property {(button: HTMLElement, text: string) => void} share shares a text
 * @property {Failed} failed
 */

export class QuizView {
  /** @type {Engine | null} */ engine = null;
  /** @type {ReturnType<typeof makeBoard> | null} */ board = null;
  /** @type {(Puzzle & {today?: string, known: Known}) | null} */ puzzle = null;
  /** @type {Puzzle[]} */ waiting = [];
  asked = {};
  tries = 0; // wrong answers to the current puzzle
  solved = 0;
  seen = 0; // puzzles that were tried or solved, or whose solution was shown
  pending = ""; // the puzzle of the address, until it is shown
  done = false;
  right = false;

  constructor(/** @type {Told} */ told) {
    this.told = told;
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
    this.asked = {};
    this.board = null;
    this.puzzle = null;
    this.waiting = [];
    this.solved = 0;
    this.seen = 0;
  }

  /** Show a game's puzzles: first the one that an address names, if it does.
   * @param {Engine} engine @param {string} [asked] */
  enter(engine, asked) {
    if (this.engine === engine && !asked) return;
    this.leave();
    this.engine = engine;
    this.board = makeBoard(byId("puzzle-board"), engine.listing, (move) => this.answer(move));
    this.pending = asked ?? "";
    this.attempt(() => (asked ? this.showAsked(asked) : this.next()));
  }

  /** @param {string} position @param {string} [turn] */
  async explain(position, turn) {
    const engine = sure(this.engine);
    return sure(await engine.valued(await engine.explain(position, turn)));
  }

  /** Show the puzzle that an address names: a position and the side to move. @param {string} asked */
  async showAsked(asked) {
    const [, text, seat] = /^(.*):([^:]*)$/s.exec(asked) ?? [null, asked, undefined];
    try {
      const { moves, turn } = await this.explain(text, seat);
      const [best, second] = moves;
      if (!second || second.outcome === best.outcome) {
        throw new RangeError(`“${text}” is no puzzle: it needs exactly one good move`);
      }
      await this.show({ position: text, turn, difficulty: "shared" });
    } catch (error) {
      if (!mayHelp(error)) await this.next(); // instead of nothing
      throw error;
    }
  }

  async showToday() {
    const asked = {};
    this.asked = asked;
    const puzzle = await sure(this.engine).daily(Math.floor(Date.now() / DAY));
    if (this.asked !== asked) return;
    await this.show(puzzle, today());
  }

  /** The keys of the address that describe the puzzle. */
  said() {
    return { puzzle: this.puzzle ? keyOf(this.puzzle) : this.pending || undefined };
  }

  share() {
    if (!this.puzzle) return;
    const { today } = this.puzzle;
    const what = `${sure(this.engine).listing.title}, ${today ? `puzzle of ${today}` : "a puzzle"}`;
    const tries = "🟥".repeat(this.tries) + (this.right ? "🟩" : "");
    this.told.share(byId("share-puzzle"), `${what} ${tries}`.trim());
  }

  change() {
    this.waiting = [];
    this.attempt(() => this.next());
  }

  async attempt(/** @type {() => unknown} */ action) {
    if (!this.engine) return; // the first game is not there yet
    try {
      await action();
    } catch (error) {
      this.told.failed(error, () => this.attempt(action));
    }
  }

  async next() {
    const engine = sure(this.engine);
    const difficulty = choiceOf("difficulty").value || null;
    const asked = {}; // an answer to anything asked before is dropped
    this.asked = asked;
    const waiting = this.waiting.length ? this.waiting : await engine.puzzles(BATCH, difficulty);
    if (this.asked !== asked) return;
    this.waiting = waiting;
    await this.show(this.waiting.shift() ?? null);
  }

  /** Show a puzzle; null if there is none of this difficulty.
   * @param {Puzzle | null} puzzle @param {string} [day] whose puzzle it is */
  async show(puzzle, day) {
    const engine = sure(this.engine);
    byId("puzzle-board").hidden = !puzzle;
    if (!puzzle) {
      const difficulty = choiceOf("difficulty").value;
      this.puzzle = null;
      const kind = difficulty ? `${difficulty} puzzle` : "puzzle";
      byId("task").textContent = `There is no ${kind} of this game.`;
      byId("verdict").textContent = byId("tally").textContent = "";
      return;
    }
    const known = await this.explain(puzzle.position, puzzle.turn);
    if (engine !== this.engine) return;
    const first = !this.puzzle;
    this.puzzle = { ...puzzle, today: day, known };
    const before = day ? this.solvedToday : null;
    this.tries = before?.tries ?? 0;
    this.done = this.right = before !== null;
    const wins = known.moves[0].outcome === "win";
    const text = `${known.turn} to move: ${wins ? "find the win" : "hold the draw"}.`;
    const icon = sideIcon(known.turn, engine.listing);
    byId("task").replaceChildren(...(icon ? [icon] : []), text);
    this.paint(known, null, this.done);
    this.tell(this.done ? `You have solved today’s puzzle: ${known.moves[0].label}.` : "", "right");
    announce(`New puzzle, ${puzzle.difficulty}. ${text}`);
    this.told.changed(first);
  }

  /** How today's puzzle was solved in this browser; null if it was not. */
  get solvedToday() {
    const { puzzle, engine } = this;
    const stored = recall("today", SOLVED)[sure(engine).listing.game];
    return puzzle && stored?.day === today() && stored.puzzle === keyOf(puzzle) ? stored : null;
  }

  /** @param {Known} known @param {Move | null} last */
  paint(known, last = null, values = false) {
    const named = true; // as the texts do
    this.board?.show({ known, last, fresh: last !== null, values, open: !this.done, named });
  }

  /** @param {string} text @param {string} mood */
  tell(text, mood) {
    byId("verdict").textContent = text;
    byId("verdict").dataset.mood = mood;
    byId("tally").textContent =
      `Difficulty: ${this.puzzle?.difficulty}. Solved at the first try: ${this.solved} of ${this.seen}.${this.everSolved()}`;
    byId("solution").setAttribute("aria-disabled", String(this.done));
  }

  everSolved() {
    const [solved] = countsOf("puzzles", sure(this.engine).listing.game) ?? [0];
    return solved > this.solved ? ` ${solved} in all.` : "";
  }

  /** Check the move that the user chose. @param {Move} move */
  async answer(move) {
    const { puzzle, engine } = this;
    if (!puzzle || !engine) return;
    const [best] = puzzle.known.moves;
    this.seen += this.tries ? 0 : 1;
    if (move.move !== best.move) {
      this.tries += 1;
      this.tell(`${move.label} is not it: ${tellWhy(move)}. Try again.`, "wrong");
      return;
    }
    this.done = true;
    this.solved += this.tries ? 0 : 1;
    this.right = true;
    const only = best.outcome === "win" ? "keeps the win" : "holds the draw";
    const { game } = engine.listing;
    if (!this.tries && !this.solvedToday) count("puzzles", game, 0, 1);
    if (puzzle.today) {
      const solved = { day: puzzle.today, puzzle: keyOf(puzzle), tries: this.tries };
      remember("today", { ...recall("today", SOLVED), [game]: solved });
    }
    this.tell(`Right: ${move.label}, ${worth(move)}. No other move ${only}.`, "right");
    await this.attempt(async () => {
      const other = engine.listing.seats.find((name) => name !== puzzle.known.turn);
      const after = await engine.explain(move.position, other);
      if (puzzle === this.puzzle) this.paint({ ...after, moves: [] }, move);
    });
  }

  /** Show the values of all moves. */
  solve() {
    if (!this.puzzle || this.done) return;
    this.seen += this.tries ? 0 : 1;
    this.done = true;
    this.paint(this.puzzle.known, null, true);
    const [best] = this.puzzle.known.moves;
    this.board?.point(best);
    this.tell(`The move is ${best.label}: ${tellWhy(best)}.`, "told");
  }

  playOn() {
    const { puzzle, engine } = this;
    if (!puzzle || !engine) return;
    const { position, turn } = puzzle;
    const sides = engine.listing.seats.indexOf(turn) ? { x: "perfect", o: "human" } : {};
    this.told.open(engine, { position, turn, ...sides });
  }
}

/** Return the day, as the same for everyone. */
const today = () => new Date().toISOString().slice(0, 10);

/** Return a puzzle as in an address. @param {Puzzle} puzzle */
const keyOf = ({ position, turn }) => `${position}:${turn}`;

/** Return the value of a move and the reasons for it. @param {Move} move */
function tellWhy(move) {
  return [worth(move), ...(move.distance === 1 ? [] : move.reasons)].join("; ");
}
