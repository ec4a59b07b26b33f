// The figures at the top.

import { byID, setText } from "./dom.js";
import { number } from "./format.js";

const kept = 120; // rates in the line
const rates = [];

export function showFigures(state) {
  const { stats, totals } = state;
  setText(byID("client-count"), number(stats.clients));
  setText(byID("blocked-count"), stats.blocked ? `${number(stats.blocked)} blocked` : "");
  setText(byID("key-count"), number(stats.keys));
  setText(byID("held-count"), number(totals.held));
  setText(byID("waiter-count"), number(totals.waiters));
  if (stats.commandsPerSecond === null) return;
  setText(byID("rate"), number(Math.round(stats.commandsPerSecond)));
  rates.push(stats.commandsPerSecond);
  if (rates.length > kept) rates.shift();
  drawRates();
}

export function showLost(count, history) {
  setText(byID("lost-count"), history ? number(count) : "–");
  byID("lost-figure").classList.toggle("some", count > 0);
  byID("lost-figure").title = history
    ? "Leases that have ended while the client was connected"
    : "The lock history is off";
}

// drawRates draws the rates of the last minute, the newest at the right.
function drawRates() {
  const most = Math.max(10, ...rates);
  const points = rates.map((rate, i) => `${120 - (rates.length - 1 - i)},${(26 - (24 * rate) / most).toFixed(1)}`);
  const line = `M${points.join("L")}`;
  document.querySelector("#rate-line .line").setAttribute("d", line);
  document.querySelector("#rate-line .area").setAttribute("d", `${line}V28H${121 - rates.length}Z`);
}
