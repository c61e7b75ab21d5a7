/**
 * The page's state, one plain value. `act` returns the state after an event, and `view` what there is to
 * see of a game. Both are pure: they know neither the browser nor an engine.
 *
 * The first line of a game is the game; another move after a step back starts a further line. `lead` is
 * the line that is the game: the one that ended first, or the last one until then. Each ply names the
 * player who played it, null if the page was not there; from that follows what may be said of a result
 * and whether it counts. A puzzle is a game that refuses wrong moves, as a lost game does when a better
 * move is looked for.
 */

/** @import { Event, Game, Kept, Known, Move, Opened, Ply, Quest, State } from "./types.d.ts" */

import { canOnlyWait, recordOf, resultOf } from "./plies.js";
import { HUMAN, humanSide } from "./seats.js";

/** Why a game does not count. @type {Record<string, string | undefined>} */
const REASONS = {
  link: "opened from a link",
  position: "a position set up",
  hints: "hints were shown",
  undo: "you went back in the game",
  learn: "the lesson was opened",
  map: "the map was opened",
  sides: "the sides have changed",
  opponent: "the opponent has changed",
};
export const RIGHT = "🟦";
export const WRONG = "🟧";
export const DEEPEST = 3; // moves of the user in a puzzle

/** The state before anything is opened. @type {State} */
export const EMPTY = { view: "play", game: null, puzzle: null, awaited: "" };

/** Return the state after an event. @param {State} state @param {Event} event @returns {State} */
export function act(state, event) {
  if (event.type === "viewed") return look(state, event.view);
  if (event.type === "left") return { ...EMPTY, view: state.view };
  if (event.type === "awaited") return { ...state, awaited: event.puzzle };
  const { puzzle, game } = state;
  if (event.type === "opened") return { ...state, game: startGame(event) };
  if (event.type === "set") return { ...state, awaited: "", puzzle: startPuzzle(event) };
  if (event.of === "puzzle") return puzzle ? { ...state, puzzle: inPuzzle(puzzle, event) } : state;
  return game ? { ...state, game: inGame(game, event) } : state;
}

/** Return the state with another view; one that shows what to play helps in a game that has begun.
 * @param {State} state @param {string} view @returns {State} */
function look({ game, ...others }, view) {
  const helps = game && view in REASONS && !game.over && game.lines[game.lead].length > 1;
  return { ...others, view, game: helps ? helped(game, view) : game };
}

/** Return a game as an address, a link or a button opens it. @param {Opened} event @returns {Game} */
function startGame({ listing, plies, at, players, held, values, id, kept }) {
  const [{ known }] = plies;
  const record = recordOf(plies);
  const whole = kept?.record === record;
  const mine =
    kept?.game === listing.game &&
    kept.start === `${known.position} ${known.turn}` &&
    (whole || kept.record.startsWith(record ? `${record},` : ""));
  const own = known.position === listing.start && known.turn === listing.seats[0];
  const begun = plies.length > 1 ? "link" : own ? "" : "position";
  const over = resultOf(plies) !== null;
  /** @type {Game} */
  const game = {
    ...{ listing, lines: [plies], line: 0, at, lead: 0, players, held, values },
    ...{ id, begun, help: [], over, counted: false, trying: 0, told: [], closed: false },
    refused: null,
  };
  if (!mine) return over ? game : seen(game);
  const named = plies.map((ply, n) => ({ ...ply, by: kept.by[n] ?? null }));
  const before = { ...game, ...kept, players, lines: [named] };
  const went = over ? [] : [at < plies.length - 1 || !whole ? "undo" : ""];
  const moved = !over && kept.players.join() !== players.join() && plies.length > 1;
  return over ? before : seen(helped(before, ...went, moved ? "opponent" : ""));
}

/** Return a puzzle. @param {Extract<Event, {type: "set"}>} event @returns {Quest} */
function startPuzzle({ listing, plies, number, day, squares, tried }) {
  const turn = plies[0].known.turn;
  const players = listing.seats.map((seat) => (seat === turn ? HUMAN : "perfect"));
  const opened = startGame({
    ...{ type: "opened", listing, plies, at: plies.length - 1, players, held: true },
    ...{ values: false, id: "" },
  });
  const right = squares !== null;
  const { wrong, told } = tried ?? { wrong: [], told: false };
  const fields = { number, day, wrong, done: right || told, right, spare: false };
  return { ...opened, ...fields, squares: squares ?? WRONG.repeat(wrong.length) };
}

/** Return a game with what has helped its player. @template {Game} G @param {G} game
 * @param {string[]} kinds @returns {G} */
