/** Runs Python in WebAssembly: {folders, hashSeed, code} from the standard input; prints `answer`. */
import { readFileSync } from "node:fs";
import { loadPyodide } from "../node_modules/pyodide/pyodide.mjs";

const { folders, hashSeed, code } = JSON.parse(readFileSync(0, "utf8"));
const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONHASHSEED: hashSeed } });
python.setStdout({ batched: (line) => console.error(line) });
for (const [place, root] of Object.entries(folders)) {
  python.FS.mkdir(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
python.runPython("import sys; sys.path.insert(0, '/package')");
try {
  python.runPython(code);
  console.log(python.runPython("import json; json.dumps(answer)"));
} catch (error) {
  console.error(error.message); // without the line of the module that raised it, which is long
  process.exitCode = 1;
}
