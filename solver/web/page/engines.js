/**
 * Engines, which answer questions about a game: from all its answers at once, if it is small, or by
 * asking a server about each position; types.d.ts describes them.
 */

/** @import { Answers, Engine, Known, Listing, Puzzle, Query, Search, Whole } from "./types.d.ts" */

import { chancesOf, WholeGame } from "../npm/perfectplay.js";
import { capital, sure } from "./dom.js";
import { codeOf, nameOf, shareOf } from "./seats.js";
import { isThere, PATIENCE, sayAway } from "./there.js";

const API = "api/v1/";
const MOST_TRIES = 100;
const MOST_DRAWN = 4; // puzzles of which the longest one is taken
const MOST_DAILY = 20; // puzzles of which one that goes on is taken
/** @type {Map<string, Promise<Engine>>} */
const engines = new Map();

/** Return the engine of a game, loaded once; one that did not load is loaded again.
 * @param {Listing} listing */
export function engineOf(listing) {
  const { game } = listing;
  const opened = engines.get(game) ?? openEngine(listing);
  if (!engines.has(game)) opened.catch(() => engines.delete(game));
  engines.set(game, opened);
  return opened;
}

/** @param {Listing} listing @returns {Promise<Engine>} */
async function openEngine(listing) {
  const remote = remoteEngine(listing);
  if (!listing.whole) return remote;
  const element = document.getElementById("whole");
  const whole = element ? await readInside(element, listing) : await remote.fetchWhole();
  const isRenamed = listing.seats.join() !== listing.codes.join();
  for (const [, , , , , , moves] of isRenamed ? whole.nodes : [])
    for (const move of moves) move[3] = move[3].map((reason) => say(listing, reason));
  const solved = new WholeGame(whole, listing.seats);
  return localEngine(listing, solved, element ? null : remote, whole.maps);
}

/** Return the puzzle from which the game goes on for longest. @param {WholeGame} whole
 * @param {Puzzle[]} puzzles @returns {Puzzle | null} */
function longest(whole, puzzles) {
  const plies = (/** @type {Puzzle} */ { position, turn }) => whole.line(position, turn).length;
  return [...puzzles].sort((a, b) => plies(b) - plies(a))[0] ?? null;
}

/** Return a text of the server with the names of the sides. @param {Listing} listing @param {string} text */
export const say = (listing, text) => text.replace(/\b[XO]\b/g, (code) => nameOf(listing, code));

/**
 * Return the engine of a small game; `remote` is asked what the game as a whole does not say.
 * @param {Listing} listing @param {WholeGame} whole @param {Engine | null} remote
 * @param {Record<string, string>} [maps] @returns {Engine}
 */
function localEngine(listing, whole, remote, maps) {
  /** @type {Engine["explain"]} */
  const explain = async (position, turn) => {
    const [text, seat] = [position ?? listing.start, nameOf(listing, turn)];
    const known = whole.explain(text, seat) ?? whole.explain(text.replace(/[\s/|]/g, ""), seat);
    if (!known && !remote)
      throw new RangeError(`“${position}” is not a position of ${listing.title}`);
    return known ?? sure(remote).explain(position, turn);
  };
  return {
    listing,
    whole,
    explain,
    record: async ({ position, turn, moves }) => whole.record(await explain(position, turn), moves),
    read: async (text) => (remote ? remote.read(text) : readMoves(whole, await explain(), text)),
    valued: async (known) => known,
    line: async (position, turn) => whole.line(position, turn),
    chances: async (name, { moves }) => chancesOf(moves, shareOf(name, listing) ?? 1),
    puzzle: async () => longest(whole, whole.puzzles(MOST_DRAWN, null)),
    daily: async (day) => whole.daily(day),
    map: async (side) => maps?.[side] ?? sure(remote).map(side),
  };
}

/** Return the positions of a game as people write it, and what is wrong with its moves.
 * @param {WholeGame} whole @param {Known} start @param {string} text */
