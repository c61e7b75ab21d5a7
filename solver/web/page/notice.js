/** The notice above the page's content: what went wrong, and a button to try again. */

import { byId, capital, make } from "./dom.js";

/** Show a message; with `again`, a function, also a button that calls it. */
export function showNotice(text, again = null) {
  const place = byId("notice");
  const retry = () => {
    hideNotice();
    again();
  };
  place.replaceChildren(
    make("p", {}, capital(text)),
    again
      ? make(
          "button",
          { type: "button", id: "retry", class: "strong", onclick: retry },
          "Try again",
        )
      : "",
    make("button", { type: "button", id: "dismiss", class: "plain", onclick: hideNotice }, "Close"),
  );
  place.hidden = false;
}

/** Show an error of an engine, with a button to try again if that may help. */
export function showError(error, again) {
  showNotice(error.message, error.again ? again : null);
}

export function hideNotice() {
  byId("notice").hidden = true;
  byId("notice").replaceChildren();
}
