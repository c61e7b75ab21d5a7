/**
 * The page: which game and which view are open, and the address.
 *
 * Its HTML lists the games. Small ones it plays by itself; about others it asks the server's API.
 */

/** @import { Event, Kept, Listing, Shown } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { readAddress, writeAddress } from "./address.js";
import { ofFamily, today } from "./daily.js";
import { byId, choiceOf, make, roveFocus, sure } from "./dom.js";
import { dispatch, follow, keptHere, stateNow } from "./drive.js";
import { engineOf } from "./engines.js";
import { showDoors, showGallery } from "./gallery.js";
import { listenForKeys } from "./keys.js";
import { forget, latest } from "./latest.js";
import { hasCards, showCards } from "./learn.js";
import { MapView } from "./mapview.js";
import { recall, remember } from "./memory.js";
import { attempt, hideNotice, mayHelp, messageOf, showNotice } from "./notice.js";
import { listenToPlay, onGame, renderPlay, showWait } from "./play.js";
import { pliesOf, recordOf } from "./plies.js";
import { enterPuzzles, listenToPuzzles, puzzleFields, renderPuzzle } from "./quiz.js";
import { resultText } from "./result.js";
import { codeOf, humanSide, safeSide, seated, seatPlayers } from "./seats.js";
import { listenToSetup } from "./setup.js";
import { alone, embedded, linkTo, share } from "./share.js";
import { view } from "./store.js";
import { factsOf } from "./words.js";

/** @typedef {(typeof VIEWS)[number]} View */
const VIEWS = /** @type {const} */ (["games", "play", "puzzles", "map"]);
/** @type {(keyof Fields)[]} */
const LASTING = ["game", "position", "moves", "ply", "view", "path", "side", "puzzle"];
const FIRST_VISITS = 3; // on which the page shows its doors
const BOARDS = { games: "cards", play: "board", puzzles: "puzzle-board", map: "map" };

/** @type {{games: Listing[]}} */
const data = JSON.parse(byId("data").textContent);
const listings = new Map(data.games.map((listing) => [listing.game, listing]));
const map = new MapView(() => writeHash());
const home = listings.get("tictactoe") ?? data.games[0];
let written = ""; // the address, as the page knows it
let opening = true; // until what the address names is shown

const usual = () => recall("opponent", "level:medium");

/** Return the listing of the game that is chosen. */
const chosen = () => sure(listings.get(choiceOf("game").value));

/** Return the seats of a game that begins: the user has the side that does not lose.
 * @param {Listing} listing */
const seatsOf = (listing) => seated(safeSide(listing), usual());

function fillGames() {
  const options = data.games.map(({ game, title }) => make("option", { value: game }, title));
  byId("game").replaceChildren(...options);
  document.documentElement.classList.toggle("single", options.length < 2);
  showGallery(data.games, seatsOf);
  const visits = recall("visits", 0);
  if (visits < FIRST_VISITS) showDoors(data.games, seatsOf);
  remember("visits", visits + 1);
}

/** Return the view with a name. @param {string} [name] */
const viewOf = (name) => VIEWS.find((one) => one === name);

/** Open what the address describes, and report its errors. */
async function openAddress() {
  written = location.hash;
  const { fields, wrong } = readAddress(location.hash);
  const first = data.games[0];
  let listing =
    fields.game || !location.hash
      ? (listings.get(fields.game ?? first.game) ?? ofFamily(data.games, fields.game))
      : home;
  if (!listing) {
    listing = first;
    wrong.push(`There is no game “${fields.game}” here: this is ${listing.title}`);
    fields.position = fields.turn = fields.moves = fields.ply = fields.x = fields.o = undefined;
  }
  if (fields.view && !viewOf(fields.view)) {
    wrong.push(`The page has no part “${fields.view}”: this is the board`);
  }
  const shown = viewOf(fields.view) ?? "play";
  if (shown === "games") showView("games"); // which needs no engine
  await openGame(listing, location.hash ? fields : seatsOf(listing), {
    wrong,
    shown,
    kept: keptHere(),
  });
}

/** Open a game with the keys of an address, in a view.
 * @param {Listing} listing @param {Fields} fields
 * @param {{wrong?: string[], shown?: View, kept?: Kept | null}} options */
async function openGame(listing, fields, { wrong = [], shown = "play", kept = null } = {}) {
  opening = true;
  choiceOf("game").value = listing.game;
  showFacts(listing);
  if (stateNow().game?.listing !== listing) showWait(listing);
  const seats = seatPlayers(fields, listing, usual());
  wrong.push(...seats.wrong);
  try {
    const [event, wrongs] = await latest("open", () => readGame(listing, fields, seats.chosen));
    wrong.push(...wrongs);
    dispatch({ ...event, kept });
    if (wrong.length) showNotice(`${wrong.join(". ")}.`);
  } catch (error) {
    const problem = `${listing.title} cannot be shown. ${messageOf(error)}`;
    const again = mayHelp(error) ? () => openGame(listing, fields, { shown, kept }) : undefined;
    byId("status").textContent = `${listing.title} cannot be shown.`;
    if (listing !== home) return insteadOf(problem, again);
    showNotice(problem, again);
  }
  map.leave();
  opening = false;
  showView(shown === "map" && !listing.map ? "play" : shown, fields);
}

