// What has happened to locks: the events that the server sends, and from them who held each lock when. Who waited is
// only in the states, so it is known from when the page was opened.

import { lockKey } from "./format.js";

const keptEvents = 5000;
const keptWaits = 1000;

export const events = []; // the oldest first, each with a number of its own
// Who waits and who did: {lock, owner, client, from, to}. owner is undefined if it is not known, to is null for now.
export const waits = [];
const leases = new Map(); // by lock and owner: the longest lease since it was taken or renewed
let count = 0;

export function replaceEvents(list) {
  events.length = 0;
  leases.clear();
  addEvents(list);
}

export function addEvents(list) {
  for (const event of list) {
    event.number = count++;
    events.push(event);
    const key = `${lockKey(event)} ${event.owner}`;
    if (event.holds === 0) leases.delete(key);
    else if (["taken", "renewed", "re-entered"].includes(event.event)) leases.set(key, event.lease);
  }
  events.splice(0, Math.max(0, events.length - keptEvents));
}

// longestLease returns the whole of a lease of which so much is left.
export function longestLease(lock, owner, left) {
  const key = `${lock} ${owner}`;
  const whole = Math.max(leases.get(key) ?? 0, left);
  leases.set(key, whole);
  return whole;
}

export const lostCount = () => events.reduce((n, event) => n + (event.lost ? 1 : 0), 0);

// takeWaiters follows who waits. Of a waiter that has just come only the connection may be known, and soon the owner.
export function takeWaiters(state) {
  const now = state.clock.now;
  const seen = new Set();
  for (const lock of state.locks) {
    const open = waits.filter((wait) => wait.to === null && wait.lock === lockKey(lock));
    for (const w of lock.waiters) {
      let wait = open.find((wait) => !seen.has(wait) && isSame(wait, w));
      if (!wait) waits.push((wait = { lock: lockKey(lock), from: w.since ?? now, to: null }));
      wait.owner = w.owner;
      wait.client = w;
      seen.add(wait);
    }
  }
  for (const wait of waits) {
    if (wait.to === null && !seen.has(wait)) wait.to = now;
  }
  waits.splice(0, Math.max(0, waits.length - keptWaits));
}

const isSame = (wait, w) =>
  wait.owner && w.owner ? wait.owner === w.owner : wait.client["client-id"] === w["client-id"];

// holds returns, for each lock, the stretches of time in which an owner held it, and the marks of what has no owner:
// those of semaphores, latches and rate limiters. A stretch whose begin is not known begins at -Infinity.
export function holds(state) {
  const locks = new Map();
  const of = (key, name) => {
    if (!locks.has(key)) locks.set(key, { key, name, stretches: [], marks: [], open: new Map(), latest: 0 });
    return locks.get(key);
  };
  for (const event of events) addTo(of(lockKey(event), event.lock), event);
  for (const lock of state?.locks ?? []) {
    const at = of(lockKey(lock), lock.name);
    for (const h of lock.holders) {
      if (!at.open.has(h.owner)) begin(at, h.owner, h.since ?? state.clock.now, h);
    }
    if (lock.holders.length || lock.waiters.length) at.latest = Infinity;
  }
  return locks;
}

function addTo(lock, event) {
  lock.latest = Math.max(lock.latest, event.time);
  if (!event.owner) {
    lock.marks.push({ at: event.time, event });
    return;
  }
  let stretch = lock.open.get(event.owner);
  if (event.event === "taken") {
    if (stretch) end(lock, stretch, event);
    begin(lock, event.owner, event.time, event);
    return;
  }
  stretch ??= begin(lock, event.owner, -Infinity, event);
  if (event.event === "renewed" || event.event === "re-entered") stretch.renewals.push(event.time);
  if (event.holds === 0 || event.event === "lapsed") {
    stretch.how = event.event;
    stretch.lost = event.lost === true;
    end(lock, stretch, event);
  }
}

function begin(lock, owner, from, of) {
  const stretch = { owner, from, to: null, how: "held", lost: false, renewals: [], client: of };
  lock.stretches.push(stretch);
  lock.open.set(owner, stretch);
  return stretch;
}

function end(lock, stretch, event) {
  stretch.to = event.time;
  lock.open.delete(stretch.owner);
}
