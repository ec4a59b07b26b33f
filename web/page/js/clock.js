// The clock of the server: what it shows between two states, and the panel that controls it.

import { run } from "./api.js";
import { byID, setText } from "./dom.js";
import { day, parseDuration, timeOfDay } from "./format.js";

let last = null; // the clock in the last state
let received = 0; // when that was, on the clock of the browser

export const serverTime = () =>
  last === null ? 0 : last.now + (last.frozen ? 0 : (performance.now() - received) * last.speed);

// takeClock takes the clock of a state.
export function takeClock(clock) {
  const first = last === null;
  last = clock;
  received = performance.now();
  const badge = byID("clock-state");
  const faster = clock.speed === 1 ? "" : ` × ${clock.speed}`;
  setText(badge, clock.frozen ? `frozen${faster}` : `running${faster}`);
  badge.dataset.tone = clock.frozen ? "accent" : clock.speed === 1 ? "good" : "warn";
  setText(byID("freeze"), clock.frozen ? "Resume" : "Freeze");
  if (first) byID("factor").value = clock.speed;
  drawClock();
}

export function drawClock() {
  if (last === null) return;
  const now = serverTime();
  setText(byID("now"), timeOfDay(now));
  byID("now").dateTime = new Date(now).toISOString();
  setText(byID("today"), day(now));
}

// setUpClock makes the controls of the panel work.
export function setUpClock() {
  const problem = byID("clock-error");
  byID("advance").addEventListener("submit", (event) => {
    event.preventDefault();
    const ms = parseDuration(byID("advance-by").value);
    if (ms === null) problem.textContent = "That is no duration: write 500ms, 30s, 5m, 1h or 1d.";
    else run(event.submitter, problem, "clock/advance", { ms });
  });
  for (const button of document.querySelectorAll(".steps button")) {
    button.addEventListener("click", () =>
      run(button, problem, "clock/advance", { ms: Number(button.dataset.ms) }),
    );
  }
  byID("freeze").addEventListener("click", () =>
    run(byID("freeze"), problem, last?.frozen ? "clock/resume" : "clock/freeze"),
  );
  byID("speed").addEventListener("submit", (event) => {
    event.preventDefault();
    const factor = Number(
      byID("factor")
        .value.trim()
        .replace(/^[x×]\s*/, "") || NaN,
    );
    if (Number.isNaN(factor)) problem.textContent = "That is no number.";
    else run(event.submitter, problem, "clock/speed", { factor });
  });
}
