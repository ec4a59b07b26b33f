// The last events, of all locks or of the one that is selected.

import { byID, el, list, setText } from "./dom.js";
import { connection, connectionTitle, duration, lockKey, owner, timeOfDay } from "./format.js";
import { events } from "./history.js";

const mostRows = 25;
const tones = { taken: "good", lapsed: "bad", forced: "warn" };

export function showEvents(history, selected, selectedName) {
  const shown = [];
  for (let i = events.length - 1; i >= 0 && shown.length < mostRows; i--) {
    if (selected === null || lockKey(events[i]) === selected) shown.push(events[i]);
  }
  list(byID("event-rows"), shown, (event) => event.number, newRow);
  document.querySelector("table.events").hidden = shown.length === 0;
  byID("events-empty").hidden = shown.length > 0 || !history;
  byID("history-off").hidden = history;
  setText(byID("events-of"), selected === null ? "" : `of ${selectedName}`);
  byID("events-all").hidden = selected === null;
}

function newRow(event) {
  const what = event.lost ? "lapsed, lost" : event.event;
  return el(
    "tr",
    { data: { event: event.event, lock: event.lock } },
    el("td", {}, el("div", { className: "mono", textContent: timeOfDay(event.time) })),
    el(
      "td",
      {},
      el("span", {
        className: "badge",
        data: { tone: tones[event.event] ?? "" },
        title: detail(event),
        textContent: what,
      }),
    ),
    cell(event.lock, event.lock),
    cell(
      (event.owner ? owner(event.owner) : "") + (event.holds > 1 ? ` × ${event.holds}` : ""),
      event.owner ?? "",
      "mono",
    ),
    cell(connection(event), connectionTitle(event)),
  );
}

const cell = (text, title, className = "") => el("td", {}, el("div", { className, title, textContent: text }));

// detail says more of an event: what is left after it.
function detail(event) {
  if (event.lost)
    return "The lease has ended while the client was connected: it may believe that it holds the lock.";
  if (event.lease > 0) return `lease of ${duration(event.lease)}`;
  return event.lease < 0 ? "lease without an end" : "";
}
