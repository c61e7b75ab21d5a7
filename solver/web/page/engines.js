/**
 * Engines, which answer questions about a game: from the table of tic-tac-toe in the page itself,
 * or from a server's tables.
 *
 * Both kinds have the same methods, and return what the HTTP API returns:
 *   listing                          the game's entry in api/v1/games
 *   explain(position, turn)          the values of the position and of its moves, and why
 *   line(position, turn)             [{turn, move, label, position}], the game under best play
 *   chances(name, position, turn)    [{move, label, probability}] of a player
 *   puzzles(count, difficulty)       positions with exactly one good move
 * All are asynchronous. They throw an Error whose message says what is wrong; its `again` is true
 * if trying again may help.
 */

import { capital } from "./dom.js";
import { openTable } from "./perfectplay.js";
import { PLAYERS, choose } from "./players.js";
import { findPuzzles } from "./puzzles.js";
import { START, emptyCells, isOver, playCell, readBoard, turnOf, winnerOf, wonLine } from "./tictactoe.js";
import { reasons, verdict } from "./words.js";

const API = "api/v1/";
const MOST_TRIES = 100;
const SEATS = ["X", "O"];

/** Return the engine of tic-tac-toe for the contents of its JSON table. */
export function localEngine(data) {
  const table = openTable(data);
  const start = table.probe(START);
  const listing = {
    game: "tictactoe",
    title: "Tic-tac-toe",
    about: "Take turns to mark an empty cell. The first to get three in a row, in any direction, wins.",
    seats: SEATS,
    board: [3, 3],
    style: "grid",
    joined: [],
    start: START,
    positions: data.positions,
    canonical: data.canonical,
    outcome: start.outcome,
    distance: start.distance,
    players: PLAYERS.map((player) => player.name),
    levels: { easy: 0.26, medium: 0.7, hard: 0.93 },
    sha256: data.sha256,
  };
  const labelled = ({ move, probability }) => ({ move, label: String(move + 1), probability });
  return {
    listing,
    table,
    explain: async (position, turn) => explainBoard(table, openBoard(position, turn)),
    line: async (position, turn) => bestLine(table, openBoard(position, turn)),
    chances: async (name, position, turn) =>
      choose(table, atLevel(name, listing), openBoard(position, turn)).map(labelled),
    puzzles: async (count, difficulty) => findPuzzles(data, table, count, Math.random, difficulty),
  };
}

function openBoard(position, turn) {
  const board = readBoard(position ?? START);
  if (turn && !isOver(board) && turnOf(board) !== turn) {
    throw new RangeError(`on the board ${board} ${turnOf(board)} is to move, not ${turn}`);
  }
  return board;
}

function explainBoard(table, board) {
  const scores = table.scores(board);
  const best = scores.filter((s) => s.outcome === scores[0].outcome && s.distance === scores[0].distance);
  const winner = winnerOf(board);
  const over = isOver(board);
  return {
    game: "tictactoe",
    position: board,
    turn: turnOf(board),
    ...table.probe(board),
    move: scores.length ? scores[0].move : null,
    best: best.map((s) => s.move).sort((a, b) => a - b),
    verdict: verdict(table, board),
    marks: board,
    result: over ? verdict(table, board) : null,
    winner,
    won: wonLine(board) ?? [],
    moves: scores.map((s) => ({
      ...s,
      label: String(s.move + 1),
      replies: table.scores(playCell(board, s.move)).length,
      reasons: reasons(table, board, s),
      cell: s.move,
      origin: null,
      position: playCell(board, s.move),
    })),
  };
}

function bestLine(table, board) {
  const steps = [];
  let at = board;
  while (!isOver(at) && emptyCells(at).length) {
    const move = table.bestMove(at);
    const turn = turnOf(at);
    at = playCell(at, move);
    steps.push({ turn, move, label: String(move + 1), position: at });
  }
  return steps;
}

/** Return the engine of one of the server's games, given its listing. */
export function remoteEngine(listing) {
  const place = `${API}${encodeURIComponent(listing.game)}`;
  const known = new Map();
  const { tag } = listing;
  const ask = (what, query) => fetchJson(`${place}${what}?${new URLSearchParams({ ...query, tag })}`);
  const explain = async (position, turn) => {
    const question = turn ? { position, turn } : { position };
    const key = JSON.stringify(question);
    if (!known.has(key)) known.set(key, await ask("/explain", question));
    return known.get(key);
  };
  const rival = async (name, position, turn) =>
    (await ask("/player", { name: atLevel(name, listing), position, turn })).moves;
  const puzzles = async (count, difficulty) => {
    const query = { count, seed: Math.floor(Math.random() * 2 ** 31) };
    return (await ask("/puzzles", difficulty ? { ...query, difficulty } : query)).puzzles;
  };
  return {
    listing,
    explain: (position, turn) => explain(position ?? listing.start, turn),
    line: async (position, turn) => (await ask("/line", { position, turn })).line,
    chances: rival,
    puzzles,
    mapAddress: (side) => `${place}/map?${new URLSearchParams({ side, tag })}`,
  };
}

/** Return a player's name with the number of its level in place of a word, as in level:easy. */
function atLevel(name, { levels }) {
  return name.replace(/level:(\w+)$/, (all, word) => (word in levels ? `level:${levels[word]}` : all));
}

/** Return the JSON at an address of this site; while a search there goes on, ask again. */
export async function fetchJson(address, tries = MOST_TRIES) {
  const response = await reach(address);
  const seconds = Number(response.headers.get("retry-after"));
  if (response.status === 503 && seconds && tries) {
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    return fetchJson(address, tries - 1);
  }
  const said = await response.json().catch(() => null);
  if (response.ok && said !== null) return said;
  const problem = said?.error ?? `The server answered ${response.status} where JSON was expected.`;
  const error = new Error(capital(problem));
  error.again = response.status >= 500 || response.status === 429;
  throw error;
}

/** Return the response of an address of this site; throw an Error if there is none. */
export async function reach(address) {
  try {
    return await fetch(address);
  } catch {
    const error = new Error("The server does not answer. Is it still running, and are you online?");
    error.again = true;
    throw error;
  }
}

/**
 * Return the table of tic-tac-toe: the one inside the page, otherwise the one beside it. `inside`
 * states which; a page with a table inside sends no requests.
 */
export async function loadTable() {
  const element = document.getElementById("table");
  if (element) return { data: await readInside(element), inside: true };
  return { data: await fetchJson("tictactoe.json"), inside: false };
}

/** Return the JSON in an element of the page, where it is base64 of gzip. */
async function readInside({ textContent }) {
  const bytes = Uint8Array.from(atob(textContent.trim()), (sign) => sign.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).json();
}

/** Return the server's games. */
export async function loadListings() {
  return (await fetchJson(`${API}games`)).games;
}