function readMoves(whole, start, text) {
  const bare = text.replace(/(?<![^\s,])\d+\.+|[[\]{}"';|]/g, " ");
  const words = bare.split(/[\s,]+/).filter(Boolean);
  const typed = words.length === 1 && start.moves[0]?.label.length === 1 ? [...words[0]] : words;
  const zero = text.trim().startsWith("[") || typed.includes("0"); // counts from 0
  const plies = [start];
  for (const word of typed) {
    const last = plies[plies.length - 1];
    const found = last.moves.find(({ move, label }) => `${zero ? move : label}` === word);
    if (!found) return { plies, wrong: `move ${plies.length}, “${word}”, is no move` };
    plies.push(whole.after(last, found));
  }
  return { plies, wrong: null };
}

/** Return the engine of a game that a server knows.
 * @param {Listing} listing @returns {Engine & {fetchWhole(): Promise<Whole>}} */
function remoteEngine(listing) {
  const place = `${API}${encodeURIComponent(listing.game)}`;
  /** @type {Map<string, Known>} */
  const known = new Map();
  /** @param {string} what @param {Query} query */
  const addressOf = (what, query) => {
    const turn = query.turn && codeOf(listing, `${query.turn}`);
    const asked = Object.entries({ ...query, turn, tag: listing.tag })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value)]);
    return `${place}${what}?${new URLSearchParams(asked)}`;
  };
  /** @template {keyof Answers} What @param {What} what @param {Query} query @returns {Promise<Answers[What]>} */
  const ask = async (what, query) => sure(await fetchAnswer(addressOf(what, query))).json();
  const keep = (/** @type {Known} */ answer) => {
    const [turn, winner] = [nameOf(listing, answer.turn), answer.winner];
    const moves = answer.moves.map((move) => ({
      ...move,
      reasons: move.reasons.map((reason) => say(listing, reason)),
    }));
    const named = { ...answer, turn, winner: winner && nameOf(listing, winner), moves };
    known.set(`${answer.position} ${turn}`, named);
    return named;
  };
  /** @param {Known} answer */
  const keepFirst = (answer) =>
    known.get(`${answer.position} ${nameOf(listing, answer.turn)}`) ?? keep(answer);
  /** @type {Engine["record"]} */
  const record = async ({ position, turn, moves }) => {
    if (!moves && !listing.searched) return { plies: [await explain(position, turn)], wrong: null };
    const what = listing.searched ? "/rules" : "/record";
    const { plies, wrong } = await ask(what, { position, turn, moves });
    return { plies: plies.map(keepFirst), wrong };
  };
  /** @type {Engine["read"]} */
  const read = async (text) => {
    // at once where values take a search; numbers count from 1, unless they are a list
    const isPlain = /^[\w\s,.]*$/.test(text);
    const typed = isPlain ? text.replaceAll(",", " ") : text;
    if (listing.searched && !text.includes('"steps"'))
      return record({ moves: isPlain && /^\S+,\S+$/.test(text) ? `[${text}]` : typed });
    const review = sure(await fetchAnswer(`${place}/review`, {}, JSON.stringify({ moves: text })));
    /** @type {{moves: {move: string}[]}} */
    const { moves } = await review.json();
    return record({ moves: moves.map(({ move }) => move).join(",") });
  };
  /** @type {Engine["explain"]} */
  const explain = async (position = listing.start, turn) => {
    const found = known.get(`${position} ${nameOf(listing, turn)}`);
    if (found) return found;
    if (listing.searched) return (await record({ position, turn })).plies[0];
    return keep(await ask("/explain", { position, turn }));
  };
  /** Ask what takes a search; null if it is not wanted any more. The outcomes come first, if the caller
   * takes them. @param {string} what @param {Query} query @param {Search} [search] */
  const searchFor = async (what, query, search) => {
    if (search?.onKnown && listing.searched) {
      const { position, turn } = query;
      const early = await fetchAnswer(addressOf("/outcomes", { position, turn }), search);
      if (!early) return null;
      search.onKnown((await early.json()).outcomes);
    }
    return (await fetchAnswer(addressOf(what, query), search))?.json() ?? null;
  };
  /** @type {Engine["valued"]} */
  const valued = async (answer, search) => {
    if (answer.outcome) return answer;
    const { position, turn } = answer;
    const found = await searchFor("/explain", { position, turn }, search);
    return found && keep(found);
  };
  /** Return the puzzles that a server has. @param {number} count @param {number} seed */
  const listed = async (count, seed) => (await ask("/puzzles", { count, seed })).puzzles;
  /** @type {Engine["puzzle"]} */
  const puzzle = async () => (await listed(1, Math.floor(Math.random() * 2 ** 31)))[0] ?? null;
  /** @type {Engine["daily"]} */
  const daily = async (day) => {
    if (!listing.searched) {
      const rank = (/** @type {string} */ grade) => ["hard", "medium", "easy"].indexOf(grade);
      const puzzles = await listed(MOST_DAILY, day);
      return puzzles.sort((a, b) => rank(a.difficulty) - rank(b.difficulty));
    }
    /** @type {Record<string, string | undefined>} */
    const lists = await sure(await fetchAnswer("daily.json")).json();
    const list = lists[listing.game]?.split(" ");
    if (!list) return listed(1, day);
    const { plies } = await record({ moves: list[day % list.length] });
    const { position, turn } = plies[plies.length - 1];
    return [{ position, turn, difficulty: "hard" }];
  };
  /** @type {Engine["chances"]} */
  const chances = async (name, answer, search) => {
    // most moves of a weak level need no search: the dice come first
    const share = shareOf(name, listing) ?? 1;
    if (answer.outcome) return chancesOf(answer.moves, share);
    if (Math.random() >= share) return chancesOf(answer.moves, 0);
    const { position, turn } = answer;
    return (await searchFor("/player", { name: "perfect", position, turn }, search))?.moves ?? null;
  };
  return {
    listing,
    fetchWhole: () => ask("/whole", {}),
    explain,
    valued,
    record,
    read,
    line: async (position, turn) => {
      const { line } = await ask("/line", { position, turn });
      return line.map((step) => ({ ...step, turn: nameOf(listing, step.turn) }));
    },
    chances,
    puzzle,
    daily,
    map: async (side) => sure(await fetchAnswer(addressOf("/map", { side }))).text(),
  };
}

