/**
 * The page: which game and which view are open, the address, and keyboard shortcuts.
 *
 * Its HTML lists the games. Small ones it plays by itself; about others it asks the server's API.
 */

/** @import { Engine, Listing } from "./types.d.ts" */
/** @import { Fields } from "./address.js" */

import { readAddress, writeAddress } from "./address.js";
import { today } from "./daily.js";
import { byId, capital, choiceOf, inputOf, make, roveFocus, sure } from "./dom.js";
import { openEngine } from "./engines.js";
import { showGallery } from "./gallery.js";
import { listenForKeys } from "./keys.js";
import { hasCards, Learn } from "./learn.js";
import { MapView } from "./mapview.js";
import { attempt, hideNotice, showError, showNotice } from "./notice.js";
import { PlayView } from "./play.js";
import { QuizView } from "./quiz.js";
import { resultText } from "./result.js";
import { knowsPlayer } from "./seats.js";
import { Setup } from "./setup.js";
import { alone, embedded, linkTo, savePicture, share } from "./share.js";
import { factsOf } from "./words.js";

/** @typedef {(typeof VIEWS)[number]} View */
const VIEWS = /** @type {const} */ (["games", "play", "puzzles", "map"]);
/** @type {(keyof Fields)[]} */
const LASTING = ["game", "position", "moves", "ply", "view", "path", "side", "puzzle"];

/** @type {{games: Listing[], picture: string}} */
const data = JSON.parse(byId("data").textContent);
const listings = new Map(data.games.map((listing) => [listing.game, listing]));
/** @type {Map<string, Promise<Engine>>} */
const engines = new Map();

const page = {
  view: /** @type {View} */ ("play"),
  written: "",
  visiting: false,
  opening: {},
  asked: /** @type {Fields} */ ({}), // the place in the map or the puzzle that the address names
  play: new PlayView(() => writeHash()),
  quiz: new QuizView({ open: openFrom, changed: writeHash, listings: data.games, openToday }),
  map: new MapView(() => writeHash()),
};

function fillGames() {
  const options = data.games.map(({ game, title }) => make("option", { value: game }, title));
  byId("game").replaceChildren(...options);
  sure(byId("game").closest("label")).hidden = byId("tab-games").hidden = options.length < 2;
  showGallery(data.games);
}

/** Return the engine of a game, loaded once; one that did not load is loaded again.
 * @param {Listing} listing */
function engineOf(listing) {
  const { game } = listing;
  const opened = engines.get(game) ?? openEngine(listing);
  if (!engines.has(game)) opened.catch(() => engines.delete(game));
  engines.set(game, opened);
  return opened;
}

/** Return the game that the name of a family stands for: the one whose title names no size.
 * @param {string} name */
const ofFamily = (name) =>
  data.games
    .filter(({ game }) => game.startsWith(`${name}:`))
    .sort((a, b) => a.title.length - b.title.length)[0];

/** Return the view with a name. @param {string} [name] */
const viewOf = (name) => VIEWS.find((view) => view === name);

/** Open what the address describes, and report its errors. */
async function openAddress() {
  page.written = location.hash;
  const { fields, wrong } = readAddress(location.hash);
  const first = data.games[0];
  let listing =
    fields.game || !location.hash
      ? (listings.get(fields.game ?? first.game) ?? ofFamily(fields.game ?? ""))
      : (listings.get("tictactoe") ?? first);
  if (!listing) {
    const games = [...listings.keys()].join(", ");
    wrong.push(`there is no game “${fields.game}” here; the games are ${games}`);
    listing = first;
    fields.position = fields.turn = fields.moves = fields.ply = fields.x = fields.o = undefined;
  }
  if (fields.view && !viewOf(fields.view)) {
    wrong.push(`the page has no part “${fields.view}”; it has ${VIEWS.join(", ")}`);
  }
  page.view = viewOf(fields.view) ?? "play";
  page.asked = { side: fields.side, path: fields.path, puzzle: fields.puzzle };
  page.play.values = fields.values === "1";
  inputOf("values").checked = page.play.values;
  if (page.view === "games") showView("games"); // which needs no engine
  await openGame(listing, fields, wrong);
}

/** @param {Listing} listing @param {Fields} fields @param {string[]} wrong */
async function openGame(listing, fields, wrong = []) {
  const ticket = {}; // of the last game that was asked for
  page.opening = ticket;
  page.visiting = true; // until all is shown
  choiceOf("game").value = listing.game;
  showFacts(listing);
  if (page.play.session?.engine.listing !== listing) page.play.wait(listing);
  try {
    const engine = await engineOf(listing);
    if (page.opening !== ticket) return;
    wrong.push(...(await page.play.open(engine, fields)));
    if (page.opening !== ticket) return;
    if (wrong.length) showNotice(`The address is not right. ${wrong.map(sentenceOf).join(" ")}`);
  } catch (error) {
    if (page.opening !== ticket) return;
    byId("status").textContent = `${listing.title} cannot be shown.`;
    nameGame(listing);
    showError(error, () => openGame(listing, fields));
  }
  page.quiz.leave();
  page.map.leave();
  page.visiting = false;
  showView(page.view === "map" && !listing.map ? "play" : page.view);
}

/** Let the address name a game that could not be loaded. @param {Listing} listing */
function nameGame({ game }) {
  if (page.play.session?.known || readAddress(location.hash).fields.game === game) return;
  history.pushState(null, "", writeAddress({ game }));
  page.written = location.hash;
}

const sentenceOf = (/** @type {string} */ text) => `${capital(text).replace(/\.$/, "")}.`;

