// The connection to the server, by which it sends its state and the events of locks.

import { reason } from "./api.js";
import { byID, setText } from "./dom.js";

const retryAfter = 2000; // ms

// open connects and stays connected. Handlers are called with "state", "history" and "events". It returns a function
// that changes the pattern of the locks in the state.
export function open(handlers) {
  let source,
    retry,
    pattern = "";

  function connect() {
    clearTimeout(retry);
    source?.close();
    source = new EventSource(`api/events?pattern=${encodeURIComponent(pattern)}`);
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (message) => {
        show("live", "Live");
        handle(JSON.parse(message.data));
      });
    }
    source.addEventListener("error", () => {
      source.close();
      retry = setTimeout(connect, retryAfter);
      explain();
    });
  }

  connect();
  return (next) => {
    if (next === pattern) return;
    pattern = next;
    connect();
  };
}

// explain shows why there is no connection.
async function explain() {
  show("gone", "The server does not answer");
  try {
    const response = await fetch("api/state");
    if (!response.ok) show("gone", await reason(response));
  } catch {
    // it does not answer, which is shown already
  }
}

function show(state, text) {
  const node = byID("connection");
  node.dataset.state = state;
  setText(node, text);
}
