/** Whether the server is there, and what to say if it is not. It is in the page's HTML, too. */

export const PATIENCE = 3000; // milliseconds after which it is asked whether the server is there

/** Return whether the server answers. */
export async function isThere() {
  const signal = AbortSignal.timeout(2 * PATIENCE);
  const asked = fetch("healthz", { cache: "no-store", signal }).then((answer) => answer.text());
  return asked.then(
    () => true,
    () => false,
  );
}

/** Return what has happened where nobody answers, and what to do. */
export const sayAway = () =>
  navigator.onLine
    ? "This site does not answer at the moment. Try again a little later."
    : "You are offline. Try again when you are connected.";
