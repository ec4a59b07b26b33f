// The connections.

import { byID, el, list, setText } from "./dom.js";
import { age, number } from "./format.js";

export function showClients(state) {
  const { clients, clock, stats } = state;
  list(
    byID("client-rows"),
    clients,
    (c) => c.id,
    newRow,
    (row, c) => updateRow(row, c, clock.now),
  );
  document.querySelector("table.clients").hidden = clients.length === 0;
  const more = stats.clients - clients.length;
  byID("clients-empty").hidden = clients.length > 0 && more <= 0;
  setText(byID("clients-empty"), clients.length ? `and ${number(more)} others` : "No client is connected.");
}

function newRow(c) {
  return el(
    "tr",
    {},
    el("td", { className: "number quiet", textContent: c.id }),
    el("td", {}, el("div"), el("small")),
    el("td", {}, el("div", { className: "mono" }), el("small")),
    el("td", { className: "number quiet" }),
  );
}

function updateRow(row, c, now) {
  const [, who, command, idle] = row.cells;
  setText(who.firstChild, c.name || c.addr);
  setText(who.lastChild, c.name ? c.addr : c.library);
  who.title = [c.name, c.addr, c.library].filter(Boolean).join("\n");
  setText(command.firstChild, c.command || "none yet");
  setText(command.lastChild, c.blocked ? "blocked" : "");
  setText(idle, age(now - c.active));
}
