/** The playground: rules are written, solved in a sandbox, played, proved, saved, and sent as a link. */

import { Editor } from "./editor.js";
import { fromFragment, toFragment } from "./link.js";
import { fetchPython, makeFrame, Sandbox } from "./sandbox.js";

const SECONDS = 60;
const LONGER = 600; // if the same rules are solved again
const MOST_PAGE = 50_000_000; // characters
const [SENT, BEFORE, KEPT] = ["the rules of the link", "your rules before", "own-rules"];
const byId = (name) => document.getElementById(name);
const [HEADING, ABOUT] = ["heading", "about"].map((name) => byId(name).textContent);
const editor = new Editor(byId("rules"), byId("gutter"));
const run = { late: "", rules: "" }; // what runs, in which sandbox, and what came of it
const texts = { "": "" }; // what there is to start from; the reader's own rules have no name

/** What workers say is data of a stranger: texts and lists are checked and cut. */
const words = (value) => (typeof value === "string" ? value.slice(0, 2000) : "");
const list = (value) => (Array.isArray(value) ? value : []);

function show(name, text) {
  byId(name).textContent = text;
}

function setBusy(busy) {
  const focused = document.activeElement;
  byId("stop").hidden = !busy;
  byId("solve").disabled = busy;
  for (const name of ["prove", "make-report"]) byId(name).disabled = busy || !run.sandbox;
  clearInterval(run.timer);
  show("ticker", "");
  changed();
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
  run.sandbox = null;
  show("status", reason);
  setBusy(false);
}

/** Start the time that strangers' rules have, again for each process, and show how it passes. */
function limit() {
  const [most, began] = [run.late === run.rules ? LONGER : SECONDS, performance.now()];
  run.done = 0;
  show("status", `${run.doing.name} …`);
  clearInterval(run.timer);
  const tick = () => {
    const seconds = Math.floor((performance.now() - began) / 1000);
    show("ticker", `${run.done.toLocaleString("en")} positions · ${seconds} s`);
    if (seconds < most) return;
    run.late = run.rules;
    stop(`Stopped after ${most} seconds. Solve again to let it take ${LONGER / 60} minutes.`);
  };
  run.timer = setInterval(tick, 200);
  tick();
}

function heard({ started, done }) {
  if (!run.doing) return;
  if (started) limit();
  if (done > 0) run.done = Number(done);
}

function fail(message, line = 0) {
  show("error", message);
  byId("error").hidden = !message;
  if (line) byId("sheet").open = true;
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
    if (run.doing === doing) setBusy(false);
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
  Object.assign(run, { sandbox: null, rules: editor.text, solved: null });
  for (const name of ["player", "report", "proved", "sent"]) byId(name).replaceChildren();
  byId("unrun").hidden = true;
  return attempt("Solving", async (isWanted) => {
    run.python ??= await fetchPython((come, total) => {
      const [is, of] = [come, total].map((bytes) => (bytes / 1e6).toFixed(1));
      if (isWanted()) show("status", `Downloading Python, once: ${is} of ${of} MB`);
    });
    if (!isWanted()) return;
    show("status", "Starting Python …");
    run.sandbox = run.spare ?? new Sandbox(run.python, heard);
    run.spare = null;
    await run.sandbox.loaded;
    const solved = await run.sandbox.ask(1, { ask: "solve", rules: run.rules });
    showResult(read(solved), solved.table);
    show("status", "Solved. Getting the board ready …");
    showPage(await run.sandbox.ask(1, { ask: "page" }));
    show("status", "Solved.");
    byId("title").focus({ preventScroll: true });
    byId("result").scrollIntoView();
  });
}

function showResult(said, table) {
  for (const name of ["title", "verdict", "counts", "ends", "best", "home"])
    show(name, words(said[name]));
  const names = list(said.files).map((name) => /^\w{1,80}\.\w{1,20}$/.exec(name)?.[0] ?? "game");
  const data = table instanceof Uint8Array ? table : "";
  for (const [i, content] of [run.rules, data].entries()) {
    const href = URL.createObjectURL(new Blob([content]));
    Object.assign(byId(["save-rules", "save-table"][i]), { href, download: names[i] });
  }
  run.solved = run.rules;
  changed();
}

