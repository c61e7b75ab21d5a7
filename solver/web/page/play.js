/** The view where games are played and explored. */

/** @import { Engine, Failed, Known, Listing, Move, News, OnMove, Outcome, Ply } from "./types.d.ts" */
/** @import { Said } from "./address.js" */

import { Board } from "./board.js";
import { drawIcon, drawMark, valueIcon } from "./boardart.js";
import { listBars, listCards, listMistakes } from "./chart.js";
import { announce, byId, choiceOf, inputOf, make, makeButton, sure } from "./dom.js";
import { listLine, listMoves } from "./explore.js";
import { mayHelp, messageOf } from "./notice.js";
import { HUMAN, knowsPlayer, playerName, showOpponents } from "./seats.js";
import { recordOf, Session } from "./session.js";
import { count, countsOf, recall, remember } from "./store.js";
import { TextBoard } from "./textboard.js";
import { verdict } from "./words.js";

const SHORT = 60; // moves of a best line that are listed
const MOODS = ["won", "draw", "lost"];

/** Return the board of a listing's style, in an element.
 * @param {HTMLElement} root @param {Listing} listing @param {OnMove} onMove */
export function makeBoard(root, listing, onMove) {
  return listing.style === null
    ? new TextBoard(root, listing, onMove)
    : new Board(root, listing, onMove);
}

/** Return a small picture of a side of a listing, to go before its name; null if it has none.
 * @param {string} seat @param {Listing} listing */
export function sideIcon(seat, { seats, marks }) {
  const pieces = (marks ?? "").match(/[A-Z]/g);
  const piece = pieces?.includes("K") ? "K" : pieces?.[0];
  const side = seat === seats[0] ? piece : piece?.toLowerCase();
  const sign = seat === "X" || seat === "O" ? seat : side;
  return sign ? drawIcon(drawMark(sign, [0, 0], false, 1.1)) : null;
}

export class PlayView {
  /** @type {Session | null} */ session = null;
  /** @type {ReturnType<typeof makeBoard> | null} */ board = null;
  values = false;
  lineKey = "";
  /** @type {Ply | undefined} */
  fetched; // whose value is asked for

