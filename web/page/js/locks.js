// The table of locks: who holds them, for how long yet, and who waits.

import { serverTime } from "./clock.js";
import { byID, el, list, setText } from "./dom.js";
import { age, connection, connectionTitle, duration, lockKey, number, owner } from "./format.js";
import { longestLease } from "./history.js";

const ownerless = new Set(["semaphore", "latch", "rate-limiter"]); // they count, and do not know who has what

let shown = []; // bars that run down: {node, text, ends, whole}

export function showLocks(state, pattern, select) {
  const rows = byID("lock-rows");
  shown = [];
  list(
    rows,
    state.locks,
    lockKey,
    (lock) => newRow(lock, select),
    (row, lock) => updateRow(row, lock, state.clock.now),
  );
  byID("locks").hidden = state.locks.length === 0;
  const empty = byID("locks-empty");
  empty.hidden = state.locks.length > 0;
  setText(
    empty,
    pattern && state.totals.locks
      ? "No lock has such a name."
      : "There are no locks on the server. They appear here as soon as a client takes one.",
  );
  const more =
    state.fitting > state.locks.length
      ? `${number(state.locks.length)} of ${number(state.fitting)}`
      : number(state.fitting);
  setText(byID("lock-count"), state.totals.locks ? more : "");
  drawLeases();
}

function newRow(lock, select) {
  const name = el("button", {
    className: "lock-name",
    type: "button",
    title: `Show the events of ${lock.name}`,
    textContent: lock.name,
  });
  name.addEventListener("click", () => select(lockKey(lock), lock.name));
  return el(
    "tr",
    { data: { lock: lock.name } },
    el("td", {}, name, el("div", { className: "kind" })),
    el("td", { className: "holders" }),
    el("td", { className: "waiting" }, el("ol", { className: "waiters" })),
  );
}

function updateRow(row, lock, now) {
  const [name, holders, waiting] = row.cells;
  list(
    name.lastChild,
    kindTexts(lock),
    (text) => text,
    (text) => el("span", { textContent: text }),
  );
  const entries = lock.holders.length ? lock.holders : [null];
  list(
    holders,
    entries,
    (h) => (h ? `${h.owner} ${h.mode ?? ""} ${h.value ?? ""}` : ""),
    newHolder,
    (node, h) =>
      h ? updateHolder(node, lock, h, now) : setText(node, ownerless.has(lock.kind) ? "has no owners" : "free"),
  );
  waiting.classList.toggle("none", lock.waiters.length === 0);
  list(
    waiting.firstChild,
    lock.waiters,
    (w) => `${w.owner ?? ""} ${w["client-id"] ?? ""}`,
    newWaiter,
    (node, w) => updateWaiter(node, w, now),
  );
}

function kindTexts(lock) {
  const texts = [lock.kind];
  if (lock.mode) texts.push(`${lock.mode} mode`);
  for (const name of ["permits", "count", "token"]) {
    if (lock[name] !== undefined)
      texts.push(name === "permits" ? `${number(lock[name])} free` : `${name} ${number(lock[name])}`);
  }
  if (lock.db) texts.push(`database ${lock.db}`);
  return texts;
}

function newHolder(h) {
  if (!h) return el("div", { className: "free" });
  return el(
    "div",
    { className: "holder" },
    el("div", { className: "who" }, el("div", { className: "cut mono" }), el("small", { className: "cut" })),
    el("span", { className: "number since" }),
    el("div", { className: "lease" }, el("b"), el("div", { className: "bar" }, el("i"))),
  );
}

function updateHolder(node, lock, h, now) {
  const [who, since, lease] = node.children;
  const times = h.holds > 1 ? ` × ${number(h.holds)}` : "";
  setText(
    who.firstChild,
    (h.value ? `${h.value} · ` : "") + owner(h.owner) + times + (h.mode === "write" ? " · write" : ""),
  );
  who.firstChild.title = h.owner;
  setText(who.lastChild, connection(h));
  who.lastChild.title = connectionTitle(h);
  setText(since, h.since === undefined ? "" : age(now - h.since));
  shown.push({
    lease,
    ends: h.lease < 0 ? Infinity : now + h.lease,
    whole: longestLease(lockKey(lock), h.owner, h.lease),
  });
}

function newWaiter() {
  return el(
    "li",
    {},
    el("span", { className: "cut mono" }),
    el("span", { className: "quiet" }),
    el("small", { className: "cut" }),
  );
}

function updateWaiter(node, w, now) {
  const [who, since, rest] = node.children;
  setText(who, w.owner ? owner(w.owner) : connection(w));
  who.title = w.owner ?? connectionTitle(w);
  setText(since, w.since === undefined ? "" : age(now - w.since));
  const deadline = w.deadline === undefined ? "" : `place kept for ${duration(Math.max(0, w.deadline - now))}`;
  setText(rest, [w.owner && connection(w), deadline].filter(Boolean).join(" · "));
  rest.title = connectionTitle(w);
}

// drawLeases makes the bars what they are at this moment of the server's clock.
export function drawLeases() {
  const now = serverTime();
  for (const { lease, ends, whole } of shown) {
    const left = Math.max(0, ends - now);
    const part = ends === Infinity ? 1 : Math.min(1, left / Math.max(1, whole));
    setText(lease.firstChild, ends === Infinity ? "no end" : duration(left));
    lease.dataset.tone = ends === Infinity ? "" : part < 0.1 ? "bad" : part < 0.3 ? "warn" : "";
    lease.lastChild.firstChild.style.transform = `scaleX(${part.toFixed(4)})`;
  }
}
