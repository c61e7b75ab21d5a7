// The answers of perfectplay.js about boards. Reads {modules, tables, form, rules, boards} from
// standard input, where modules are the names to import openTable and unpackTable from, form is one of
// FORMS and rules is the name of one in rules.mjs or null; writes for each table a list of {probe,
// scores, best} or {error, message}, or one such error if the table does not open.
import { readFileSync } from "node:fs";

const asked = JSON.parse(readFileSync(0, "utf8"));
const rulesOf = await import("./rules.mjs");
const [{ openTable }, { unpackTable }] = await Promise.all(
  asked.modules.map((name) => import(name)),
);

const FORMS = {
  text: (path) => readFileSync(path, "utf8"),
  object: (path) => JSON.parse(readFileSync(path, "utf8")),
  buffer: (path) => readFileSync(path),
  bytes: (path) => new Uint8Array(readFileSync(path)).buffer,
  packed: (path) => unpackTable(readFileSync(path)),
  nothing: () => undefined,
};

async function attemptAll(answer) {
  try {
    return await answer();
  } catch (error) {
    return { error: error.name, message: error.message };
  }
}

function attempt(answer) {
  try {
    return answer();
  } catch (error) {
    return { error: error.name, message: error.message };
  }
}

async function answerAll(path) {
  const data = await FORMS[asked.form](path);
  const table = openTable(data, asked.rules ? rulesOf[asked.rules] : undefined);
  return asked.boards.map((board) =>
    attempt(() => ({
      probe: table.probe(board),
      scores: table.scores(board).map((s) => [s.move, s.outcome, s.distance, s.trap]),
      best: table.bestMove(board),
    })),
  );
}

const answers = await Promise.all(asked.tables.map((path) => attemptAll(() => answerAll(path))));
process.stdout.write(JSON.stringify(answers));
