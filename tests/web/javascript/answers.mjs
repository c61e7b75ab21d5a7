// The answers of perfectplay.js about boards. Reads {module, tables, form, boards} from standard input,
// where module is the name to import openTable from and form is one of FORMS; writes for each table a
// list of {probe, scores, best} or {error, message}, or one such error if the table does not open.
import { readFileSync } from "node:fs";

const asked = JSON.parse(readFileSync(0, "utf8"));
const { openTable } = await import(asked.module);

const FORMS = {
  text: (path) => readFileSync(path, "utf8"),
  object: (path) => JSON.parse(readFileSync(path, "utf8")),
  buffer: (path) => readFileSync(path),
  bytes: (path) => new Uint8Array(readFileSync(path)).buffer,
};

function attempt(answer) {
  try {
    return answer();
  } catch (error) {
    return { error: error.name, message: error.message };
  }
}

function answerAll(path) {
  const table = openTable(FORMS[asked.form](path));
  return asked.boards.map((board) =>
    attempt(() => ({
      probe: table.probe(board),
      scores: table.scores(board).map((s) => [s.move, s.outcome, s.distance, s.trap]),
      best: table.bestMove(board),
    })),
  );
}

const answers = asked.tables.map((path) => attempt(() => answerAll(path)));
process.stdout.write(JSON.stringify(answers));
