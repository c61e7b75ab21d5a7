/**
 * The page: which game and which view are open, the address, and keyboard shortcuts.
 *
 * It works without a server if the table of tic-tac-toe is inside the page or beside it; the other
 * games need a server's API.
 */

import { readAddress, writeAddress } from "./address.js";
import { announce, byId, grouped, make, rove } from "./dom.js";
import { loadListings, loadTable, localEngine, remoteEngine } from "./engines.js";
import { MapView } from "./mapview.js";
import { hideNotice, showError, showNotice } from "./notice.js";
import { PlayView } from "./play.js";
import { QuizView } from "./quiz.js";
import { knowsPlayer } from "./seats.js";
import { worth } from "./words.js";

const VIEWS = ["play", "puzzles", "map"];
const COPIED = 2000; // milliseconds that the button shows it

const page = {
  engines: new Map(),
  first: "tictactoe",
  view: "play",
  written: "",
  partial: false,
  play: null,
  quiz: null,
  map: null,
};

async function startPage() {
  const { data, inside } = await loadTable();
  const local = localEngine(data);
  page.engines.set(local.listing.game, local);
  if (!inside) await addGames();
  fillGames();
  await openAddress();
}

/** Add the server's games; without a server there is only tic-tac-toe, which is not an error. */
async function addGames() {
  page.partial = false;
  try {
    const listings = await loadListings();
    page.first = listings[0].game;
    for (const listing of listings) {
      if (!page.engines.has(listing.game)) page.engines.set(listing.game, remoteEngine(listing));
    }
  } catch (error) {
    if (!error.again) return;
    const asked = location.hash;
    const again = async () => {
      await addGames();
      fillGames();
      if (asked === location.hash) return;
      history.replaceState(null, "", asked || "#");
      await openAddress();
    };
    page.partial = true;
    showNotice(`Only tic-tac-toe can be played: the list of games did not come. ${error.message}`, again);
  }
}

function fillGames() {
  const options = [...page.engines.values()].map(({ listing }) =>
    make("option", { value: listing.game }, listing.title),
  );
  byId("game").replaceChildren(...options);
  byId("game").closest("label").hidden = options.length < 2;
  if (page.play.session) byId("game").value = page.play.session.engine.listing.game;
}

/** Open what the address describes, and report its errors. */
async function openAddress() {
  page.written = location.hash;
  const { said, wrong } = readAddress(location.hash);
  let engine = page.engines.get(said.game ?? (location.hash ? "tictactoe" : page.first));
  if (!engine) {
    const games = [...page.engines.keys()].join(", ");
    wrong.push(`there is no game “${said.game}” here; the games are ${games}`);
    engine = page.engines.get("tictactoe");
    for (const key of ["position", "turn", "moves", "ply", "x", "o"]) delete said[key];
  }
  if (said.view && !VIEWS.includes(said.view)) {
    wrong.push(`the page has no part “${said.view}”; it has ${VIEWS.join(", ")}`);
  }
  page.view = VIEWS.includes(said.view) ? said.view : "play";
  page.play.values = said.values === "1";
  byId("values").checked = page.play.values;
  await openGame(engine, said, wrong);
}

async function openGame(engine, said, wrong = []) {
  byId("game").value = engine.listing.game;
  showFacts(engine);
  try {
    wrong.push(...(await page.play.open(engine, said)));
    if (wrong.length && !page.partial)
      showNotice(`The address is not right. ${wrong.map(sentenceOf).join(" ")}`);
  } catch (error) {
    byId("status").textContent = `${engine.listing.title} cannot be shown.`;
    showError(error, () => openGame(engine, said));
  }
  page.quiz.leave();
  page.map.leave();
  showView(page.view);
}

const sentenceOf = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

