/** The playground: rules are written, solved in a sandbox, played, proved, saved, and sent as a link. */

import { Editor } from "./editor.js";
import { fromFragment, toFragment } from "./link.js";
import { fetchFiles, makeFrame, Sandbox } from "./sandbox.js";

const SECONDS = 60;
const LONGER = 600; // if the same rules are solved again
const MOST_PAGE = 50_000_000; // characters
const [SENT, BEFORE, KEPT] = ["the rules of the link", "your rules before", "own-rules"];
const byId = (name) => document.getElementById(name);
const [HEADING, INTRODUCTION] = ["heading", "about"].map((name) => byId(name).textContent);
const editor = new Editor(byId("rules"), byId("gutter"));
const run = {
  doing: null,
  sandbox: null,
  timer: 0,
  late: "",
  rules: "",
  files: [],
  pressed: null,
  python: null,
  spare: null,
};
const texts = { "": "" }; // what there is to start from; the reader's own rules have no name

/** What workers say is data of a stranger: texts and lists are checked and cut. */
const words = (value) => (typeof value === "string" ? value.slice(0, 2000) : "");
const list = (value) => (Array.isArray(value) ? value : []);

function show(name, text) {
  byId(name).textContent = text;
}

/** Bring what a button made into view. */
function reveal(name) {
  byId(name).scrollIntoView({ block: "start" });
}

function setBusy(busy) {
  const focused = document.activeElement;
  byId("stop").hidden = !busy;
  byId("progress").hidden = true;
  byId("solve").disabled = busy;
  for (const name of ["prove", "make-report"]) byId(name).disabled = busy || !run.sandbox;
  clearTimeout(run.timer);
  if (!busy) {
    run.doing = null;
    if (run.python) run.spare ??= new Sandbox(run.python, heard); // which the next Solve takes
  }
  if (busy) run.pressed = focused; // who used a key to begin goes on from there
  const next = byId(busy ? "stop" : run.pressed?.id);
  if (busy || focused.id === "stop") next?.focus({ preventScroll: true });
}

/** End what runs, and say why. */
function stop(reason) {
  run.sandbox?.close();
  Object.assign(run, { sandbox: null, doing: null });
  show("status", reason);
  setBusy(false);
}

/** Start the time that strangers' rules have, again for each process. */
function limit() {
  const seconds = run.late === run.rules ? LONGER : SECONDS;
  clearTimeout(run.timer);
  run.timer = setTimeout(() => {
    run.late = run.rules;
    stop(`Stopped after ${seconds} seconds. Solve again to let it take ${LONGER / 60} minutes.`);
  }, 1000 * seconds);
}

function heard({ started, done }) {
  if (!run.doing) return;
  if (started) limit();
  show(
    "status",
    done
      ? `${run.doing.name}: positions so far: ${Number(done).toLocaleString("en")} …`
      : `${run.doing.name} …`,
  );
}

function fail(message, line = 0) {
  show("error", message);
  byId("error").hidden = !message;
  editor.mark(line);
}

/** Do something in the sandbox; what goes wrong is shown, and ends it. */
async function attempt(name, work) {
  const doing = { name };
  run.doing = doing;
  setBusy(true);
  fail("");
  try {
    await work(() => run.doing === doing);
    setBusy(false);
  } catch (error) {
    if (run.doing !== doing) return; // it has been stopped
    stop("");
    fail(error.message, error.line);
  }
}

/** Return what is in an answer; raises its error, with the line. */
function read({ answer }) {
  const said = JSON.parse(answer) ?? {};
  if (said.error) throw Object.assign(new Error(words(said.error)), { line: said.line });
  return said;
}

function solve() {
  if (!/^class /m.test(editor.text))
    return fail("Write rules first: a class with four methods, such as the examples have.");
  run.sandbox?.close();
  Object.assign(run, { sandbox: null, rules: editor.text });
  byId("result").hidden = true;
  for (const name of ["player", "report", "proved"]) byId(name).replaceChildren();
  changed();
  return attempt("Solving", async (isWanted) => {
    const files = await fetchFiles((come, total) => {
      if (!isWanted()) return;
      const [is, of] = [come, total].map((bytes) => (bytes / 1e6).toFixed(1));
      Object.assign(byId("progress"), { hidden: false, value: come / total });
      show("status", `Downloading Python, once: ${is} of ${of} MB`);
    });
    if (!isWanted()) throw null;
    byId("progress").hidden = true;
    show("status", "Starting Python …");
    run.python = files;
    run.sandbox = run.spare ?? new Sandbox(files, heard);
    run.spare = null;
    await run.sandbox.loaded;
    const solved = await run.sandbox.ask(1, { ask: "solve", rules: run.rules });
    showResult(read(solved), solved.table);
    show("status", "Solved. Getting the board ready …");
    showPage(await run.sandbox.ask(1, { ask: "page" }));
    show("status", "Solved.");
    reveal(byId("example").value === SENT ? "player" : "result");
  });
}

function showResult(said, table) {
  for (const name of ["title", "verdict", "counts", "ends", "best", "home"])
    show(name, words(said[name]));
  const names = list(said.files).map((name) => /^\w{1,80}\.\w{1,20}$/.exec(name)?.[0] ?? "game");
  run.files = [run.rules, table instanceof Uint8Array ? table : ""].map((data, i) => [
    names[i],
    data,
  ]);
  byId("result").hidden = false;
  changed();
}