/** Show the page in a frame that reaches nothing, with a game to play. */
function showPage({ answer }) {
  const parts = answer.length < MOST_PAGE ? list(JSON.parse(answer)) : [];
  const [data, drawings, whole] = parts.map(String);
  if (!whole) return show("player", "The game is too large to be played here: play at home.");
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
    byId("proved").scrollIntoView();
  });
}

/** Show the report on the game: sections of a title, what was found, its meaning, and a table. */
function report() {
  return attempt("Reporting", async () => {
    limit();
    const parts = list(read(await run.sandbox.ask(1, { ask: "report" })));
    byId("report").replaceChildren(...parts.flatMap(section));
    show("status", "The report is below the board.");
    byId("report").scrollIntoView();
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

/** Send the link, as the browser does it, or else copy it; it stays in the address, too. */
async function send() {
  try {
    history.replaceState(null, "", await toFragment(editor.text));
    const url = location.href;
    const about = `link of ${url.length} characters, which carries the rules themselves`;
    show("sent", `The address of this page is now a ${about}.`);
    if (navigator.share) return await navigator.share({ title: byId("title").textContent, url });
    await navigator.clipboard.writeText(url);
    show("sent", `Copied, to paste it in a message: a ${about}.`);
  } catch (error) {
    if (error instanceof RangeError) fail(error.message);
  }
}

/** Show results as long as the editor has the rules that they are of. */
function changed() {
  byId("result").hidden = editor.text !== run.solved;
}

/** Keep what the reader types; a link or an example that they change becomes their own rules. */
function typed() {
  if (byId("example").value && texts[""]) offer(BEFORE, texts[""]);
  byId("example").value = "";
  texts[""] = editor.text;
  present(false);
  const isStale = run.solved && byId("result").hidden;
  if (!run.doing) show("status", isStale ? "The rules have changed: Solve again." : "");
  history.replaceState(null, "", location.pathname); // the link has other rules
  try {
    localStorage.setItem(KEPT, JSON.stringify([editor.text, texts[BEFORE] ?? ""]));
  } catch {} // the browser keeps nothing
}

function offer(name, text) {
  if (texts[name] === undefined) byId("example").append(new Option(name));
  texts[name] = text;
}

function choose(name) {
  byId("example").value = name;
  editor.text = texts[name];
  byId("sheet").open = name !== SENT;
  present(name === SENT);
}

/** Show what these rules are: a friend's, of whom only the title and a sentence are shown at first. */
function present(isSent) {
  const { text } = editor;
  const [, kind] = /^class (\w{1,60})\b.*Game/m.exec(text) ?? [];
  const [, title] = /^ +title *= *["'](.{1,60})["']/m.exec(text) ?? [];
  const [, saying] = /^class .*\s+"""(.{1,200}?)(?:"""|$)/m.exec(text) ?? [];
  const spaced = kind?.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  show("heading", isSent ? (title ?? spaced ?? "A game") : HEADING);
  show("about", isSent ? "A friend made up this game, and sent it to you." : ABOUT);
  show("saying", saying ?? "");
  byId("saying").hidden = !isSent || !saying;
  byId("unrun").hidden = !isSent;
  show("solve", isSent ? "Play" : "Solve");
  show("sheet-title", isSent ? `Show the rules: ${text.split("\n").length} lines` : "The rules");
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
    } else choose(texts[""] ? "" : Object.keys(texts)[1]);
  } catch (error) {
    choose("");
    fail(error.message);
  }
}

async function begin() {
  let kept = []; // what the reader typed at the last visit, and what before that
  try {
    kept = list(JSON.parse(localStorage.getItem(KEPT))).map(String);
  } catch {} // the browser keeps nothing
  texts[""] = kept[0] ?? "";
  const examples = await (await fetch("playground/examples.json")).json();
  for (const [title, text] of Object.entries(examples)) offer(title, text);
  if (kept[1]) offer(BEFORE, kept[1]);
  await open();
  addEventListener("hashchange", open);
}

const clicks = { solve, prove, send, "make-report": report, stop: () => stop("Stopped.") };
for (const [name, act] of Object.entries(clicks)) byId(name).addEventListener("click", act);
byId("rules").addEventListener("input", typed);
byId("example").addEventListener("change", () => choose(byId("example").value));
begin();
