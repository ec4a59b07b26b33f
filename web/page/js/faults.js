// The rules by which calls go wrong.

import { run } from "./api.js";
import { byID, el, list, setText } from "./dom.js";
import { number } from "./format.js";

export function showFaults(state) {
  list(byID("fault-rows"), state.faults, (rule) => rule.id, newRow, updateRow);
  const none = state.faults.length === 0;
  document.querySelector("table.faults").hidden = none;
  byID("faults-empty").hidden = !none;
  byID("clear-faults").hidden = state.faults.length < 2;
  setText(byID("fault-syntax"), state.server.faultSyntax);
}

function newRow(rule) {
  const remove = el("button", { type: "button", textContent: "Remove", "aria-label": `Remove rule ${rule.id}` });
  remove.addEventListener("click", () => run(remove, byID("fault-error"), "faults/remove", { id: rule.id }));
  return el(
    "tr",
    { data: { rule: rule.id } },
    el("td", { className: "mono", textContent: rule.rule }),
    el("td", { className: "number" }),
    el("td", { className: "number" }),
    el("td", { className: "number" }, remove),
  );
}

function updateRow(row, rule) {
  const [, fit, hits] = row.cells;
  setText(fit, number(rule.matches));
  setText(hits, number(rule.hits));
  hits.classList.toggle("hit", rule.hits > 0);
}

export function setUpFaults() {
  const problem = byID("fault-error");
  byID("add-fault").addEventListener("submit", async (event) => {
    event.preventDefault();
    const input = byID("rule");
    if (await run(event.submitter, problem, "faults/add", { rule: input.value })) input.value = "";
    else input.focus();
  });
  byID("clear-faults").addEventListener("click", () => run(byID("clear-faults"), problem, "faults/clear"));
}
