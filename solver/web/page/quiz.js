/** The view of puzzles: positions with exactly one good move, which the user has to find. */

/** @import { Engine, Known, Listing, Move, Puzzle } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { sideIcon } from "./boardart.js";
import {
  DEEPEST,
  defend,
  isPuzzle,
  listToday,
  opponentOf,
  puzzleOfDay,
  rememberSolved,
  solvedAs,
  streakText,
  today,
  valuesAt,
} from "./daily.js";
import { announce, byId, choiceOf, reducesMotion, refill, sure } from "./dom.js";
import { attempt, mayHelp } from "./notice.js";
import { humanPlays } from "./seats.js";
import { share } from "./share.js";
import { count, countsOf } from "./store.js";
import { makeBoard } from "./textboard.js";
import { why, worth } from "./words.js";

const BATCH = 10; // puzzles per request
const ANSWER = 450; // milliseconds before the opponent answers
const [WRONG, RIGHT] = ["🟥", "🟩"];

/**
 * @typedef Handlers
 * @property {(engine: Engine, fields: Fields) => void} open plays on from a position
 * @property {(instead?: boolean) => void} changed is called when the address may need an update, if
 *   `instead` is true without a new entry of the browser's history
 * @property {Listing[]} listings
 * @property {(listing: Listing) => void} openToday opens a game's puzzle of today
 */

export class QuizView {
  /** @type {Engine | null} */ engine = null;
  /** @type {ReturnType<typeof makeBoard> | null} */ board = null;
  /** @type {(Puzzle & {number?: number}) | null} */ puzzle = null;
  /** @type {Known | null} */ known = null; // the position whose good move is asked for
  /** @type {Puzzle[]} */ waiting = [];
  asked = {};
  squares = ""; // the answers to the current puzzle so far
  steps = 0; // those of them that were followed by another question
  solved = 0;
  seen = 0; // puzzles that were tried or solved, or whose solution was shown
  pending = ""; // the puzzle of the address, until it is shown
  done = false;
  right = false;

  constructor(/** @type {Handlers} */ handlers) {
    this.handlers = handlers;
    byId("difficulty").addEventListener("change", () => {
      this.waiting = [];
      attempt(() => this.next());
    });
    byId("next").addEventListener("click", () => attempt(() => this.next()));
    byId("share-puzzle").addEventListener("click", () => this.share());
    byId("solution").addEventListener("click", () => this.solve());
    byId("play-on").addEventListener("click", () => this.playOn());
  }

  /** Forget the game, its puzzles and how many were solved. */
  leave() {
    this.engine = this.board = this.puzzle = null;
    this.asked = {};
    this.waiting = [];
    this.solved = this.seen = 0;
  }

  /** Show a game's puzzles: first the one that an address names, if it does.
   * @param {Engine} engine @param {string} [asked] */
  enter(engine, asked) {
    if (this.engine === engine && !asked) return;
    this.leave();
    this.engine = engine;
    this.board = makeBoard(byId("puzzle-board"), engine.listing, (move) => this.answer(move));
    this.pending = asked ?? String(today());
    byId("task").textContent = "One moment …";
    byId("verdict").textContent = "";
    this.renderToday();
    // what is tried again may have been left
    attempt(() => engine === this.engine && this.showAsked(asked ?? String(today())));
  }

  /** Show the puzzle that an address names: a position and the side to move. @param {string} asked */
  async showAsked(asked) {
    if (/^[1-9]\d{0,5}$/.test(asked)) return this.showDay(Number(asked));
    const [, text, seat] = /^(.*):([^:]*)$/s.exec(asked) ?? [null, asked, undefined];
    try {
      const known = await valuesAt(sure(this.engine), text, seat);
      if (!isPuzzle(known)) {
        throw new RangeError(`“${text}” is no puzzle: it needs exactly one good move`);
      }
      await this.show({ position: text, turn: known.turn, difficulty: "shared" });
    } catch (error) {
      if (!mayHelp(error)) await this.next(); // instead of nothing
      throw error;
    }
  }

  /** Show the puzzle of a day. @param {number} number */
  async showDay(number) {
    const asked = {};
    this.asked = asked;
    const puzzle = await puzzleOfDay(sure(this.engine), number);
    if (this.asked === asked) await this.show(puzzle, number);
  }

  /** The keys of the address that describe the puzzle. */
  fields() {
    return { puzzle: this.puzzle ? keyOf(this.puzzle) : this.pending || undefined };
  }

  share() {
    if (!this.puzzle) return;
    const [{ number }, { title }] = [this.puzzle, sure(this.engine).listing];
    const what = title + (number ? ` no. ${number}` : ", a puzzle");
    const days = number === today() ? streakText() : "";
    const result = this.right ? ` ${this.squares}${days}` : ""; // else it is still to be solved
    share(byId("share-puzzle"), what + result);
  }

  async next() {
    const { engine } = this;
    if (!engine) return; // the first game is not there yet
    const difficulty = choiceOf("difficulty").value || null;
    const asked = {}; // an answer to anything asked before is dropped
    this.asked = asked;
    const waiting = this.waiting.length ? this.waiting : await engine.puzzles(BATCH, difficulty);
    if (this.asked !== asked) return;
    this.waiting = waiting;
    await this.show(this.waiting.shift() ?? null);
  }

