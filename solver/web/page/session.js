/**
 * A game in progress: its lines, the ply that is shown, and the players.
 *
 * The first line is the game; playing another move after a step back starts a further line and keeps
 * the old one. Lines share the plies that they have in common. `changed` is called after each change.
 */

/** @import { Asked, Engine, Known, Move, News, Ply, Step } from "./types.d.ts" */

import { reducesMotion, sure } from "./dom.js";
import { attempt } from "./notice.js";
import { HUMAN } from "./seats.js";
import { verdict } from "./words.js";

const WAIT = /^(pass|wait)$/i; // labels of moves that change nothing but the side to move
const REPLY = 450; // milliseconds before an opponent answers
const PLAYED_ELSEWHERE = { players: [HUMAN, HUMAN], hints: true, undone: true };
const REPEATS = 3; // the game is a draw when a position occurs this often

/** Return how a game ended with the last of some plies; null if it goes on. @param {Ply[]} plies */
export function resultOf(plies) {
  const { known } = plies[plies.length - 1];
  if (!known.moves.length) return verdict(known);
  const { position, turn } = known;
  const times = plies.filter((ply) => ply.known.position === position && ply.known.turn === turn);
  return times.length < REPEATS ? null : `The position has come ${REPEATS} times: a draw.`;
}

/** Return whether the only move is a pass, which then plays itself. @param {Known} known */
const canOnlyWait = ({ moves }) => moves.length === 1 && WAIT.test(moves[0].label);

export class Session {
  /** @param {Engine} engine @param {string[]} players
   * @param {(news: News) => void} changed */
  constructor(engine, players, changed) {
    this.engine = engine;
    this.players = [...players];
    this.changed = changed;
    /** @type {Ply[][]} */
    this.lines = [[]];
    this.line = 0;
    this.at = 0;
    this.held = false; // whether the opponent is paused
    this.hints = false; // whether values were shown before the end
    this.undone = false; // whether the user stepped back before it
    this.counted = false;
    /** @type {Map<Ply, {players: string[], hints: boolean, undone: boolean}>} */
    this.ends = new Map(); // how the games were played that ended at these plies
    this.ticket = 0; // of the last action; answers to older ones are dropped
    this.timer = 0;
  }

  /** The plies of the line that is shown. */
  get plies() {
    return this.lines[this.line];
  }

  /** The engine's answer about the position that is shown. */
  get known() {
    return this.plies[this.at]?.known;
  }

  /** The number of the side to move, 0 or 1. */
  get side() {
    return this.engine.listing.seats.indexOf(this.known.turn);
  }

  /** Whether a human has to choose a move. */
  get humanMoves() {
    const { known } = this;
    if (!known || this.result || canOnlyWait(known)) return false;
    return this.players[this.side] === HUMAN;
  }

  /** How the game ended at the position that is shown, or null. */
  get result() {
    return resultOf(this.plies.slice(0, this.at + 1));
  }

  /** How the game was played that has ended at the position that is shown. */
  get end() {
    return this.ends.get(this.plies[this.at]);
  }

  /** The players, of a game that has ended those who played it. @returns {string[]} */
  get seated() {
    return (this.end ?? this.ends.get(sure(this.lines[0].at(-1))) ?? this).players;
  }

  /** The side of the only human, 0 or 1; null if there are two. */
  get human() {
    return humanSide(this.seated);
  }

  /** Whether the game has ended elsewhere, and a link to it was followed. */
  get foreign() {
    return this.end === PLAYED_ELSEWHERE;
  }

  /** The moves up to the last ply, as in an address. */
  get record() {
    return recordOf(this.plies);
  }

  /** Start at a position, by default the game's start, and replay moves from there.
   * @param {Asked & {ply?: string, shared?: string}} asked */
  async open({ position, turn, moves, ply, shared } = {}) {
    const ticket = this.stop();
    const { plies, wrong } = await this.ask({ position, turn, moves });
    if (ticket !== this.ticket) return;
    const last = plies.length - 1;
    const asked = ply === undefined ? last : Number(ply);
    this.lines = [plies];
    this.line = 0;
    this.hints = this.undone = this.counted = false;
    this.ends.clear();
    if (shared && resultOf(plies)) this.ends.set(sure(plies.at(-1)), PLAYED_ELSEWHERE);
    this.at = asked >= 0 && asked <= last ? Math.floor(asked) : last;
    this.held = this.at < last || wrong !== null;
    this.announceChange();
    if (wrong) throw new RangeError(wrong);
  }

  /** Return the plies of a game, and what is wrong with its moves. @param {Asked} asked */
  async ask(asked) {
    const { plies, wrong } = await this.engine.record(asked);
    /** @type {(known: Known, n: number) => Ply} */
    const plyOf = (known, n) => {
      const ways = plies[n - 1]?.moves ?? [];
      return { known, played: ways.find(({ position }) => position === known.position) ?? null };
    };
    return { plies: plies.map(plyOf), wrong };
  }