const helped = (game, ...kinds) => ({
  ...game,
  help: [...new Set([...game.help, ...kinds.filter(Boolean)])],
});

/** Return a game whose hints, if they are shown before the end, have helped. @template {Game} G
 * @param {G} game @returns {G} */
const seen = (game) => (game.values && !game.over ? helped(game, "hints") : game);

/** @param {Quest} puzzle @param {Event} event @returns {Quest} */
function inPuzzle(puzzle, event) {
  const { squares, wrong, at } = puzzle;
  const [plies] = puzzle.lines;
  switch (event.type) {
    case "refused": {
      const tried = `${at} ${event.move.label}`;
      const added = wrong.includes(tried) ? "" : WRONG;
      const refused = { move: event.move, reply: null };
      const all = added ? [...wrong, tried] : wrong;
      return { ...puzzle, squares: squares + added, wrong: all, refused };
    }
    case "played": {
      const next = { ...play(puzzle, event), refused: null };
      const mine = plies[at].known.turn === plies[0].known.turn;
      return mine ? { ...next, squares: squares + RIGHT } : next;
    }
    case "solved":
      return { ...puzzle, done: true, right: true };
    case "shown":
      return { ...puzzle, done: true, refused: null };
    case "again": {
      const fresh = { lines: [plies.slice(0, 1)], at: 0, line: 0, wrong: [], squares: "" };
      return { ...puzzle, ...fresh, done: false, spare: true };
    }
    default:
      return { ...puzzle, ...inGame(puzzle, event) };
  }
}

/** @param {Game} game @param {Event} event @returns {Game} */
function inGame(game, event) {
  switch (event.type) {
    case "played":
      return { ...seen(play(game, event)), refused: null };
    case "went": {
      const back = event.at < game.at && !game.over ? "undo" : "";
      const { at, line = game.line } = event;
      return seen(helped({ ...game, at, line, held: true, refused: null }, back));
    }
    case "seated":
      return seat(game, event.players);
    case "held":
      return { ...game, held: event.held };
    case "valued":
      return withKnown(game, event.known);
    case "hinted":
      return seen({ ...game, values: event.shown, refused: null });
    case "asked":
      return ask(game, event.n);
    case "told":
      return { ...game, told: [...game.told, event.n] };
    case "closed":
      return { ...game, closed: true, trying: 0, refused: null };
    case "refused":
      return { ...game, refused: { move: event.move, reply: null } };
    case "refuted":
      return game.refused ? { ...game, refused: { ...game.refused, ...event.shown } } : game;
    case "restored":
      return game.refused ? { ...game, refused: { ...game.refused, over: true } } : game;
    case "counted":
      return { ...game, counted: true };
    default:
      return game;
  }
}

/** Return a game after a move, of the line that is shown or of a new one.
 * @template {Game} G @param {G} game @param {Extract<Event, {type: "played"}>} event @returns {G} */
function play(game, { move, known, by: given }) {
  const { lines, line, at, players, listing } = game;
  const plies = lines[line];
  const seat = listing.seats.indexOf(plies[at].known.turn);
  const by = given === undefined ? players[seat] : given;
  const next = plies[at + 1];
  const same = next?.played?.move === move.move;
  const held = game.held && by !== HUMAN;
  if (same && next.by === by) return { ...game, at: at + 1, held };
  const changed = [...plies.slice(0, at + 1), { known, played: move, by }];
  const branches = at + 1 < plies.length;
  const all = branches ? [...lines, changed] : lines.with(line, changed);
  const shown = branches ? lines.length : line;
  const lead = game.over ? game.lead : shown;
  const over = game.over || resultOf(changed) !== null;
  return { ...game, lines: all, line: shown, lead, at: at + 1, held, over };
}

/** @param {Game} game @param {string[]} players @returns {Game} */
function seat(game, players) {
  const next = { ...game, players, held: false, refused: null };
  if (game.over || game.lines[game.lead].length < 2) return next;
  const turned = humanSide(players) !== humanSide(game.players);
  return helped(next, turned ? "sides" : "opponent");
}

/** Return a game with the values of a position. @param {Game} game @param {Known} known @returns {Game} */
function withKnown(game, known) {
  /** @type {Map<Ply, Ply>} */
  const replaced = new Map(); // plies that lines share stay the same
  const lines = game.lines.map((plies) =>
    plies.map((ply) => {
      const { position, turn } = ply.known;
      if (position !== known.position || turn !== known.turn) return ply;
      if (!replaced.has(ply)) replaced.set(ply, { ...ply, known });
      return replaced.get(ply) ?? ply;
    }),
  );
  return { ...game, lines };
}