function showFacts(engine) {
  const { title, about, positions, outcome, distance, seats } = engine.listing;
  const value =
    outcome === "draw"
      ? "it is a draw"
      : `${seats[0]}, who begins, ${worth(outcome, distance)}`;
  byId("about").textContent = about;
  document.title = `${title} · perfectplay`;
  const known = positions
    ? `All ${grouped(positions)} positions are worked out and proved.`
    : "The computer works out each position when it is asked.";
  byId("facts").textContent = outcome ? `${known} If nobody makes a mistake, ${value}.` : known;
}

/** Show a view. */
function showView(view) {
  page.view = view;
  for (const name of VIEWS) {
    byId(`panel-${name}`).hidden = name !== view;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === view));
    byId(`tab-${name}`).setAttribute("tabindex", name === view ? 0 : -1);
  }
  if (view !== "play") page.play.session?.pauseWatched();
  const engine = page.play.session?.engine;
  if (engine && view === "puzzles") page.quiz.enter(engine);
  if (engine && view === "map") page.map.enter(engine);
  writeHash();
}

/** Update the address, without a new entry in the browser's history. */
function writeHash() {
  if (!page.play.session?.known) return;
  const view = page.view === "play" ? undefined : page.view;
  const hash = writeAddress({ ...page.play.said(), view });
  if (hash === location.hash) return;
  page.written = hash;
  history.replaceState(null, "", hash);
}

async function copyLink() {
  writeHash();
  const button = byId("share");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
    announce("The link is copied.");
    setTimeout(() => (button.textContent = "Share"), COPIED);
  } catch {
    showNotice(`The browser does not let this page copy. The link is ${location.href}`);
  }
}

const LETTERS = {
  u: () => byId("undo").click(),
  r: () => byId("redo").click(),
  h: () => page.play.showValues(!page.play.values),
  n: () => byId(page.view === "puzzles" ? "next" : "new").click(),
};

/** Handle single keys, unless the focus is in a control for typing or choosing. */
function pressKey(event) {
  const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
  if (typing || event.ctrlKey || event.altKey || event.metaKey || !byId("letters").checked) return;
  if (/^[1-9]$/.test(event.key)) pressDigit(Number(event.key) - 1);
  else if (page.view === "play" || (page.view === "puzzles" && event.key === "n")) {
    LETTERS[event.key]?.();
  }
}

function pressDigit(place) {
  const board = page.view === "play" ? page.play.board : page.view === "puzzles" ? page.quiz.board : null;
  if (!board?.plan || board.plan.style === "squares") return;
  const button = board.buttons[place];
  if (!button) return;
  button.focus();
  button.click();
}

const BOARDS = { play: "board", puzzles: "puzzle-board", map: "map" };

function listen() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address describes a game, not an element of the page
    byId(BOARDS[page.view]).focus();
  });
  byId("game").addEventListener("change", () => {
    hideNotice();
    const { players } = page.play.session;
    const engine = page.engines.get(byId("game").value);
    const fits = players.every((name) => knowsPlayer(name, engine.listing.players));
    openGame(engine, fits ? { x: players[0], o: players[1] } : {});
  });
  byId("share").addEventListener("click", copyLink);
  const tabs = VIEWS.map((view) => byId(`tab-${view}`));
  rove(tabs, tabs.length);
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => showView(VIEWS[i]));
    tab.addEventListener("keydown", ({ key }) => {
      if (/^(Arrow|Home|End)/.test(key)) showView(VIEWS[tabs.indexOf(document.activeElement)] ?? page.view);
    });
  });
  document.addEventListener("keydown", pressKey);
  addEventListener("hashchange", () => {
    if (location.hash === page.written) return;
    hideNotice();
    openAddress();
  });
}

/** Open a position in the view where games are played. */
function openFrom(engine, said) {
  page.view = "play";
  return openGame(engine, said);
}

function runPage() {
  startPage().catch((error) => {
    byId("status").textContent = "The game could not be loaded.";
    showNotice(error.message, runPage);
  });
}

page.play = new PlayView({ changed: writeHash, failed: showError });
page.quiz = new QuizView({ failed: showError, open: openFrom });
page.map = new MapView({ failed: showError });
listen();
runPage();
