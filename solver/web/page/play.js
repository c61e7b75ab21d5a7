/** The view where games are played and explored. */

/** @import { Engine, Listing, Move, News, Outcome, Ply } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { isJudged, listBarsOf, renderCourse } from "./course.js";
import { announce, byId, inputOf, refill, sure } from "./dom.js";
import { describeKey, listMoves, showLine } from "./explore.js";
import { attempt, mayHelp, messageOf } from "./notice.js";
import { celebrate, describe, promise, renderLesson, showScore, showStatus } from "./result.js";
import { HUMAN, seatPlayers, showOpponent } from "./seats.js";
import { humanSide, recordOf, resultOf, Session } from "./session.js";
import { remember } from "./store.js";
import { makeBoard } from "./textboard.js";
import { verdict } from "./words.js";

export class PlayView {
  /** @type {Session | null} */ session = null;
  /** @type {ReturnType<typeof makeBoard> | null} */ board = null;
  values = false;
  trying = 0; // the number of the move for which a better one is looked for
  /** @type {unknown} */ closed; // the end whose lesson is closed
  /** @type {Ply | undefined} */ fetched; // whose value is asked for

  /** `changed()` is called when the address may need an update. @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.listen("new", (session) => {
      this.trying = 0;
      attempt(() => session.open());
    });
    this.listen("undo", (session) => session.step(-1));
    this.listen("redo", (session) => session.step(1));
    this.listen("swap", (session) => session.swap());
    this.listen("run", (session) => session.hold(false));
    this.listen("why", () => byId("course-title").scrollIntoView());
    byId("opponents").addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      remember("opponent", target.value);
      if (this.session?.known) this.session.face(target.value);
    });
    const values = inputOf("values");
    values.addEventListener("change", () => this.showValues(values.checked));
  }

  /** Run a button's action on the session, unless the button is disabled.
   * @param {string} id @param {(session: Session) => void} action */
  listen(id, action) {
    const button = byId(id);
    button.addEventListener("click", () => {
      if (this.session?.known && button.getAttribute("aria-disabled") !== "true")
        action(this.session);
    });
  }

  /** Show that a game is being loaded instead of the present one. @param {Listing} listing */
  wait(listing) {
    this.session?.stop();
    this.session = this.board = null;
    for (const name of ["board", "chart", "lines", "mistakes", "moves", "line"])
      byId(name).replaceChildren();
    for (const name of ["new", "undo", "redo", "swap", "why"])
      byId(name).setAttribute("aria-disabled", "true");
    for (const name of ["promise", "legend", "review", "score"]) byId(name).textContent = "";
    byId("status").textContent = `Loading ${listing.title} …`;
    byId("status").classList.remove("over");
    for (const name of ["lesson", "course", "hints"]) byId(name).hidden = true;
  }

  /** Open a game with the keys of an address; return the address's errors.
   * @param {Engine} engine @param {Fields} fields */
  async open(engine, fields) {
    const { seats, players } = engine.listing;
    const { chosen, wrong } = seatPlayers(fields, players);
    this.session?.stop();
    this.trying = 0;
    const session = new Session(engine, chosen, (news) => this.render(news));
    this.session = session;
    this.board = makeBoard(byId("board"), engine.listing, (move) => this.move(move));
    const label = `Board, ${engine.listing.title}, ${seats.join(" and ")}`;
    byId("board").setAttribute("aria-label", label);
    byId("key").replaceChildren(...describeKey());
    try {
      await session.open(fields);
    } catch (error) {
      if (mayHelp(error)) {
        byId("status").textContent = "The game could not be loaded.";
        throw error;
      }
      wrong.push(messageOf(error)); // of illegal moves
      if (!session.known) await session.open();
    }
    return wrong;
  }

  /** Play a move of the user, painted before the engine has answered. @param {Move} move */
  move(move) {
    const session = sure(this.session);
    if (!session.engine.whole) this.board?.preview(move);
    attempt(async () => {
      try {
        await session.play(move);
      } catch (error) {
        this.render({ quiet: true });
        throw error;
      }
    });
  }

  /** Show another ply of the line, so many away. @param {number} by */
  step(by) {
    const { session } = this;
    if (!session?.known) return;
    const at = Math.max(0, Math.min(session.plies.length - 1, session.at + by));
    if (at !== session.at) session.goTo(at);
  }

  /** Go to what an address describes if the session holds it, and return whether it does.
   * @param {Fields} fields */
  revisit({ game, position, moves = "", ply, x, o }) {
    const { session } = this;
    if (!session?.known || session.engine.listing.game !== game) return false;
    if (this.fields().position !== position || session.players.join() !== [x, o].join())
      return false;
    const records = session.lines.map(recordOf);
    let line = records.indexOf(moves);
    if (line < 0) line = records.findIndex((record) => !moves || record.startsWith(`${moves},`));
    if (line < 0) return false;
    const plies = session.lines[line];
    const reached = plies.findIndex((_, n) => recordOf(plies.slice(0, n + 1)) === moves);
    session.goTo(Number(ply ?? reached), line);
    return true;
  }

  showValues(/** @type {boolean} */ shown) {
    this.values = shown;
    inputOf("values").checked = shown;
    if (!this.session?.known) return;
    this.render({ quiet: true });
    announce(shown ? `Hints are shown. ${verdict(this.session.known)}` : "Hints are hidden.");
  }

  /** The keys of the address that describe the game. */
  fields() {
    const session = sure(this.session);
    const { listing } = session.engine;
    const start = session.plies[0].known;
    const own = start.position !== listing.start;
    const [x, o] = session.end?.players ?? session.players;
    return {
      game: listing.game,
      position: own ? start.position : undefined,
      turn: own ? start.turn : undefined,
      moves: session.record,
      ply: session.at < session.plies.length - 1 ? session.at : undefined,
      x,
      o,
      values: this.values ? 1 : undefined,
    };
  }

  /** Redraw everything after a change. @param {News} news */
  render(news) {
    const { values } = this;
    const session = sure(this.session);
    const { known, plies, at, end } = session;
    if (values && !session.result) session.hints = true;
    const open = session.humanMoves;
    this.board?.show({
      known: session.result ? { ...known, moves: [] } : known,
      values,
      last: plies[at].played,
      fresh: Boolean(news.played),
      open,
      bars: listBarsOf(plies.slice(0, at + 1)),
    });
    showStatus(session, values);
    renderCourse(session, values, (n, shown) => this.lookAt(n, shown));
    this.renderControls();
    showScore(session, Boolean(news.played));
    this.renderMoves(open);
    document.querySelector(".banner")?.remove();
    if (news.played && end) celebrate(session);
    const answer = this.renderLesson();
    attempt(() => this.fetchValues());
    if (!news.quiet) announce(`${describe(session, news, values)} ${answer}`.trim());
    this.changed();
  }

  /** Fetch a value that is to be shown and not known yet: that of the position first, then the latest. */
  async fetchValues() {
    const session = sure(this.session);
    const { plies, at } = session;
    const latest = [...plies, plies[at]].findLast(({ known }) => !known.outcome);
    const judged = isJudged(session, this.values) || resultOf(session.lines[0]) !== null;
    const ply = judged ? latest : undefined;
    if (ply === this.fetched) return;
    this.fetched = ply; // a value that is fetched already is no longer wanted
    if (!ply) return;
    const wanted = () => this.fetched === ply && this.session === session;
    const draw = () => wanted() && this.render({ quiet: true });
    const onKnown = (/** @type {Record<string, Outcome>} */ outcomes) => {
      const news = ply.known.moves.filter(({ label, outcome }) => !outcome && outcomes[label]);
      for (const move of news) move.outcome = outcomes[move.label];
      if (news.length) draw();
    };
    try {
      const known = await session.engine.valued(ply.known, { wanted, onKnown });
      if (!known) return;
      ply.known = known;
      if (ply === session.plies[session.at] && this.values && wanted()) announce(verdict(known));
      draw();
    } finally {
      if (this.fetched === ply) this.fetched = undefined;
    }
  }

  /** Show the values and the mistakes of a game that was opened between two people. */
  review() {
    const session = sure(this.session);
    if (session.human !== null) return;
    const ply = session.plies[session.plies.length - 1];
    session.ends.set(ply, { players: [...session.players], hints: true, undone: true });
    this.showValues(!session.result);
  }

  /** Go to the position of a mistake, with the values of its moves or to find a better one.
   * @param {number} n @param {boolean} values */
  lookAt(n, values) {
    this.values = inputOf("values").checked = values;
    this.trying = values ? 0 : n;
    const session = sure(this.session);
    const { turn } = session.lines[0][n - 1].known;
    if (!values && session.human === null)
      session.players = session.engine.listing.seats.map((s) => (s === turn ? HUMAN : "perfect"));
    session.goTo(n - 1, 0);
    byId("status").scrollIntoView({ block: "nearest" }); // and so the board
  }

  renderControls() {
    const session = sure(this.session);
    /** @param {string} id @param {boolean} can */
    const enable = (id, can) => byId(id).setAttribute("aria-disabled", String(!can));
    enable("undo", session.stepFrom(-1) !== null);
    enable("redo", session.stepFrom(1) !== null);
    for (const id of ["new", "why"]) enable(id, true); // after a wait
    const [over, hasHuman] = [session.result !== null, session.human !== null];
    enable("swap", hasHuman && !over);
    const again = session.foreign ? "Play it yourself" : hasHuman ? "Rematch" : "New game";
    byId("new").textContent = over ? again : "New game";
    byId("new").classList.toggle("strong", over);
    byId("run").hidden = !session.waits;
    const opponent = session.players[1 - (humanSide(session.players) ?? 0)];
    showOpponent(byId("opponents"), opponent);
    byId("pitch").textContent = opponent === HUMAN ? "You and a friend" : "Can you beat it?";
    byId("promise").textContent = promise(session);
    byId("share").hidden = session.result === null;
    byId("why").hidden = session.result === null || !byId("mistakes").hasChildNodes();
  }

  /** Redraw the comment on the move that lost, and return it. */
  renderLesson() {
    const session = sure(this.session);
    const close = () => {
      this.closed = session.end;
      this.trying = 0;
      byId("lesson").hidden = true;
    };
    if (this.closed && this.closed === session.end) return "";
    return renderLesson(session, this.trying, { retry: (n) => this.lookAt(n, false), close });
  }

  renderMoves(/** @type {boolean} */ open) {
    const { values } = this;
    const session = sure(this.session);
    byId("hints").hidden = !values || session.result !== null;
    if (byId("hints").hidden) return;
    const { known } = session;
    const moves = listMoves(known, open, {
      play: (move) => this.move(move),
      point: (move) => this.board?.point(move),
    });
    refill(byId("moves"), moves, "button");
    attempt(() => showLine(session, known, () => session === this.session));
  }
}