/** Show the page in a frame that reaches nothing, with a game to play. */
function showPage({ answer }) {
  const [data, drawings, whole] =
    answer.length < MOST_PAGE ? list(JSON.parse(answer)).map(String) : [];
  if (!whole) {
    show(
      "player",
      "The game is too large to be played here. Download its table, and play at home.",
    );
    return;
  }
  const frame = makeFrame("player", "The game to play", ({ ready, height }) => {
    if (ready) frame.contentWindow.postMessage({ data, drawings, whole }, "*");
    if (height > 0) frame.style.height = `${Math.min(5000, Math.max(400, height + 40))}px`;
  });
  byId("player").replaceChildren(frame);
}

/** Prove the table; two more workers, with other orders of sets, say what the rules are. */
function prove() {
  return attempt("Proving", async () => {
    show("status", "Starting two more processes …");
    const { sandbox, rules } = run;
    const asked = [-1, 1].map((step, i) => sandbox.start(2 + i, { ask: "expand", step, rules }));
    const begun = (await Promise.allSettled(asked)).filter(({ value }) => value);
    const others = begun.map(({ value }) => read(value));
    limit();
    show("proved", words(read(await sandbox.ask(1, { ask: "prove", others })).proved));
    show("status", "Proved.");
    reveal("proved");
  });
}

/** Show the report on the game: sections of a title, what was found, its meaning, and a table. */
function report() {
  return attempt("Reporting", async () => {
    show("status", "Playing all games at once …");
    limit();
    const parts = list(read(await run.sandbox.ask(1, { ask: "report" })));
    byId("report").replaceChildren(...parts.flatMap(section));
    show("status", "The report is below the board.");
    reveal("report");
  });
}

function section(part) {
  const [title, found, meaning, rows] = list(part);
  const table = element("table");
  for (const [i, row] of list(rows).entries())
    table.insertRow().append(...list(row).map((cell) => element(i ? "td" : "th", cell)));
  const lines = [...list(found), meaning].map((line) => element("p", line));
  return [element("h3", title), ...lines, ...(table.rows.length ? [table] : [])];
}

function element(name, text) {
  return Object.assign(document.createElement(name), { textContent: words(text) });
}

function save([download, content]) {
  const href = URL.createObjectURL(new Blob([content]));
  Object.assign(document.createElement("a"), { href, download }).click();
}

async function copyLink() {
  try {
    history.replaceState(null, "", await toFragment(editor.text));
    show("status", "The link is in the address of this page.");
    await navigator.clipboard.writeText(location.href);
    show("status", `The link is copied: ${location.href.length} characters.`);
  } catch (error) {
    if (error instanceof RangeError) fail(error.message);
  }
}

/** Say so if the results are of other rules than the editor shows, and offer nothing about them. */
function changed() {
  const isStale = !byId("result").hidden && editor.text !== run.rules;
  byId("acts").hidden = isStale;
  show(
    "stale",
    isStale ? "The results below are of the rules before your change: Solve again." : "",
  );
}

/** Keep what the reader types; a link or an example that they change becomes their own rules. */
function typed() {
  if (byId("example").value && texts[""]) offer(BEFORE, texts[""]);
  byId("example").value = "";
  show("heading", HEADING);
  show("about", INTRODUCTION);
  texts[""] = editor.text;
  history.replaceState(null, "", location.pathname); // the link has other rules
  try {
    localStorage.setItem(KEPT, JSON.stringify([editor.text, texts[BEFORE] ?? ""]));
  } catch {} // the browser keeps nothing
  changed();
}

/** Return what the reader typed at the last visit, and what before that. */
function kept() {
  try {
    return list(JSON.parse(localStorage.getItem(KEPT))).map(String);
  } catch {
    return [];
  }
}

function offer(name, text) {
  if (texts[name] === undefined) byId("example").append(new Option(name));
  texts[name] = text;
}

function choose(name) {
  const isSent = name === SENT;
  byId("example").value = name;
  editor.text = texts[name];
  byId("rules").rows = isSent ? 11 : 24;
  const [, title] = /^ +title *= *["'](.{1,60})["']/m.exec(editor.text) ?? [];
  const [, kind] = /^class (\w{1,60})\(Game/m.exec(editor.text) ?? [];
  show("heading", isSent ? (title ?? kind ?? "A game") : HEADING);
  show("about", isSent ? "A friend sent you this game." : INTRODUCTION);
  changed();
}

/** Show the rules that came with a link, or else the reader's own, or else an example.
 *
 * Nothing runs before a click on Solve.
 */
async function open() {
  const { hash } = location;
  stop("");
  fail("");
  try {
    const text = hash && (await fromFragment(hash));
    if (hash && text !== texts[""]) {
      offer(SENT, text);
      choose(SENT);
      show("status", "These rules came with the link. Read them, then press Solve.");
    } else choose(texts[""] ? "" : Object.keys(texts)[1]);
  } catch (error) {
    choose("");
    fail(error.message);
  }
}

async function begin() {
  const [own, before] = kept();
  texts[""] = own ?? "";
  const examples = await (await fetch("playground/examples.json")).json();
  for (const [title, text] of Object.entries(examples)) offer(title, text);
  if (before) offer(BEFORE, before);
  await open();
  addEventListener("hashchange", open);
}

byId("solve").addEventListener("click", solve);
byId("stop").addEventListener("click", () => stop("Stopped."));
byId("prove").addEventListener("click", prove);
byId("make-report").addEventListener("click", report);
byId("save-table").addEventListener("click", () => save(run.files[1]));
byId("save-rules").addEventListener("click", () => save(run.files[0]));
byId("link").addEventListener("click", copyLink);
byId("rules").addEventListener("input", typed);
byId("rules").addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
  if (key === "Enter" && (ctrlKey || metaKey) && !byId("solve").disabled) solve();
});
byId("example").addEventListener("change", () => choose(byId("example").value));
begin();
