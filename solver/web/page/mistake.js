/** A mistake, wherever it is shown: the user's own move, the better one on request, and another try. */

/** @import { Move, Shown } from "./types.d.ts" */

import { drawSmall } from "./boardart.js";
import { byId, make, makeButton, present, refill, sure } from "./dom.js";
import { dispatch } from "./drive.js";
import { listBarsOf, listMistakes, mistakeIn } from "./plies.js";
import { HUMAN, rivalOf } from "./seats.js";
import { worth } from "./words.js";

/** @typedef {ReturnType<typeof listMistakes>[number]} Mistake */

/** Return the mistakes of a game, of the user's side if there is one. @param {Shown} shown */
export const mistakesOf = ({ main, tries, human, listing }) =>
  listMistakes(main, tries, human, listing.seats);

/** Return a mistake as a card: on the lesson's, without its text, and with a button to close it.
 * @param {Shown} shown @param {Mistake} mistake @param {HTMLElement} [close] */
function drawMistake(shown, mistake, close) {
  const { main, told, human } = shown;
  const { n, text, label, turn, answer, solved, title } = mistake;
  const [best] = main[n - 1].known.moves;
  const known = solved || told.includes(n);
  const who = human !== null && main[n].by === HUMAN ? "You" : turn;
  const pictures = [
    drawFigure(shown, n, sure(main[n].played), "wrong", `${who} played ${label}`),
    known ? drawFigure(shown, n, best, "win", `Better: ${best.label}`) : null,
  ];
  /** @param {string} name @param {"asked" | "told"} type @param {string} look */
  const button = (name, type, look) =>
    makeButton(name, {
      class: look,
      "data-card": `${type} ${n}`,
      "aria-label": `${name}: ${title}`,
      onclick: () => {
        dispatch({ type, of: "game", n });
        if (type === "asked") byId("status").scrollIntoView({ block: "nearest" }); // and so the board
      },
    });
  const again = button("Try again", "asked", close ? "strong" : "");
  const view = known ? null : button("Solution", "told", "plain");
  return [
    close ? make("h2", {}, `Move ${n} lost the game.`) : make("h3", {}, solved ? "✓ " : "", title),
    make("div", { class: "pair" }, pictures),
    close ? null : make("p", {}, known ? `${text} ${answer}` : text),
    make("div", { class: "keys" }, again, view, close),
  ];
}

/** Return a picture of a move, the n-th of a game or another one.
 * @param {Shown} shown @param {number} n @param {Move} move @param {string} role @param {string} caption */
function drawFigure({ main, listing }, n, move, role, caption) {
  const { marks, cell } = move;
  const ring = cell === null ? undefined : { cell, role };
  const bars = listBarsOf([...main.slice(0, n), { known: move }]);
  const picture = listing.style ? drawSmall(listing, marks ?? "", { ring, bars }) : null;
  return make("figure", {}, picture, make("figcaption", {}, caption));
}

/** Show the move that lost a game, or while a better one is looked for, how that goes; then return it.
 * @param {Shown} shown @param {Mistake[]} mistakes @param {() => void} swap */
export function showLesson(shown, mistakes, swap) {
  const { trying, mood, main, plies, human, closed, listing, over } = shown;
  const lost = over && human !== null && main.at(-1)?.known.winner === listing.seats[1 - human];
  const decisive =
    lost && plies === main ? mistakes.findLast((mistake) => mistake.lost) : undefined;
  const judged = main.every(({ known }) => known.outcome);
  const hopeless = mood === "lost" && lost && judged && !mistakes.length;
  const comment = trying ? answerTo(shown) : "";
  const close = makeButton("Close", {
    class: "plain",
    onclick: () => dispatch({ type: "closed", of: "game" }),
  });
  /** @type {HTMLElement[]} */
  let content = [];
  if (comment) content = [make("h2", {}, comment), make("div", { class: "keys" }, close)];
  else if (decisive && !closed) content = present(drawMistake(shown, decisive, close));
  else if (hopeless && !closed)
    content = [
      make("h2", {}, `You made no mistake: ${listing.seats[human ?? 0]} always loses from there.`),
      make(
        "div",
        { class: "keys" },
        makeButton("Swap sides", { class: "strong", onclick: swap }),
        close,
      ),
    ];
  byId("lesson").hidden = !content.length;
  refill(byId("lesson"), content, "button");
  return { comment, decisive: closed ? undefined : decisive };
}

/** Show the mistakes of a game as cards. @param {Shown} shown @param {Mistake[]} mistakes */
export function showMistakes(shown, mistakes) {
  const focused = document.activeElement?.getAttribute("data-card");
  const cards = mistakes.map((mistake) =>
    make("li", { class: mistake.solved ? "solved" : null }, ...drawMistake(shown, mistake)),
  );
  refill(byId("mistakes"), cards, `[data-card="${focused}"]`);
}

/** Return what there is to say while a better move is looked for. @param {Shown} shown */
function answerTo({ trying: n, main, plies, at, refused, asks, listing }) {
  const label = main[n].played?.label;
  if (asks && refused)
    return `${refutation(refused.move, rivalOf(listing, main[n - 1].known.turn))} Try again.`;
  if (asks) return `Find a better move than ${label}.`;
  const played = plies[n]?.played;
  const tried = plies !== main && plies[n - 1] === main[n - 1] && at >= n && played;
  if (!tried || !played.outcome || mistakeIn(plies, n)) return "";
  return `Right: ${played.label}, ${worth(played)}.`;
}

/** Return why a move is wrong, in a few words. @param {Move} move @param {string} rival of its side */
export const refutation = ({ label, outcome }, rival) =>
  `${label}: ${outcome === "draw" ? "only a draw" : `${rival} wins`} there.`;
