// What a user's TypeScript may say about perfectplay.js. A test type-checks this file with the packed
// package; each @ts-expect-error marks a mistake that the types must find.
import { type MoveScore, openTable, type Table, type Value } from "perfectplay";

const bytes: ArrayBuffer = await (await fetch("tictactoe.json")).arrayBuffer();
const table: Table = openTable(bytes);
const value: Value = table.probe("X...O....");
const plies: number | null = value.distance;
const scores: MoveScore[] = table.scores("X...O....");
const best: number | string | null = table.bestMove("X...O....");
const whole: Table = openTable({ game: "nim", nodes: [] });
openTable('{"format": "perfectplay table"}');
console.log(plies, scores[0]?.trap, best, whole.game);

// @ts-expect-error: a board is a text
table.probe(21);
// @ts-expect-error: a table is text, bytes or JSON
openTable(7);
// @ts-expect-error: no outcome has this name
if (value.outcome === "won") console.log(value);
// @ts-expect-error: the distance of a draw is null
value.distance.toFixed();