/** Return a game at the position before a mistake, for which a better move is looked for.
 * @param {Game} game @param {number} n @returns {Game} */
function ask(game, n) {
  const { seats } = game.listing;
  const { turn } = game.lines[game.lead][n - 1].known;
  const two = humanSide(game.players) === null;
  const players = two ? seats.map((s) => (s === turn ? HUMAN : "perfect")) : game.players;
  const shown = { line: game.lead, at: n - 1, held: true, values: false, refused: null };
  return { ...game, ...shown, players, trying: n, closed: false };
}

/** Return the side that the user has played in some plies, 0 or 1; null if that is not known, or if
 * it is not one. @param {Ply[]} plies @param {Game} game */
function sideOf(plies, { players, listing: { seats } }) {
  const names = seats.map((seat, side) => {
    const own = plies.slice(1).filter((_, n) => plies[n].known.turn === seat);
    return new Set(own.length ? own.map(({ by }) => by) : [players[side]]);
  });
  const human = names.findIndex((by) => by.size === 1 && by.has(HUMAN));
  if (human < 0 || names[1 - human].has(HUMAN) || names[1 - human].has(null)) return null;
  return human;
}

/** Return those who played against the user. @param {Ply[]} plies */
const rivalsOf = (plies) => [
  ...new Set(plies.slice(1).flatMap(({ by }) => (by && by !== HUMAN ? [by] : []))),
];

/** Return "won", "lost" or "draw" for a side, or "won" for a winner without one; "" before the end.
 * @param {string | null} result @param {Known} known @param {string} [seat] */
function moodOf(result, { winner, moves }, seat) {
  if (!result) return "";
  if (!winner || moves.length) return "draw";
  return seat === undefined || seat === winner ? "won" : "lost";
}

/** Return what there is to see of a game. @param {Game} game */
export function view(game) {
  const { listing, lines, line, at, players, trying, refused } = game;
  const plies = lines[line];
  const main = lines[game.lead];
  const { known, by } = plies[at];
  const shown = plies.slice(0, at + 1);
  const result = resultOf(shown);
  const side = listing.seats.indexOf(known.turn);
  const own = sideOf(shown, game);
  const ended = game.over ? sideOf(main, game) : null;
  const human = ended ?? humanSide(players);
  const humanMoves = !result && !canOnlyWait(known) && players[side] === HUMAN;
  const rivals = rivalsOf(shown);
  const why = reasonOf(game) || (plies === main ? "" : "another try");
  return {
    ...game,
    ...{ plies, main, tries: lines.filter((one) => one !== main), known, by, result, side, human },
    ...{ humanMoves, rivals, why, own, record: recordOf(plies) },
    mood: moodOf(result, known, own === null ? undefined : listing.seats[own]),
    waits: game.held && !result && !humanMoves,
    carried: game.begun === "link" && !trying && main.every((ply) => ply.by === null),
    counts: Boolean(result) && !why && own !== null && rivals.length < 2 && plies === main,
    asks: trying > 0 && at === trying - 1 && plies.slice(0, trying).every((p, n) => p === main[n]),
    shows: refused && !refused.over ? refused : null,
  };
}

/** Return why a game does not count, in a few words; "" if it does. @param {Game} game */
function reasonOf({ begun, help }) {
  return REASONS[begun] ?? REASONS[help[0]] ?? "";
}

/** Return what is kept of a game, to go on with it later. @param {Game} game @returns {Kept} */
export function keep({ id, listing, lines, lead, players, begun, help, counted }) {
  const plies = lines[lead];
  const [{ known }] = plies;
  return {
    ...{ id, game: listing.game, start: `${known.position} ${known.turn}`, players },
    ...{ record: recordOf(plies), by: plies.map(({ by }) => by), begun, help, counted },
  };
}

/** Return the ply that a step back leads to, with a human to move; null if none.
 * @param {Game} game */
export function stepBack({ lines, line, at, players, listing: { seats } }) {
  const plies = lines[line];
  /** @param {Ply} ply */
  const human = ({ known }) => players[seats.indexOf(known.turn)] === HUMAN && !canOnlyWait(known);
  const to = plies.slice(0, at).findLastIndex(human);
  return to < 0 ? null : to;
}

/** Return whether a move of the user is right where only the best will do: in a puzzle and where a
 * better move than a mistake is looked for. @param {Known} known @param {Move} move */
export const isRight = ({ outcome }, move) => !move.outcome || move.outcome === outcome;