/** Return what opens a game, and what is wrong with its position or moves.
 * @param {Listing} listing @param {Fields} fields @param {string[]} players
 * @returns {Promise<[Extract<Event, {type: "opened"}>, string[]]>} */
async function readGame(listing, fields, players) {
  const engine = await engineOf(listing);
  const { position, turn, moves } = fields;
  const { plies, wrong } = await engine.record({ position, turn, moves }).catch((error) => {
    if (mayHelp(error)) throw error;
    return { plies: [], wrong: "" };
  });
  const known = plies.length ? plies : (await engine.record({})).plies;
  const last = known.length - 1;
  const asked = fields.ply === undefined ? last : Number(fields.ply);
  const fits = Number.isInteger(asked) && asked >= 0 && asked <= last;
  const at = fits ? asked : last;
  const what = plies.length
    ? `Move ${known.length} of the link is not possible`
    : `The position of the link is none of ${listing.title}`;
  const wrongs = [
    wrong === null ? "" : `${what}: this is the ${last ? "game up to there" : "start"}`,
    fits ? "" : `The game has no move ${fields.ply}: this is its end`,
  ];
  const held = at < last || wrong !== null;
  const rest = { held, values: fields.values === "1", id: newId() };
  const event = { ...rest, type: /** @type {const} */ ("opened"), listing, players, at };
  return [{ ...event, plies: pliesOf(known) }, wrongs.filter(Boolean)];
}

const newId = () => Math.random().toString(36).slice(2);

/** Begin a game again. @param {Shown} shown @param {string[]} players */
function beginAgain({ listing, lines, values }, players) {
  hideNotice();
  const plies = lines[0].slice(0, 1);
  const rest = { listing, plies, at: 0, players, held: false, values, id: newId() };
  dispatch({ type: "opened", ...rest });
}

/** Open the usual game in place of one that cannot be shown, and say so.
 * @param {string} problem @param {() => void} [again] opens that one */
async function insteadOf(problem, again) {
  written = location.hash;
  await openGame(home, seatsOf(home));
  showNotice(stateNow().game ? `${problem} This is ${home.title}.` : problem, again);
}

function showFacts(/** @type {Listing} */ listing) {
  document.documentElement.classList.toggle("mapless", !listing.map);
  const changed = listing.rules_changed ? " Its rules have changed since its table was made." : "";
  byId("about").textContent = listing.about + changed;
  byId("learn").hidden = !hasCards(listing.game);
  document.title = `${listing.title} · perfectplay`;
  byId("facts").textContent = factsOf(listing);
}

/** Show a part of the page. @param {View} name @param {Fields} [asked] the keys of its address */
function showView(name, asked = {}) {
  dispatch({ type: "viewed", view: name });
  for (const one of VIEWS) {
    byId(`panel-${one}`).hidden = one !== name;
    byId(`tab-${one}`).setAttribute("aria-selected", String(one === name));
    byId(`tab-${one}`).tabIndex = one === name ? 0 : -1;
  }
  const { game } = stateNow();
  if (game && name === "puzzles") enterPuzzles(game.listing, asked.puzzle);
  if (game && name === "map") map.enter(view(game), asked);
  writeHash();
}

/** Return the keys of the address that describe the game. @param {Shown} shown @returns {Fields} */
function fieldsOf({ listing, plies, record, at, players: [x, o], values }) {
  const [{ known }] = plies;
  const own = known.position !== listing.start || known.turn !== listing.seats[0];
  return {
    game: listing.game,
    position: own ? known.position : undefined,
    turn: own ? codeOf(listing, known.turn) : undefined,
    moves: record,
    ply: at < plies.length - 1 ? String(at) : undefined,
    ...{ x, o, values: values ? "1" : undefined },
  };
}

/**
 * Update the address: as a new entry of the browser's history where the user may want to return to,
 * so not for what is only shown otherwise, not while another player is about to move, and not in a
 * frame, whose history is that of the page around.
 */
