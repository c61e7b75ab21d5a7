/**
 * Asks for what the page needs first, while its code loads: the page then fetches the same address. It
 * also hides what the page lacks.
 * It is written into the page's HTML, with what it imports.
 */

/** @import { Listing } from "./types.d.ts" */

import { isThere, PATIENCE, sayAway } from "./there.js";

{
  const isShown = () => document.querySelector("#board *");
  const fail = () => {
    const place = document.getElementById("notice");
    if (!place || isShown()) return;
    place.hidden = false;
    place.innerHTML = `<p>${sayAway()}</p><button>Try again</button>`;
    place.querySelector("button")?.addEventListener("click", () => location.reload());
    setTimeout(async () => ((await isThere()) ? location.reload() : fail()), PATIENCE);
  };
  addEventListener("error", () => setTimeout(fail, 500), true); // of a file that is not there
  setTimeout(async () => isShown() || (await isThere()) || fail(), 2 * PATIENCE);
  const carried = !location.hash && location.search; // by a link that is previewed
  if (carried) history.replaceState(null, "", `${location.pathname}#${carried.slice(1)}`);
  /** @type {{games: Listing[]}} */
  const { games } = JSON.parse(document.getElementById("data")?.textContent ?? "");
  const { game, position, turn, moves } = Object.fromEntries(
    new URLSearchParams(location.hash.slice(1)),
  );
  const usual = location.hash ? "tictactoe" : games[0].game;
  const { start, tag, whole, searched, map } =
    games.find((listing) => listing.game === (game ?? usual)) ?? {};
  const { classList } = document.documentElement; // so that nothing comes and goes
  classList.toggle("single", games.length < 2);
  classList.toggle("mapless", !map);
  const begun = moves || searched ? position : (position ?? start);
  const asked = whole ? {} : { position: begun, turn, moves };
  const what = searched ? "rules" : moves ? "record" : "explain";
  const fields = Object.entries({ ...asked, tag }).map(([key, value]) => [key, value ?? ""]);
  const query = new URLSearchParams(fields.filter(([, value]) => value));
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  link.crossOrigin = "anonymous";
  link.href = `api/v1/${encodeURIComponent(game ?? usual)}/${whole ? "whole" : what}?${query}`;
  if (tag) document.head.append(link);
}