function showFacts(/** @type {Listing} */ listing) {
  byId("tab-map").hidden = !listing.map;
  byId("picture").hidden = listing.style === null || !data.picture;
  const changed = listing.rules_changed ? " Its rules have changed since its table was made." : "";
  byId("about").textContent = listing.about + changed;
  byId("learn").hidden = !hasCards(listing.game);
  document.title = `${listing.title} · perfectplay`;
  byId("facts").textContent = factsOf(listing);
}

function showView(/** @type {View} */ view) {
  page.view = view;
  for (const name of VIEWS) {
    byId(`panel-${name}`).hidden = name !== view;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === view));
    byId(`tab-${name}`).tabIndex = name === view ? 0 : -1;
  }
  const { session } = page.play;
  if (session?.known && view === "puzzles") page.quiz.enter(session.engine, page.asked.puzzle);
  if (session?.known && view === "map") page.map.enter(session, page.asked);
  page.asked = {};
  writeHash();
}

/**
 * Update the address: as a new entry of the browser's history where the user may want to return to,
 * so not for what is only shown otherwise, and not while another player is about to move.
 * If `instead` is true, the user has nothing to return to.
 */
function writeHash(instead = false) {
  const { session } = page.play;
  if (!session?.known || page.visiting) return;
  const waits = session.human !== null && !session.humanMoves && !session.result && !session.held;
  if (page.view === "play" && waits) return;
  const view = page.view === "play" ? undefined : page.view;
  const place = view === "map" ? page.map.fields() : view === "puzzles" ? page.quiz.fields() : {};
  const embed = alone && embedded ? 1 : undefined;
  const hash = writeAddress(
    view === "games" ? { view } : { ...page.play.fields(), view, ...place, embed },
  );
  // unless the user has changed it: `hashchange` follows
  if (hash !== location.hash && page.written === location.hash) {
    const before = readAddress(location.hash).fields;
    const after = readAddress(hash).fields;
    const moved = LASTING.some((key) => before[key] !== after[key]);
    if (moved && !instead && (before.game || before.view)) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
    page.written = location.hash;
  }
  byId("back").setAttribute("href", linkTo("page"));
}

const BOARDS = { games: "cards", play: "board", puzzles: "puzzle-board", map: "map" };

const setup = new Setup(async (fields) => {
  const listing = fields.game ? listings.get(fields.game) : page.play.session?.engine.listing;
  page.view = "play";
  if (!listing) location.hash = writeAddress(fields);
  else await openGame(listing, fields);
  if (fields.moves) page.play.review();
});

const learn = new Learn(({ listing }) => {
  page.view = "play";
  openGame(listing, { x: "human", o: "perfect" });
  byId("pitch").scrollIntoView();
});

function listen() {
  sure(document.querySelector(".skip")).addEventListener("click", (event) => {
    event.preventDefault(); // the address describes a game, not an element of the page
    byId(BOARDS[page.view]).focus();
  });
  byId("game").addEventListener("change", () => {
    hideNotice();
    const players = page.play.session?.players ?? [];
    const listing = sure(listings.get(choiceOf("game").value));
    const fits = players.every((name) => knowsPlayer(name, listing.players));
    openGame(listing, fits ? { x: players[0], o: players[1] } : {});
  });
  page.play.listen("set-up", ({ engine, known }) => setup.show(engine, known));
  page.play.listen("learn", ({ engine }) => attempt(() => learn.show(engine)));
  page.play.listen("share", (session) => share(byId("share"), resultText(session)));
  byId("link").addEventListener("click", () => share(byId("link")));
  byId("code").addEventListener("click", () => {
    const frame = { src: linkTo("embed"), width: 420, height: 520, title: document.title };
    share(byId("code"), make("iframe", { ...frame, frameborder: 0 }).outerHTML, true);
  });
  page.play.listen("picture", (session) =>
    attempt(() => savePicture(session, page.play.values, data.picture)),
  );
  const tabs = VIEWS.map((view) => byId(`tab-${view}`));
  roveFocus(tabs, tabs.length);
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => showView(VIEWS[i]));
    tab.addEventListener("keydown", ({ key }) => {
      const reached = VIEWS.find((name) => byId(`tab-${name}`) === document.activeElement);
      if (/^(Arrow|Home|End)/.test(key) && reached && !byId(`tab-${reached}`).hidden)
        showView(reached);
    });
  });
  listenForKeys(page);
  addEventListener("hashchange", () => {
    if (location.hash === page.written) return;
    hideNotice();
    const { fields } = readAddress(location.hash);
    page.written = location.hash;
    if (fields.view === "games") {
      showView("games");
      return;
    }
    page.visiting = true; // what is shown has its address already
    const found = !fields.view && page.play.revisit(fields);
    if (found) showView("play");
    page.visiting = false;
    if (!found) openAddress();
    else page.opening = {}; // what is being opened is not wanted any more
  });
}

/** Open a position in the view where games are played. @param {Engine} engine @param {Fields} fields */
function openFrom(engine, fields) {
  page.view = "play";
  return openGame(engine.listing, fields);
}

/** Open a game's puzzle of today. @param {Listing} listing */
function openToday(listing) {
  const puzzle = String(today());
  const { session } = page.play;
  if (session?.known && session.engine.listing === listing)
    return page.quiz.enter(session.engine, puzzle);
  page.asked = { puzzle };
  return openGame(listing, {});
}

document.documentElement.classList.toggle("embed", embedded);
byId("back").hidden = !embedded;
listen();
fillGames();
openAddress();
