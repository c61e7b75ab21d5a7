// Random events of games of a small game. Reads {whole, seats, start, count} from standard input, and
// writes for each sequence its facts, as the driver of the events saw them, and what the page would say.
import { readFileSync } from "node:fs";
import { WholeGame } from "../../../solver/web/npm/perfectplay.js";
import { act, EMPTY, keep, stepBack, view } from "../../../solver/web/page/store.js";

const { whole, seats, start, count } = JSON.parse(readFileSync(0, "utf8"));
const game = new WholeGame(whole, seats);
const levels = { easy: 0.3, medium: 0.7, hard: 0.9 };
const listing = { game: "tictactoe", title: "Tic-tac-toe", seats, start, levels, outcome: "draw" };
const RIVALS = ["level:easy", "level:hard", "perfect", "human"];
let drawn = 4711;
const draw = (n) => {
  drawn = (drawn * 48271) % 2147483647;
  return drawn % n;
};
const seat = () => (draw(2) ? ["human", RIVALS[draw(4)]] : [RIVALS[draw(4)], "human"]);

/** Open some plies, as a link, a new game or a reload does. */
function opened(known, players, values, id, kept) {
  const plies = known.map((one, n) => ({
    known: one,
    played: known[n - 1]?.moves.find(({ position }) => position === one.position) ?? null,
    by: null,
  }));
  const at = plies.length - 1;
  return { type: "opened", listing, plies, at, players, held: false, values, id, kept };
}

const stories = [];
for (let n = 0; n < count; n += 1) {
  let state = EMPTY;
  let facts = {};
  let id = 0;
  const begin = (event, own) => {
    facts = { hints: event.values, link: !own, seats: 0, undone: false, rivals: [], met: [] };
    state = act(state, event);
  };
  begin(opened([game.explain(start)], seat(), false, `${n} ${id}`), true);
  for (let step = 0; step < 60; step += 1) {
    const shown = view(state.game);
    const { known, plies, players, side, result } = shown;
    const over = state.game.over;
    const what = draw(40);
    if (what === 0) {
      const next = seat();
      if (!over && shown.main.length > 1) facts.seats += 1;
      state = act(state, { type: "seated", of: "game", players: next });
    } else if (what === 1) {
      state = act(state, { type: "hinted", of: "game", shown: draw(2) === 0 });
    } else if (what === 2) {
      const to = stepBack(state.game);
      if (to !== null) {
        if (!over) facts.undone = true;
        state = act(state, { type: "went", of: "game", at: to });
      }
    } else if (what === 3) {
      const kept = draw(3) ? keep(state.game) : null; // a reload, or a link
      const line = kept ? shown.main : plies;
      const event = opened(
        line.map((ply) => ply.known),
        players,
        state.game.values,
        `r${n}`,
        kept,
      );
      if (kept) state = act(state, event);
      else begin(event, line.length === 1);
    } else if (what === 4 && (result || draw(3) === 0)) {
      id += 1;
      begin(opened([game.explain(start)], players, false, `${n} ${id}`), true);
    } else if (known.moves.length && !result) {
      const move = known.moves[draw(known.moves.length)];
      if (players[side] !== "human") facts.met.push(players[side]);
      if (players[side] !== "human" && !over) facts.rivals.push(players[side]);
      state = act(state, { type: "played", of: "game", move, known: game.after(known, move) });
    }
    const now = view(state.game);
    if (state.game.values && !over && !now.result) facts.hints = true;
    if (now.result) facts.first ??= now.record;
    if (now.result)
      stories.push([
        facts.hints,
        facts.link,
        facts.seats,
        facts.undone,
        [...new Set(facts.rivals)],
        [...facts.met],
        now.counts,
        now.own,
        now.rivals,
        now.why,
        facts.first !== now.record,
      ]);
  }
}
process.stdout.write(JSON.stringify(stories));
