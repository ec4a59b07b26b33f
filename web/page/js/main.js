// The page: it takes what the server sends, and makes all parts show it.

import { run } from "./api.js";
import { showClients } from "./clients.js";
import { drawClock, setUpClock, takeClock } from "./clock.js";
import { showDeadlocks } from "./deadlocks.js";
import { byID, setText } from "./dom.js";
import { showEvents } from "./events.js";
import { setUpFaults, showFaults } from "./faults.js";
import { showFigures, showLost } from "./figures.js";
import { addEvents, lostCount, replaceEvents, takeWaiters } from "./history.js";
import { drawLeases, showLocks } from "./locks.js";
import { open } from "./stream.js";
import { setUpTimeline, showTimeline } from "./timeline.js";

const redraw = 100; // ms: between two drawings of the clock and the leases
const historyCount = 10000; // events, as LOCK.TRACK ON keeps

let state = null;
let pattern = "";
let selected = null; // the key of the lock whose events are shown; null for all
let selectedName = "";

function select(key, name) {
  const same = key === selected;
  selected = same ? null : key;
  selectedName = same ? "" : name;
  showHistory();
}

function showHistory() {
  if (state === null) return;
  showTimeline(state, selected, select);
  showEvents(state.history, selected, selectedName);
  showLost(lostCount(), state.history);
}

function takeState(next) {
  state = next;
  takeClock(state.clock);
  takeWaiters(state);
  setText(byID("address"), state.server.addr);
  document.title = `${state.server.addr} · minilockd`;
  showFigures(state);
  showDeadlocks(state);
  showLocks(state, pattern, select);
  showFaults(state);
  showClients(state);
  showHistory();
}

setUpClock();
setUpFaults();
setUpTimeline(showHistory);
const setPattern = open({ state: takeState, history: replaceEvents, events: addEvents });

byID("events-all").addEventListener("click", () => select(selected));
byID("history-on").addEventListener("click", (event) =>
  run(event.target, byID("clock-error"), "history", { count: historyCount }),
);
byID("filter").addEventListener("input", (event) => {
  const text = event.target.value.trim();
  pattern = text === "" || /[*?[\\]/.test(text) ? text : `*${text}*`;
  setPattern(pattern);
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, select")) return;
  event.preventDefault();
  byID("filter").focus();
});
setInterval(() => {
  if (document.hidden) return;
  drawClock();
  drawLeases();
}, redraw);
