/** Python in a worker of sandbox.html: the rules of a game, solved by solver/web/playground.py. */

let python;
let game;
let told = 0;

/** Report how many positions are done, ten times a second at most. */
function report(done) {
  if (performance.now() < told + 100) return;
  told = performance.now();
  postMessage({ done });
}

/** Load Python from files, which take the place of a network; a snapshot of it starts faster. */
async function load({ files, seed, ask }) {
  const isKept = ask === "load" && !files.snapshot;
  self.fetch = async (address) => {
    const name = `${address.url ?? address}`.split("/").pop();
    const type = name.endsWith("wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(files[name], { headers: { "content-type": type } });
  };
  const load = (name) =>
    import(URL.createObjectURL(new Blob([files[name]], { type: "text/javascript" })));
  python = await (await load("pyodide.mjs")).loadPyodide({
    indexURL: "https://files.invalid/",
    packageBaseUrl: "https://files.invalid/",
    createPyodideModule: (await load("pyodide.asm.mjs")).default,
    lockFileContents: new TextDecoder().decode(files["pyodide-lock.json"]),
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: seed },
    stdout: () => {},
    stderr: () => {},
    _makeSnapshot: isKept,
    _loadSnapshot: files.snapshot,
  });
  python.unpackArchive(files["solver.zip"], "zip");
  python.pyimport("solver.web.playground");
  return isKept ? python.makeMemorySnapshot() : undefined;
}

const ASKED = {
  load: () => "null",
  solve: () => game.solve(report),
  report: () => game.report(),
  page: () => game.page(),
  expand: ({ step }) => game.expand(step),
  prove: ({ others }) => game.prove(report, python.toPy(others)),
};

self.onmessage = async ({ data }) => {
  try {
    const snapshot = data.files && (await load(data));
    if (data.rules !== undefined) {
      postMessage({ started: true });
      game = python.pyimport("solver.web.playground").Playground(data.rules);
    }
    const answer = ASKED[data.ask](data);
    const path = JSON.parse(answer)?.path;
    postMessage({ answer, table: path ? python.FS.readFile(path) : snapshot });
  } catch (error) {
    postMessage({ failed: `${error}` });
  }
};
