/** Python in a sandboxed frame: its files, fetched once, and workers there that answer questions. */

let fetched; // the promise of the files

/** Return the files of Python by name; `progress` hears how many bytes have come, and of how many. */
export function fetchFiles(progress) {
  fetched ??= fetchAll(progress).catch((error) => {
    fetched = undefined; // so that the next call tries again
    throw error;
  });
  return fetched;
}

async function fetchAll(progress) {
  const list = await (await fetch("playground/files.json")).json();
  const total = list.reduce((sum, { bytes }) => sum + bytes, 0);
  let come = 0;
  progress(come, total);
  const transform = (part, output) => {
    come += part.length;
    progress(come, total);
    output.enqueue(part);
  };
  const files = list.map(async ({ name, at }) => {
    const response = await fetch(`playground/${at}`, { cache: "force-cache" });
    if (!response.ok) throw new Error(`This site lacks the file ${at}.`);
    const unpacked = response.body
      .pipeThrough(new TransformStream({ transform }))
      .pipeThrough(new DecompressionStream("gzip"));
    return [name, await new Response(unpacked).arrayBuffer()];
  });
  const script = await (await fetch("playground/worker.js")).text();
  return { script, files: Object.fromEntries(await Promise.all(files)) };
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
  constructor({ script, files }, heard) {
    Object.assign(this, { script, files, heard, waiting: new Map() });
    this.ready = new Promise((resolve) => {
      this.frame = makeFrame("sandbox", "Rules", ({ ready, id, said }) =>
        ready ? resolve() : this.hear(id, said ?? {}),
      );
    });
    this.frame.hidden = true;
    document.body.append(this.frame);
    this.loaded = this.start(1, { ask: "load" });
    this.loaded.catch(() => {}); // whoever awaits it hears of it
  }

  hear(id, said) {
    const asked = this.waiting.get(id);
    if (typeof said.answer === "string") asked?.resolve(said);
    else if (said.failed)
      asked?.reject(new Error(`Python stopped: ${`${said.failed}`.slice(0, 300)}`));
    else this.heard(said);
  }

  /** Start a worker, with its own order of sets, and ask it. */
  start(id, asked) {
    const { script, files } = this;
    return this.ask(id, { files, seed: String(id), ...asked }, script);
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