  /** Show a puzzle; null if there is none of this difficulty.
   * @param {Puzzle | null} puzzle @param {number} [number] that of a day's */
  async show(puzzle, number) {
    const engine = sure(this.engine);
    byId("puzzle-board").hidden = !puzzle;
    if (!puzzle) {
      this.puzzle = null;
      this.pending = "";
      this.renderToday();
      const kind = `${choiceOf("difficulty").value} puzzle`.trim();
      byId("task").textContent = `There is no ${kind} of this game.`;
      byId("verdict").textContent = byId("tally").textContent = "";
      return;
    }
    const known = await valuesAt(engine, puzzle.position, puzzle.turn);
    if (engine !== this.engine) return;
    const first = !this.puzzle;
    this.puzzle = { ...puzzle, number };
    this.known = known;
    const before = solvedAs(engine.listing.game, number);
    this.squares = before ?? "";
    this.steps = 0;
    this.done = this.right = before !== null;
    const wins = known.moves[0].outcome === "win";
    const text = `${known.turn} to move: ${wins ? "find the win" : "hold the draw"}.`;
    byId("task").replaceChildren(sideIcon(known.turn, engine.listing), text);
    this.paint(known, null, this.done);
    const solved = `You have solved no. ${number}: ${this.squares} ${known.moves[0].label}.`;
    this.tell(this.done ? solved : "", "right");
    announce(`New puzzle, ${puzzle.difficulty}. ${text}`);
    this.handlers.changed(first);
  }

  /** Show the games that have a puzzle today, and which are solved. */
  renderToday() {
    const number = today();
    const { listing } = sure(this.engine);
    const shown = (this.puzzle ? keyOf(this.puzzle) : this.pending) === String(number);
    const { listings, openToday } = this.handlers;
    const buttons = listToday(listings, listing, shown, openToday);
    const other = this.puzzle?.number ? `Puzzle no. ${this.puzzle.number}` : "One more puzzle";
    byId("number").textContent = shown ? `Today’s puzzle, no. ${number}${streakText()}` : other;
    refill(byId("today"), buttons, '[aria-pressed="true"]');
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
    const [ever] = countsOf("puzzles", sure(this.engine).listing.game) ?? [0];
    const all = ever > this.solved ? ` ${ever} in all.` : "";
    byId("tally").textContent =
      `Difficulty: ${this.puzzle?.difficulty}. Solved at the first try: ${this.solved} of ${this.seen}.${all}`;
    byId("solution").setAttribute("aria-disabled", String(this.done));
    byId("next").classList.toggle("strong", this.done);
    byId("share-puzzle").classList.toggle("strong", this.right);
    this.renderToday();
  }

  /** Check the move that the user chose. @param {Move} move */
  async answer(move) {
    const { puzzle, engine, known } = this;
    if (!puzzle || !engine || !known) return;
    const [best] = known.moves;
    this.seen += this.squares ? 0 : 1;
    if (move.move !== best.move) {
      this.squares += WRONG;
      this.tell(`${move.label} is not it: ${why(move)}. Try again.`, "wrong");
      return;
    }
    this.squares += RIGHT;
    this.done = true;
    await attempt(async () => {
      const deeper = puzzle.number && this.steps < DEEPEST - 1;
      const { after, reply, next } = deeper
        ? await defend(engine, known, move)
        : { after: await engine.explain(move.position, opponentOf(engine, known)) };
      if (puzzle !== this.puzzle) return;
      this.paint({ ...after, moves: [] }, move);
      if (reply && next) {
        this.tell(`Right: ${move.label}. ${after.turn} answers ${reply.label}.`, "right");
        await new Promise((done) => setTimeout(done, reducesMotion() ? 0 : ANSWER));
        if (puzzle === this.puzzle) this.goOn(next, reply);
      } else this.finish(move, known);
    });
  }

  /** Ask for the next move of a puzzle. @param {Known} next @param {Move} reply */
  goOn(next, reply) {
    this.done = false;
    this.steps += 1;
    this.known = next;
    this.paint(next, reply);
    const other = opponentOf(sure(this.engine), next);
    const text = `Right. ${other} answers ${reply.label}: find the next move.`;
    this.tell(text, "right");
    announce(text);
  }

  /** Say that a puzzle is solved, and count it. @param {Move} move @param {Known} known */
  finish(move, known) {
    const { game } = sure(this.engine).listing;
    const { number } = sure(this.puzzle);
    this.right = true;
    byId("task").textContent = "Solved.";
    if (!this.squares.includes(WRONG)) {
      this.solved += 1;
      if (solvedAs(game, number) === null) count("puzzles", game, 0, 1);
    }
    if (number === today()) rememberSolved(game, this.squares);
    const only = known.outcome === "win" ? "keeps the win" : "holds the draw";
    this.tell(`Right: ${move.label}, ${worth(move)}. No other move ${only}.`, "right");
  }

  /** Show the values of all moves. */
  solve() {
    const { known } = this;
    if (!known || this.done) return;
    this.seen += this.squares ? 0 : 1;
    this.done = true;
    this.paint(known, null, true);
    const [best] = known.moves;
    this.board?.point(best);
    this.tell(`The move is ${best.label}: ${why(best)}.`, "told");
  }

  playOn() {
    const { puzzle, engine } = this;
    if (!puzzle || !engine) return;
    const { position, turn } = puzzle;
    this.handlers.open(engine, { position, turn, ...humanPlays(engine.listing, turn) });
  }
}

/** Return a puzzle as in an address. @param {Puzzle & {number?: number}} puzzle */
const keyOf = ({ position, turn, number }) => String(number ?? `${position}:${turn}`);
