/** What the page remembers in the browser: the opponent, switches, and how games and puzzles went. */

const PREFIX = "perfectplay.";

/** Return what was remembered under a key; the fallback if there is nothing that can be read.
 * @template T @param {string} key @param {T} fallback @returns {T} */
export function recall(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null") ?? fallback;
  } catch {
    return fallback; // storage is blocked, or holds what another page wrote
  }
}

/** Remember a value, unless storage is blocked or full: the page works without.
 * @param {string} key @param {unknown} value */
export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // nothing is lost but the memory
  }
}

/** @param {string} key @returns {Record<string, number[] | undefined>} */
const allCounts = (key) => recall(key, {});

/** Return the counts of a game; undefined if there are none. @param {string} key @param {string} game */
export const countsOf = (key, game) => allCounts(key)[game];

/** Add one to an entry of a list of counts for each game, and return the game's counts.
 * @param {string} key @param {string} game @param {number} place @param {number} size */
export function count(key, game, place, size) {
  const all = allCounts(key);
  const counts = Array.from({ length: size }, (_, n) => all[game]?.[n] ?? 0);
  counts[place] += 1;
  remember(key, { ...all, [game]: counts });
  return counts;
}
