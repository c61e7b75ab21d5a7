// What a user's TypeScript may say about perfectplay.js. A test type-checks this file with the packed
// package; each @ts-expect-error marks a mistake that the types must find.
import { type MoveScore, openTable, type Rules, type Table, type Value } from "perfectplay";
import { unpackTable } from "perfectplay/unpack";

const bytes: ArrayBuffer = await (await fetch("tictactoe.json")).arrayBuffer();
const table: Table = openTable(bytes);
const value: Value = table.probe("X...O....");
const plies: number | null = value.distance;
const scores: MoveScore[] = table.scores("X...O....");
const best: number | string | null = table.bestMove("X...O....");
const packed: Table = openTable(await unpackTable(bytes));
openTable('{"format": "perfectplay table"}');

const rules: Rules<number, number> = {
  key: (left) => BigInt(left),
  moves: (left) => [1, 2, 3].filter((taken) => taken <= left),
  play: (left, taken) => left - taken,
};
const counter: Table<number, number> = openTable(bytes, rules);
const taken: number | null = counter.bestMove(21);
console.log(plies, scores[0]?.trap, best, packed.game, taken);

// @ts-expect-error: a board of this game is a number
counter.probe("21");
// @ts-expect-error: a table is text, bytes or JSON
openTable(7);
// @ts-expect-error: no outcome has this name
if (value.outcome === "won") console.log(value);
// @ts-expect-error: the distance of a draw is null
value.distance.toFixed();
// @ts-expect-error: a function of the rules is missing
openTable(bytes, { key: rules.key, moves: rules.moves });
// @ts-expect-error: a promise of bytes, not bytes
openTable(unpackTable(bytes));