/**
 * Return the answer at an address of this site. While a search there goes on, ask again: as long as
 * it is wanted, if the caller says so; then null.
 * @param {string} address @param {Search & {tries?: number}} search @param {string} [body] @returns {Promise<Response | null>}
 */
async function fetchAnswer(
  address,
  { wanted, onKnown, tries = MOST_TRIES } = {},
  body = undefined,
) {
  const asked = body ? { method: "POST", body } : {};
  const given = new AbortController(); // up, if nobody is there
  const timer = setInterval(async () => (await isThere()) || given.abort(), PATIENCE);
  const response = await fetch(address, { ...asked, signal: given.signal })
    .catch(() => Response.error())
    .finally(() => clearInterval(timer));
  if (response.ok) return response;
  const answer = await response.json().catch(() => null);
  const seconds = Number(response.headers.get("retry-after"));
  if (response.status === 503 && seconds && (wanted || tries)) {
    onKnown?.(answer?.known ?? {});
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    return wanted?.() === false
      ? null
      : fetchAnswer(address, { wanted, onKnown, tries: tries - 1 });
  }
  const problem = response.status
    ? `Something went wrong at this site (${response.status}). Try again a little later.`
    : sayAway();
  const again = !response.status || response.status >= 500 || response.status === 429;
  const away = !response.status; // it may come back
  throw Object.assign(Error(capital(answer?.error ?? problem)), { again, away });
}

/** Return the game in an element of the page, where it is JSON as base64 of gzip, or else in a file beside it.
 * @param {Element} element @param {Listing} listing @returns {Promise<Whole>} */
async function readInside({ textContent }, { game }) {
  if (!textContent)
    return sure(await fetchAnswer(`games/${game.replace(/\W+/g, "-")}.json`)).json();
  const bytes = Uint8Array.from(atob(textContent.trim()), (sign) => sign.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).json();
}
