// The answers of the page about a small game, without a server. Reads {whole, seats, asked, puzzles}
// from standard input, where asked are pairs of a text and a seat, and writes one JSON value.
import { readFileSync } from "node:fs";
import { WholeGame } from "../../../solver/web/npm/perfectplay.js";

const { whole, seats, asked, puzzles } = JSON.parse(readFileSync(0, "utf8"));
const game = new WholeGame(whole, seats);
const answers = puzzles
  ? game.puzzles(...puzzles)
  : asked.map(([text, seat]) => game.explain(text, seat));
process.stdout.write(JSON.stringify(answers));
