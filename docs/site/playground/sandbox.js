/** Python in a sandboxed frame: its files, fetched once, and workers there that answer questions. */

const KEPT = "python"; // the cache of this browser with Python as it was when it had started

/** Return {script, files, key, snapshot} of Python; `progress` hears of bytes that have come, of how many. */
export async function fetchPython(progress) {
  const list = await (await fetch("playground/files.json")).json();
  const total = list.reduce((sum, { bytes }) => sum + bytes, 0);
  let come = 0;
  progress(come, total);
  const transform = (part, output) => {
    come += part.length;
    progress(come, total);
    output.enqueue(part);
  };
  const load = async ({ name, at }) => {
    const response = await fetch(`playground/${at}`, { cache: "force-cache" });
    if (!response.ok) throw new Error(`This site lacks the file ${at}.`);
    const unpacked = response.body
      .pipeThrough(new TransformStream({ transform }))
      .pipeThrough(new DecompressionStream("gzip"));
    return [name, await new Response(unpacked).arrayBuffer()];
  };
  const key = `playground/${list.map(({ at }) => at.split(".").at(-2)).join("-")}`;
  const snapshot = await kept(key);
  const script = await (await fetch("playground/worker.js")).text();
  return { script, files: Object.fromEntries(await Promise.all(list.map(load))), key, snapshot };
}

/** Return what the browser has kept under a key, or nothing. */
async function kept(key) {
  try {
    const response = await (await caches.open(KEPT)).match(key);
    return await response?.arrayBuffer();
  } catch {} // it keeps nothing
}

/** Keep a snapshot of Python for the next visit, in place of others; or none. */
async function keep(python, snapshot) {
  python.snapshot = snapshot;
  try {
    await caches.delete(KEPT);
    if (snapshot) await (await caches.open(KEPT)).put(python.key, new Response(snapshot));
  } catch {} // the browser keeps nothing
}

/** Return a new frame that reaches nothing, and call `hear` with what it says. */
export function makeFrame(name, title, hear) {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.src = `playground/${name}.html`;
  frame.title = title;
  addEventListener("message", function listen({ source, data }) {
    if (source && source === frame.contentWindow) hear(data ?? {});
    else if (frame.closed) removeEventListener("message", listen);
  });
  return frame;
}

/** The workers in a frame, which run rules of a stranger; who asks them checks what they say. */
export class Sandbox {
  /** `heard` gets what workers say on their way to an answer: {started} or {done}. */
  constructor(python, heard) {
    Object.assign(this, { python, heard, waiting: new Map() });
    this.ready = new Promise((resolve) => {
      this.frame = makeFrame("sandbox", "Rules", ({ ready, id, said }) =>
        ready ? resolve() : this.hear(id, said ?? {}),
      );
    });
    this.frame.hidden = true;
    document.body.append(this.frame);
    this.loaded = this.load();
    this.loaded.catch(() => {}); // whoever awaits it hears of it
  }

  /** Start the first worker, and keep what it is before it has seen any rules. */
  async load() {
    const { snapshot } = this.python;
    const loaded = this.start(1, { ask: "load" }, snapshot);
    loaded.catch((error) => error && keep(this.python)); // what was kept may be damaged
    const { table } = await loaded;
    if (table) keep(this.python, table.buffer);
  }

  hear(id, said) {
    const asked = this.waiting.get(id);
    if (typeof said.answer === "string") asked?.resolve(said);
    else if (said.failed)
      asked?.reject(new Error(`Python stopped: ${`${said.failed}`.slice(0, 300)}`));
    else this.heard(said);
  }

  /** Start a worker, with its own order of sets or from a snapshot, and ask it. */
  start(id, asked, snapshot) {
    const { script, files } = this.python;
    return this.ask(id, { files: { ...files, snapshot }, seed: String(id), ...asked }, script);
  }

  /** Ask a worker; return {answer, table}, of which nothing is checked but that `answer` is text. */
  async ask(id, asked, script) {
    await this.ready;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.frame.contentWindow.postMessage({ id, script, asked }, "*");
    });
  }

  /** End all workers at once. */
  close() {
    this.frame.remove();
    this.frame.closed = true;
    for (const { reject } of this.waiting.values()) reject(null);
  }
}
