// The puzzles of a year of a small game. Reads {whole, seats} from standard input, and writes for
// each day the position, the difficulty, the plies to the end and the moves to find.
import { readFileSync } from "node:fs";
import { WholeGame } from "../../../solver/web/npm/perfectplay.js";
import { defend, puzzleOfDay } from "../../../solver/web/page/daily.js";
import { DEEPEST } from "../../../solver/web/page/store.js";

const { whole, seats } = JSON.parse(readFileSync(0, "utf8"));
const game = new WholeGame(whole, seats);
const engine = {
  listing: { seats },
  explain: async (text, seat) => game.explain(text, seat),
  valued: async (known) => known,
  daily: async (day) => game.daily(day),
};
const days = [];
for (let day = 1; day <= 365; day += 1) {
  const { position, turn, difficulty } = await puzzleOfDay(engine, day);
  let known = game.explain(position, turn);
  const { distance } = known;
  let moves = 0;
  while (known && moves < DEEPEST) {
    moves += 1;
    known = (await defend(engine, known, known.moves[0])).next;
  }
  days.push([position, difficulty, distance, moves]);
}
process.stdout.write(JSON.stringify(days));
