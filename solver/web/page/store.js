/** What the page remembers in the browser: the opponent, switches, and how games and puzzles went. */

const PREFIX = "perfectplay.";

/** Return what was remembered under a key; the fallback if there is nothing that can be read. */
export function recall(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key)) ?? fallback;
  } catch {
    return fallback; // storage is blocked, or holds what another page wrote
  }
}

/** Remember a value, unless storage is blocked or full: the page works without. */
export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // nothing is lost but the memory
  }
}

/** Add one to an entry of a list of counts for each game, and return the game's counts. */
export function count(key, game, place, size) {
  const all = recall(key, {});
  const counts = all[game] ?? Array(size).fill(0);
  counts[place] += 1;
  remember(key, { ...all, [game]: counts });
  return counts;
}