  /** Play one of the moves of the position that is shown. @param {Move} move */
  async play(move) {
    const ticket = this.stop();
    const { seats } = this.engine.listing;
    const known = await this.engine.explain(move.position, seats[1 - this.side]);
    if (ticket !== this.ticket) return;
    if (this.players[this.side] === HUMAN) this.held = false;
    this.extend([{ known, played: move }]);
    this.at += 1;
    this.announceChange({ played: move });
  }

  /**
   * Add plies after the one that is shown: to its line, or if that goes on otherwise, as a new one.
   * @param {Ply[]} added
   */
  extend(added) {
    const begun = this.plies.slice(0, this.at + 1);
    const rest = this.plies.slice(this.at + 1);
    if (added.some((ply, i) => rest[i] && rest[i].played?.move !== ply.played?.move))
      this.line = this.lines.push([...begun, ...added]) - 1;
    else if (added.length > rest.length)
      this.lines[this.line] = [...begun, ...rest, ...added.slice(rest.length)];
  }

  /** Play the moves of a line one after the other, then pause. @param {Step[]} steps */
  async playLine(steps) {
    const ticket = this.stop();
    const { position, turn } = this.known;
    const moves = steps.map(({ move }) => move).join(",");
    const [, ...plies] = (await this.ask({ position, turn, moves })).plies;
    if (ticket !== this.ticket) return;
    this.extend(plies);
    this.at += plies.length;
    this.held = true;
    this.announceChange();
  }

  /** Show another ply, by default of the same line, and pause the opponent.
   * @param {number} at */
  goTo(at, line = this.line) {
    this.undone ||= at < this.at;
    this.line = line;
    this.at = at;
    this.hold(true);
  }

  /** The ply that undo or redo leads to, with a human to move, or for redo the last; null if none.
   * @param {1 | -1} direction */
  stepFrom(direction) {
    const { seats } = this.engine.listing;
    /** @param {Ply} ply */
    const human = ({ known }) =>
      this.players[seats.indexOf(known.turn)] === HUMAN && !canOnlyWait(known);
    const { plies } = this;
    let at = this.at + direction;
    while (plies[at] && !human(plies[at]) && (direction < 0 || plies[at + 1])) at += direction;
    return this.plies[at] ? at : null;
  }

  /** Undo or redo. @param {1 | -1} direction */
  step(direction) {
    const at = this.stepFrom(direction);
    if (at !== null) this.goTo(at);
  }

  /** Seat an opponent of the only human, or of the first of two. @param {string} name */
  face(name) {
    const human = humanSide(this.players) ?? 0;
    this.players = human ? [name, HUMAN] : [HUMAN, name];
    this.hold(false);
  }

  swap() {
    this.players.reverse();
    this.hold(false);
  }

  /** Resume or pause the opponent. @param {boolean} held */
  hold(held) {
    this.held = held;
    this.stop();
    this.announceChange();
  }

  /** Whether the next move waits for the user to resume the opponent. */
  get waits() {
    return Boolean(this.known) && this.held && !this.result && !this.humanMoves;
  }

  stop() {
    clearTimeout(this.timer);
    this.ticket += 1;
    return this.ticket;
  }

  /** @param {News} news */
  announceChange(news = {}) {
    const { players, hints, undone } = this;
    const ply = this.plies[this.at];
    if (this.result && !this.ends.has(ply))
      this.ends.set(ply, { players: [...players], hints, undone });
    this.changed(news);
    if (this.result || this.humanMoves || this.held) return;
    this.timer = setTimeout(() => attempt(() => this.answer()), reducesMotion() ? 0 : REPLY);
  }

  /** Play a move of the player whose turn it is, drawn by its probabilities. */
  async answer() {
    const { ticket, known } = this;
    if (canOnlyWait(known)) return this.play(known.moves[0]);
    const wanted = () => ticket === this.ticket;
    const chances = await this.engine.chances(this.players[this.side], known, { wanted });
    if (!chances || ticket !== this.ticket) return;
    let left = Math.random(); // of the cumulative probabilities
    const reached = chances.findIndex(({ probability }) => {
      left -= probability;
      return left < 0;
    });
    const chosen = chances.at(reached)?.move;
    await this.play(sure(known.moves.find(({ move }) => move === chosen)));
  }
}

/** Return the side of the only human, 0 or 1; null if there are two. @param {string[]} players */
export function humanSide([first, second]) {
  return first === second ? null : [first, second].indexOf(HUMAN);
}

/** Return the moves that led to the last of some plies, as in an address. @param {Ply[]} plies */
export const recordOf = (plies) =>
  plies
    .slice(1)
    .map(({ played }) => played?.move)
    .join(",");
