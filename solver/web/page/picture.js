/** The picture of a position that a server draws. */

/** @import { Session } from "./session.js" */

import { make } from "./dom.js";
import { recordOf } from "./session.js";

/** Download the server's picture of a position.
 * @param {Session} session @param {boolean} values whether they are shown @param {string} format */
export async function savePicture({ plies, at, engine }, values, format) {
  const { position, turn } = plies[0].known;
  const moves = recordOf(plies.slice(0, at + 1));
  const asked = { position, turn, moves, values: values ? 1 : 0, format };
  const picture = await engine.picture(asked);
  if (!picture) return;
  const name = engine.listing.game.replace(/\W+/g, "-");
  make("a", {
    href: URL.createObjectURL(picture),
    download: `${name}.${format}`,
  }).click();
}