function writeHash() {
  const { game, view: name } = stateNow();
  if (!game || opening) return;
  const shown = view(game);
  const waits = shown.human !== null && !shown.humanMoves && !shown.result && !game.held;
  if (name === "play" && (waits || shown.shows)) return;
  const place = name === "map" ? map.fields() : name === "puzzles" ? puzzleFields() : {};
  const embed = alone && embedded ? 1 : undefined;
  const rest = { view: name === "play" ? undefined : name, ...place, embed };
  const hash = writeAddress(name === "games" ? { view: name } : { ...fieldsOf(shown), ...rest });
  // unless the user has changed it: `hashchange` follows
  if (hash !== location.hash && written === location.hash) {
    const before = readAddress(location.hash).fields;
    const after = readAddress(hash).fields;
    const moved = LASTING.some((key) => before[key] !== after[key]);
    const first = name === "puzzles" && !before.puzzle && before.view === "puzzles";
    const lasts = moved && !first && !embedded && (before.game || before.view);
    history[lasts ? "pushState" : "replaceState"]({ id: game.id }, "", hash);
    written = location.hash;
  } else if (history.state?.id !== game.id) history.replaceState({ id: game.id }, "");
  byId("back").setAttribute("href", linkTo("page"));
}

/** Go to what an address describes if the game holds it, and return whether it does.
 * @param {Fields} fields */
function revisit({ game: name, position, moves = "", ply, x, o }) {
  const { game } = stateNow();
  if (!game || game.listing.game !== name || game.players.join() !== [x, o].join()) return false;
  if (fieldsOf(view(game)).position !== position) return false;
  const records = game.lines.map(recordOf);
  let line = records.indexOf(moves);
  if (line < 0) line = records.findIndex((record) => !moves || record.startsWith(`${moves},`));
  if (line < 0) return false;
  const reached = game.lines[line].findIndex(
    (_, n, plies) => recordOf(plies.slice(0, n + 1)) === moves,
  );
  dispatch({ type: "went", of: "game", at: Number(ply ?? reached), line });
  return true;
}

function listen() {
  sure(document.querySelector(".skip")).addEventListener("click", (event) => {
    event.preventDefault(); // the address describes a game, not an element of the page
    byId(BOARDS[/** @type {View} */ (stateNow().view)]).focus();
  });
  byId("game").addEventListener("change", () => {
    hideNotice();
    const { game, view: name } = stateNow();
    const rival = game ? game.players[1 - (humanSide(game.players) ?? 0)] : usual();
    const shown = name === "games" ? "play" : sure(viewOf(name));
    openGame(chosen(), seated(safeSide(chosen()), rival), { shown });
  });
  listenToSetup(async (fields, reads) => {
    const listing = fields.game ? listings.get(fields.game) : chosen();
    if (!listing) location.hash = writeAddress(fields);
    else await openGame(listing, fields);
    const { game } = stateNow();
    if (reads && game) dispatch({ type: "hinted", of: "game", shown: !view(game).result });
  });
  onGame("learn", ({ listing }) =>
    attempt(async () => {
      showCards(await engineOf(listing), () => {
        openGame(listing, seated(0, "perfect"));
        byId("pitch").scrollIntoView();
      });
    }),
  );
  onGame("share", (shown) => share(byId("share"), resultText(shown)));
  byId("link").addEventListener("click", () => share(byId("link")));
  byId("code").addEventListener("click", () => {
    const frame = { src: linkTo("embed"), width: 420, height: 520, title: document.title };
    share(byId("code"), make("iframe", { ...frame, frameborder: 0 }).outerHTML, true);
  });
  const tabs = VIEWS.map((name) => byId(`tab-${name}`));
  roveFocus(tabs, tabs.length);
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => showView(VIEWS[i]));
    tab.addEventListener("keydown", ({ key }) => {
      const reached = VIEWS.find((name) => byId(`tab-${name}`) === document.activeElement);
      if (/^(Arrow|Home|End)/.test(key) && reached) showView(reached);
    });
  });
  addEventListener("hashchange", () => {
    if (location.hash === written) return;
    hideNotice();
    const { fields } = readAddress(location.hash);
    written = location.hash;
    if (fields.view === "games") return showView("games");
    opening = true; // what is shown has its address already
    const found = !fields.view && revisit(fields);
    if (found) showView("play");
    opening = false;
    if (!found) return openAddress();
    forget("open"); // what is being opened is not wanted any more
  });
}

/** Open a game's puzzle of today. @param {Listing} listing */
function openToday(listing) {
  const fields = { puzzle: String(today()) };
  if (stateNow().game?.listing === listing) return enterPuzzles(listing, fields.puzzle);
  return openGame(listing, { ...seatsOf(listing), ...fields }, { shown: "puzzles" });
}

document.documentElement.classList.toggle("embed", embedded);
byId("back").hidden = !embedded;
if (embedded) {
  byId("status").role = "heading"; // the only one
  byId("status").ariaLevel = "1";
}
const handlers = { open: openGame, listings: data.games, listing: chosen, openToday, usual };
listenToPlay(beginAgain);
listenToPuzzles(handlers);
listenForKeys();
follow(renderPlay);
follow((event) => renderPuzzle(event, handlers));
follow((event) => event.type !== "viewed" && writeHash());
listen();
fillGames();
openAddress();