  /** `changed()` is called when the address may need an update.
   * @param {{changed: () => void, failed: Failed, pictures: boolean}} told */
  constructor(told) {
    this.told = told;
    this.listen("new", (session) => session.attempt(() => session.open()));
    this.listen("undo", (session) => session.undo());
    this.listen("redo", (session) => session.redo());
    this.listen("swap", (session) => session.swap());
    this.listen("run", (session) => session.hold(false));
    byId("why").addEventListener("click", () => this.showWhy());
    const opponent = choiceOf("opponent");
    opponent.addEventListener("change", () => {
      remember("opponent", opponent.value);
      if (this.session?.known) this.session.face(opponent.value);
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

  /** Open a game with the keys of an address; return the address's errors.
   * @param {Engine} engine @param {Said} said */
  async open(engine, said) {
    const { seats, players } = engine.listing;
    /** @type {string[]} */
    const wrong = [];
    const usual = recall("opponent", "level:medium");
    const openers = [HUMAN, knowsPlayer(usual, players) ? usual : "level:medium"];
    const chosen = [said.x, said.o].map((name, i) => {
      if (name === undefined) return openers[i];
      if (knowsPlayer(name, players)) return name;
      wrong.push(`“${name}” is no player that fits; the players are human, ${players.join(", ")}`);
      return openers[i];
    });
    if (!chosen.includes(HUMAN)) {
      if (said.x && said.o) wrong.push("one of the two players has to be human");
      chosen[said.o ? 0 : 1] = HUMAN;
    }
    this.session?.stop();
    const { failed } = this.told;
    const session = new Session(engine, chosen, { changed: (news) => this.render(news), failed });
    this.session = session;
    this.board = makeBoard(byId("board"), engine.listing, (move) => this.move(move));
    byId("board").setAttribute(
      "aria-label",
      `Board, ${engine.listing.title}, ${seats.join(" and ")}`,
    );
    byId("key").replaceChildren(...describeKey());
    await this.replay(session, said, wrong);
    return wrong;
  }

  /** Open the moves of an address; if they are illegal, report why and start a new game.
   * @param {Session} session @param {Said} said @param {string[]} wrong */
  async replay(session, said, wrong) {
    try {
      await session.open(said);
    } catch (error) {
      if (mayHelp(error)) {
        byId("status").textContent = "The game could not be loaded.";
        throw error;
      }
      wrong.push(messageOf(error));
      if (!session.known) await session.open();
    }
  }

  /** Show the values of the moves and how they were found; of a finished game, its mistakes. */
  showWhy() {
    const over = this.session?.result;
    if (!over) this.showValues(true);
    const name = over ? "course-title" : "moves-title";
    byId(name).scrollIntoView({ block: over ? "start" : "nearest" });
  }

  /** Play a move of the reader, painted before the engine has answered. @param {Move} move */
  move(move) {
    const session = sure(this.session);
    if (!session.engine.whole) this.board?.preview(move);
    session.attempt(async () => {
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
   * @param {Said} said */
  revisit({ game, position, moves = "", ply, x, o }) {
    const { session } = this;
    if (!session?.known || session.engine.listing.game !== game) return false;
    if (this.said().position !== position || session.players.join() !== [x, o].join()) return false;
    const records = session.lines.map(recordOf);
    let line = records.indexOf(moves);
    if (line < 0) line = records.findIndex((record) => !moves || record.startsWith(`${moves},`));
    if (line < 0) return false;
    const plies = session.lines[line];
    const reached = plies.findIndex((_, n) => recordOf(plies.slice(0, n + 1)) === moves);
    session.goTo(Number(ply ?? reached), line);
    return true;
  }

  /** The result of a finished game as a text to share; "" before the end. */
  resultText() {
    const { session } = this;
    if (!session?.result) return "";
    const { reader, players, plies } = session;
    const { title, seats } = session.engine.listing;
    if (reader === null) return `${title}: ${this.sentence()}`;
    const mistakes = listMistakes([plies], reader, seats).length;
    const did = { won: "I won", draw: "I drew", lost: "I lost", "": "" }[this.mood()];
    const slips = `${mistakes} mistake${mistakes === 1 ? "" : "s"}`;
    const judged = plies.every(({ known }) => known.outcome);
    const name = playerName(players[1 - reader]);
    return `${title}: ${did} against ${name} in ${plies.length - 1} moves${judged ? `, with ${slips}` : ""}.`;
  }

  /** Download the server's picture of the position. @param {string} format */
  async savePicture(format) {
    const { plies, at, engine } = sure(this.session);
    const { position, turn } = plies[0].known;
    const moves = recordOf(plies.slice(0, at + 1));
    const asked = { position, turn, moves, values: this.values ? 1 : 0, format };
    const picture = await engine.picture(asked);
    if (!picture) return;
    const name = engine.listing.game.replace(/\W+/g, "-");
    make("a", {
      href: URL.createObjectURL(picture),
      download: `${name}.${format}`,
    }).click();
  }

  /** Count a game of the only human that has just ended. @param {News} news */
  score(news) {
    const session = sure(this.session);
    const { game } = session.engine.listing;
    const ended = news.played && session.result && session.reader !== null && session.line === 0;
    const counts = ended
      ? count("games", game, MOODS.indexOf(this.mood()), MOODS.length)
      : countsOf("games", game);
    byId("score").textContent = counts
      ? `You have won ${counts[0]}, drawn ${counts[1]} and lost ${counts[2]}.`
      : "";
  }

  showValues(/** @type {boolean} */ shown) {
    this.values = shown;
    inputOf("values").checked = shown;
    if (!this.session?.known) return;
    this.render({ quiet: true });
    announce(shown ? `Hints are shown. ${verdict(this.session.known)}` : "Hints are hidden.");
  }

  /** The keys of the address that describe the game. */
  said() {
    const session = sure(this.session);
    const { listing } = session.engine;
    const start = session.plies[0].known;
    const own = start.position !== listing.start;
    return {
      game: listing.game,
      position: own ? start.position : undefined,
      turn: own ? start.turn : undefined,
      moves: session.record,
      ply: session.at < session.plies.length - 1 ? session.at : undefined,
      x: session.players[0],
      o: session.players[1],
      values: this.values ? 1 : undefined,
    };
  }

  /** Redraw everything after a change. @param {News} news */
  render(news) {
    const { values } = this;
    const session = sure(this.session);
    const { known, plies, at } = session;
    const last = plies[at].played;
    const open = session.humanMoves;
    this.board?.show({
      known: session.result ? { ...known, moves: [] } : known,
      values,
      last,
      fresh: Boolean(news.played),
      open,
    });
    this.renderStatus();
    this.renderControls();
    this.renderCourse();
    this.score(news);
    this.renderMoves(open);
    session.attempt(() => this.fetchValues());
    if (!news.quiet) announce(this.describe(news));
    this.told.changed();
  }

  /** Whether values are shown: with hints, and of a game or line that is over. */
  get judged() {
    const { plies, lines } = sure(this.session);
    return this.values || [lines[0], plies].some((line) => !line.at(-1)?.known.moves.length);
  }

  /** Fetch a value that is to be shown and not known yet: that of the position first, then the latest. */
  async fetchValues() {
    const session = sure(this.session);
    const { plies, at } = session;
    const latest = [...plies, plies[at]].findLast(({ known }) => !known.outcome);
    const ply = this.judged ? latest : undefined;
    if (ply === this.fetched) return;
    this.fetched = ply; // a value that is fetched already is no longer wanted
    if (!ply) return;
    const wanted = () => this.fetched === ply && this.session === session;
    const draw = () => wanted() && this.render({ quiet: true });
    const heard = (/** @type {Record<string, Outcome>} */ outcomes) => {
      const news = ply.known.moves.filter(({ label, outcome }) => !outcome && outcomes[label]);
      for (const move of news) move.outcome = outcomes[move.label];
      if (news.length) draw();
    };
    try {
      const known = await session.engine.valued(ply.known, { wanted, heard });
      if (!known) return;
      ply.known = known;
      if (ply === session.plies[session.at] && this.values && wanted()) announce(verdict(known));
      draw();
    } finally {
      if (this.fetched === ply) this.fetched = undefined;
    }
  }

  /** Redraw the game so far: its lines, bars and mistakes. */
  renderCourse() {
    const session = sure(this.session);
    const { plies, at, lines, reader } = session;
    const { seats } = session.engine.listing;
    const shown = this.judged;
    const bars = { plies, at, seats, shown, reader: reader ?? 0 };
    byId("chart").dataset.style = session.engine.listing.style ?? "";
    refill(
      byId("chart"),
      listBars(bars, (ply) => session.goTo(ply)),
      `[data-ply="${at}"]`,
    );
    const other = reader === null ? `${seats[1]} wins` : `${seats[1 - reader]} wins`;
    byId("legend").textContent = shown
      ? `Up: ${reader === null ? `${seats[0]} wins` : "you win"}. Down: ${other}. The number is how many moves it takes.`
      : "Bars come with hints, or at the end.";
    showEnd(byId("chart"), at);
    const choices = lines.map((line, i) =>
      makeButton(i ? `Line ${i}` : "The game", {
        "data-line": i,
        "aria-pressed": String(i === session.line),
        onclick: () => session.goTo(line.length - 1, i),
      }),
    );
    byId("lines").hidden = lines.length < 2;
    refill(byId("lines"), choices, `[data-line="${session.line}"]`);
    const cards = shown ? listMistakes(lines, reader, seats) : [];
    const focused = document.activeElement?.getAttribute("data-card");
    const entries = listCards(cards, (n, values) => this.lookAt(n, values));
    refill(byId("mistakes"), entries, `[data-card="${focused}"]`);
    byId("review").textContent =
      shown && !cards.length && lines[0].length > 1 && lines[0].every(({ known }) => known.outcome)
        ? `${reader === null ? "No" : "You have made no"} mistake so far.`
        : "";
  }

  /** Go to the position of a mistake, with the values of its moves or to find a better one.
   * @param {number} n @param {boolean} values */
  lookAt(n, values) {
    this.values = inputOf("values").checked = values;
    sure(this.session).goTo(n - 1, 0);
    byId("status").scrollIntoView({ block: "nearest" }); // and so the board
  }

  /** One sentence about what the computer knows of this game. */
  pitch() {
    const session = sure(this.session);
    const { title, seats, outcome } = session.engine.listing;
    const known = `This computer has worked out every possible game of ${title}`;
    if (!outcome) return `This computer can work out every possible game of ${title}.`;
    const winner = { win: 0, draw: null, loss: 1 }[outcome];
    if (winner === null || (session.reader !== null && session.reader !== winner))
      return `${known} and cannot lose.`;
    return session.reader === null
      ? `${known}: ${seats[winner]} can always win.`
      : `${known}. You can win, but only if you never slip.`;
  }

  /** @param {News} news */
  describe({ played }) {
    const session = sure(this.session);
    const before = session.plies[session.at - 1]?.known;
    const head = played
      ? `${before.turn} plays ${played.label}.`
      : `Move ${session.at} of ${session.plies.length - 1}.`;
    return `${head} ${this.sentence()}`;
  }

  /** One sentence: whose turn it is, or how the game ended. */
  sentence() {
    const session = sure(this.session);
    const { known } = session;
    if (session.result) return this.ending();
    if (this.values) return verdict(known);
    const name = session.players[session.side];
    if (name === HUMAN)
      return `${session.reader === null ? "" : "Your turn: "}${known.turn} to move.`;
    return `${known.turn} to move: ${playerName(name)}${known.outcome ? "" : " is thinking"}.`;
  }

  /** How the game ended, for its only human if there is one. */
  ending() {
    const { result, reader, known } = sure(this.session);
    if (reader === null || known.moves.length) return result ?? "";
    return { won: "You won!", lost: "You lost.", draw: "A draw.", "": "" }[this.mood()];
  }

  /** Return "won", "lost" or "draw" for the only human, or for a winner without one; "" before the end. */
  mood() {
    const { result, reader, known, engine } = sure(this.session);
    if (!result) return "";
    if (!known.winner) return "draw";
    return reader === null || engine.listing.seats[reader] === known.winner ? "won" : "lost";
  }

  renderStatus() {
    const session = sure(this.session);
    const side = session.result ? session.known.winner : session.known.turn;
    const icon = side ? sideIcon(side, session.engine.listing) : null;
    byId("status").replaceChildren(...(icon ? [icon] : []), this.sentence());
    byId("status").classList.toggle("over", Boolean(session.result));
    byId("status").dataset.mood = this.mood();
  }

  renderControls() {
    const session = sure(this.session);
    /** @param {string} id @param {boolean} can */
    const enable = (id, can) => byId(id).setAttribute("aria-disabled", String(!can));
    enable("undo", session.stepFrom(-1) !== null);
    enable("redo", session.stepFrom(1) !== null);
    const rematch = session.result !== null && session.reader !== null;
    byId("new").textContent = rematch ? "Rematch" : "New game";
    byId("new").classList.toggle("strong", rematch);
    byId("picture").hidden = session.engine.listing.style === null || !this.told.pictures;
    byId("run").hidden = !session.waits;
    const opponent = session.players[1 - (session.reader ?? 0)];
    showOpponents(choiceOf("opponent"), opponent, session.engine.listing.players);
    byId("pitch").textContent = this.pitch();
  }

  renderMoves(/** @type {boolean} */ open) {
    const { values } = this;
    const session = sure(this.session);
    byId("hints").hidden = Boolean(session.result);
    byId("hint").hidden = values;
    byId("explore").hidden = !values;
    if (!values) return;
    const known = session.result ? { ...session.known, moves: [] } : session.known;
    const moves = listMoves(known, open, {
      play: (move) => this.move(move),
      point: (move) => this.board?.point(move),
    });
    refill(byId("moves"), moves, "button");
    session.attempt(() => this.renderLine(known));
  }

  /** @param {Known} known */
  async renderLine({ position, turn, moves, outcome }) {
    const session = sure(this.session);
    const key = `${position} ${turn}`;
    this.lineKey = key;
    const steps = moves.length && outcome ? await session.engine.line(position, turn) : [];
    if (this.lineKey !== key || session !== this.session) return;
    /** @param {number} n */
    const step = (n) => session.attempt(() => session.playLine(steps.slice(0, n)));
    refill(byId("line"), listLine(steps.slice(0, SHORT), step), "button");
    byId("line-title").hidden = !steps.length;
  }
}

/** Replace a list's entries; if the focus was in it, focus the entry that matches.
 * @param {HTMLElement} list @param {HTMLElement[]} items @param {string} selector */
function refill(list, items, selector) {
  const focused = list.contains(document.activeElement);
  list.replaceChildren(...items);
  const entry = list.querySelector(selector);
  if (focused && entry instanceof HTMLElement) entry.focus();
}

/** Scroll only a row of bars, so that one of them is visible. @param {HTMLElement} list @param {number} at */
function showEnd(list, at) {
  const bar = list.children[at];
  if (!(bar instanceof HTMLElement)) return;
  const [left, right] = [bar.offsetLeft, bar.offsetLeft + bar.offsetWidth];
  if (left < list.scrollLeft) list.scrollLeft = left;
  if (right > list.scrollLeft + list.clientWidth) list.scrollLeft = right - list.clientWidth;
}

/** Return the explanation of the signs on the board. */
function describeKey() {
  const shade = make("span", { class: "shade" });
  return [
    valueIcon({ outcome: "win", distance: 5 }),
    " wins in 3 moves ",
    valueIcon({ outcome: "draw", distance: null }),
    " draw ",
    valueIcon({ outcome: "loss", distance: 4 }),
    " loses in 2 moves ",
    shade,
    " the darker the cell, the more answers to the move are mistakes",
  ];
}
