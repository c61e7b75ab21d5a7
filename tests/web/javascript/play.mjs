// The moves of perfectplay.js. Reads {module, table, boards, level, random} from standard input, where
// level and random may be missing; writes for each board {best, chances, drawn} or {error, message}.
import { readFileSync } from "node:fs";

const { module, table: path, boards, level, random } = JSON.parse(readFileSync(0, "utf8"));
const { openTable } = await import(module);
const table = openTable(readFileSync(path));

function answer(board) {
  try {
    const best = table.bestMove(board);
    if (level === undefined) return { best };
    const chances = table.chances(board, level).map((c) => [c.move, c.probability]);
    const drawn = random?.map((n) =>
      table.level(board, level, typeof n === "number" ? () => n : n),
    );
    return { best, chances, drawn };
  } catch (error) {
    return { error: error.name, message: error.message };
  }
}

process.stdout.write(JSON.stringify(boards.map(answer)));
