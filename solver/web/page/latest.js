/** What may come late: of all that was asked under a key, only the last answer arrives. */

/** @type {Map<string, object>} */
const asked = new Map();

/**
 * Return what an action gives, unless something else is asked under its key before: then never. The
 * action gets a function that says whether it is still wanted.
 * @template T @param {string} key @param {(wanted: () => boolean) => Promise<T>} action @returns {Promise<T>}
 */
export function latest(key, action) {
  const ticket = {};
  asked.set(key, ticket);
  const wanted = () => asked.get(key) === ticket;
  return new Promise((resolve, reject) => {
    action(wanted).then(
      (value) => wanted() && resolve(value),
      (error) => wanted() && reject(error),
    );
  });
}

/** Let nothing arrive that was asked under some keys. @param {string[]} keys */
export function forget(...keys) {
  for (const key of keys) asked.delete(key);
}

const MOMENT = 300; // milliseconds that nobody notices

/** Return what a promise gives; while that takes more than a moment, call a function with the seconds
 * so far, each second.
 * @template T @param {Promise<T>} promise @param {(seconds: number) => void} tell */
export async function whileLate(promise, tell) {
  let seconds = 0;
  const first = setTimeout(() => tell(seconds), MOMENT);
  const timer = setInterval(() => tell(++seconds), 1000);
  try {
    return await promise;
  } finally {
    clearTimeout(first);
    clearInterval(timer);
  }
}

/** Wait. @param {number} milliseconds @returns {Promise<void>} */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
