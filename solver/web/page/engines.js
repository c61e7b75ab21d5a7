/**
 * Engines, which answer questions about a game: from all its answers at once, if it is small, or by
 * asking a server about each position.
 *
 * Both kinds have the same methods, and return what the HTTP API returns:
 *   listing                           the game's entry in api/v1/games
 *   explain(position, turn)           the values of the position and of its moves, and why
 *   record({position, turn, moves})   {plies, wrong}: the answers about the positions of a game, and
 *                                     what is wrong with the first illegal move, or null
 *   line(position, turn)              [{turn, move, label, position}], the game under best play
 *   valued(known, wanted, heard)      the answer with values, if `known` lacks them: games answered by
 *                                     search are explained by their rules at first. While it is
 *                                     searched, heard({label: outcome}) says what is known of moves;
 *                                     null as soon as wanted() is false
 *   chances(name, known, wanted)      [{move, probability}] of a player at an explained position
 *   puzzles(count, difficulty)        positions with exactly one good move
 *   daily(day)                        the puzzle of a day, the same for everyone; null if there is none
 *   picture(asked)                    a picture as a Blob, drawn by the server; null without one
 * All are asynchronous. They throw an Error whose message says what is wrong; its `again` is true
 * if trying again may help.
 */

import { capital } from "./dom.js";
import { WholeGame } from "./whole.js";

const API = "api/v1/";
const MOST_TRIES = 100;
const BY_VALUES = /^(perfect|minimax|level:.*)$/; // the players that go by the values of moves

/** Return the engine of a game, given its listing. */
export async function openEngine(listing) {
  const remote = remoteEngine(listing);
  if (!listing.whole) return remote;
  const element = document.getElementById("whole");
  const whole = element ? await readInside(element) : await remote.ask("/whole", {});
  return localEngine(listing, new WholeGame(whole, listing.seats), element ? null : remote);
}

/** Return the engine of a small game; `remote` is asked what the game as a whole does not say. */
function localEngine(listing, whole, remote) {
  const refuse = async (position) => {
    throw new RangeError(`“${position}” is not a position of ${listing.title}`);
  };
  const explain = async (position, turn) =>
    whole.explain(position ?? listing.start, turn) ?? (remote?.explain ?? refuse)(position, turn);
  return {
    listing,
    whole,
    explain,
    record: async ({ position, turn, moves }) => whole.record(await explain(position, turn), moves),
    valued: async (known) => known,
    line: async (position, turn) => whole.line(position, turn),
    chances: async (name, known) => shares(name, listing, known) ?? remote.chances(name, known),
    puzzles: async (count, difficulty) => whole.puzzles(count, difficulty),
    daily: async (day) => whole.daily(day),
    picture: async (asked) => remote?.picture(asked) ?? null,
  };
}

/** Return the engine of a game that a server knows. */
function remoteEngine(listing) {
  const place = `${API}${encodeURIComponent(listing.game)}`;
  const known = new Map();
  const addressOf = (what, query) => {
    const asked = Object.entries({ ...query, tag: listing.tag }).filter(
      ([, value]) => value !== undefined,
    );
    return `${place}${what}?${new URLSearchParams(asked)}`;
  };
  const ask = (what, query, search) => fetchJson(addressOf(what, query), search);
  const keep = (answer) => {
    known.set(`${answer.position} ${answer.turn}`, answer);
    return answer;
  };
  const keepFirst = (answer) => known.get(`${answer.position} ${answer.turn}`) ?? keep(answer);
  /** @param {{position: string, turn: string, moves?: string}} asked */
  const record = async ({ position, turn, moves }) => {
    if (!moves && !listing.searched) return { plies: [await explain(position, turn)], wrong: null };
    const { plies, wrong } = await ask(listing.searched ? "/rules" : "/record", {
      position,
      turn,
      moves,
    });
    return { plies: plies.map(keepFirst), wrong };
  };
  const explain = async (position = listing.start, turn) => {
    if (known.has(`${position} ${turn}`)) return known.get(`${position} ${turn}`);
    if (listing.searched) return (await record({ position, turn })).plies[0];
    return keep(await ask("/explain", { position, turn }));
  };
  const valued = async (answer, wanted, heard) => {
    if (answer.outcome) return answer;
    const { position, turn } = answer;
    const found = await ask("/explain", { position, turn }, { wanted, heard });
    return found && keep(found);
  };
  const puzzles = async (count, difficulty) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    return (await ask("/puzzles", { count, seed, difficulty: difficulty ?? undefined })).puzzles;
  };
  const rival = async (name, { position, turn }) =>
    (await ask("/player", { name, position, turn })).moves;
  const chances = async (name, answer, wanted) => {
    const read = BY_VALUES.test(name) ? await valued(answer, wanted) : answer;
    return read && (shares(name, listing, read) ?? rival(name, read));
  };
  return {
    listing,
    ask,
    explain,
    valued,
    record,
    line: async (position, turn) => (await ask("/line", { position, turn })).line,
    chances,
    puzzles,
    daily: async (day) => (await ask("/puzzles", { count: 1, seed: day })).puzzles[0] ?? null,
    picture: async (asked) => (await fetchWhole(addressOf("/picture", asked))).blob(),
  };
}

/** Return the probabilities of the moves of a player that goes by their values; null for others. */
function shares(name, { levels }, { moves, best }) {
  const anyOf = (some, share = 1) =>
    some.map(({ move }) => ({ move, probability: share / some.length }));
  if (name === "random") return anyOf(moves);
  if (name === "perfect") return anyOf(moves.slice(0, 1));
  if (name === "minimax") return anyOf(moves.filter(({ move }) => best.includes(move)));
  const [stem, word] = name.split(":");
  if (stem !== "level") return null;
  const share = Number(levels[word] ?? word);
  return [...anyOf(moves.slice(0, 1), share), ...anyOf(moves, 1 - share)];
}

/** Return the JSON at an address of this site. */
const fetchJson = async (address, search) => (await fetchWhole(address, search))?.json() ?? null;

/**
 * Return the answer at an address of this site. While a search there goes on, ask again: as long as
 * it is wanted, if the caller says so.
 * @param {string} address
 * @param {{wanted?: () => boolean, heard?: (known: object) => void, tries?: number}} search
 */
async function fetchWhole(address, { wanted, heard, tries = MOST_TRIES } = {}) {
  const response = await reach(address);
  if (response.ok) return response;
  const said = await response.json().catch(() => null);
  const seconds = Number(response.headers.get("retry-after"));
  if (response.status === 503 && seconds && (wanted || tries)) {
    heard?.(said?.known ?? {});
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    return wanted?.() === false ? null : fetchWhole(address, { wanted, heard, tries: tries - 1 });
  }
  const problem = said?.error ?? `The server answered ${response.status} where JSON was expected.`;
  throw Object.assign(Error(capital(problem)), {
    again: response.status >= 500 || response.status === 429,
  });
}

/** Return the response of an address of this site; throw an Error if there is none. */
async function reach(address) {
  try {
    return await fetch(address);
  } catch {
    const problem = "The server does not answer. Is it still running, and are you online?";
    throw Object.assign(Error(problem), { again: true });
  }
}

/** Return the JSON in an element of the page, where it is base64 of gzip. */
async function readInside({ textContent }) {
  const bytes = Uint8Array.from(atob(textContent.trim()), (sign) => sign.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).json();
}
