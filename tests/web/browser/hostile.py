"""Rules that run JavaScript, which tries everything and answers for them what it has reached."""

from solver import Game, Outcome

TRIES = """
const answer = self.postMessage.bind(self);
self.postMessage = () => {};
delete self.fetch; // the page's substitute
const site = "ORIGIN/secret";
const opened = (thing, event) =>
  new Promise((yes, no) => {
    thing[event] = (heard) => (heard?.data === 0 ? no(Error("refused")) : yes());
    thing.onerror = (failed) => (failed.preventDefault(), no(Error("error")));
  });
const script = (text) => URL.createObjectURL(new Blob([text]));
const inside = (text) => opened(new Worker(script(text)), "onmessage");
const request = (asked) => {
  asked.open("GET", site);
  asked.send();
  return opened(asked, "onload");
};
const tries = {
  fetch: () => fetch(site),
  xhr: () => request(new XMLHttpRequest()),
  socket: () => opened(new WebSocket(site.replace("http", "ws")), "onopen"),
  events: () => opened(new EventSource(site), "onopen"),
  import: () => import(site),
  importScripts: () => importScripts(site),
  worker: () => opened(new Worker(site), "onmessage"),
  nested: () => inside(`fetch("${site}").then(() => postMessage(1), () => postMessage(0))`),
  deeper: () => inside(`importScripts("${site}"); postMessage(1)`),
  shared: () => opened(new SharedWorker(site), "onload"),
  beacon: () => { if (!navigator.sendBeacon(site)) throw Error("refused"); },
  database: () => opened(indexedDB.open("x"), "onsuccess"),
  caches: () => caches.open("x"),
  files: () => navigator.storage.getDirectory(),
  storage: () => localStorage.length,
  eval: () => eval("1 + 1"),
  function: () => Function("return 1")(),
  parent: () => parent.document.title,
  top: () => top.document.title,
  frames: () => document.title,
};
(async () => {
  const said = [];
  for (const [name, attempt] of Object.entries(tries)) {
    const late = new Promise((_, no) => setTimeout(() => no(Error("late")), 3000));
    const tried = (async () => attempt())();
    said.push(await Promise.race([tried, late]).then(() => `REACHED ${name}`, () => `no ${name}`));
  }
  answer({ answer: JSON.stringify({ error: said.join(", "), line: "<b>" }), table: {} });
})();
"""


class Hostile(Game[int, int]):
    def initial(self) -> int:
        js = __import__("js")
        text = __import__("pyodide").ffi.to_js([TRIES])
        js.importScripts(js.URL.createObjectURL(js.Blob.new(text)))
        return 0

    def moves(self, p: int) -> list[int]:
        return []

    def play(self, p: int, m: int) -> int:
        return 0

    def primitive(self, p: int) -> Outcome:
        return Outcome.LOSS
