// Deadlocks: cycles of owners, each of which waits for a lock that the next one holds.

import { byID, el, list, setText } from "./dom.js";
import { connection, owner } from "./format.js";

export function showDeadlocks({ deadlocks, locks }) {
  byID("deadlocks").hidden = deadlocks.length === 0;
  setText(byID("deadlocks-title"), deadlocks.length > 1 ? `${deadlocks.length} deadlocks` : "Deadlock");
  const holders = locks.flatMap((lock) => lock.holders);
  const nameOf = (id) => connection(holders.find((h) => h.owner === id) ?? {});
  list(
    byID("deadlock-list"),
    deadlocks,
    (cycle) => JSON.stringify(cycle),
    (cycle) => el("ol", { className: "cycle" }, ...cycle.map((wait) => newMember(wait, nameOf(wait.owner)))),
  );
}

function newMember(wait, name) {
  return el(
    "li",
    {},
    name && `${name} `,
    el("span", { className: "mono", title: wait.owner, textContent: owner(wait.owner) }),
    " holds ",
    el("b", { textContent: wait.holds }),
    " and waits for ",
    el("b", { textContent: wait["waits-for"] }),
  );
}
