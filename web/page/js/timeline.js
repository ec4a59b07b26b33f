// The timeline: for each lock, who held it and who waited for it in the time that is shown.

import { serverTime } from "./clock.js";
import { byID, el, list, setText } from "./dom.js";
import { connection, duration, owner, timeOfDay } from "./format.js";
import { holds, waits } from "./history.js";

const mostLocks = 12;
const mostLanes = 8;
const axisParts = 5;

const shownTime = () => Number(byID("span").value);

export function setUpTimeline(draw) {
  const select = byID("span");
  select.value = localStorage.getItem("span") ?? "60000";
  if (!select.value) select.value = "60000";
  select.addEventListener("change", () => {
    localStorage.setItem("span", select.value);
    draw();
  });
}

export function showTimeline(state, selected, select) {
  const to = serverTime();
  const view = { from: to - shownTime(), to };
  const rows = [...holds(state).values()]
    .map((lock) => ({ lock, lanes: lanes(lock, view) }))
    .filter((row) => row.lanes.length > 0 && (selected === null || row.lock.key === selected))
    .sort((a, b) => b.lock.latest - a.lock.latest || (a.lock.name < b.lock.name ? -1 : 1))
    .slice(0, mostLocks);
  list(
    byID("timeline"),
    rows,
    (row) => row.lock.key,
    (row) => newRow(row.lock, select),
    (node, row) => node.lastChild.replaceChildren(...drawLanes(row.lanes, view)),
  );
  byID("timeline-empty").hidden = rows.length > 0;
  byID("axis").hidden = rows.length === 0;
  drawAxis(view);
}

function newRow(lock, select) {
  const name = el("button", {
    className: "lock-name",
    type: "button",
    title: `Show the events of ${lock.name}`,
    textContent: lock.name,
  });
  name.addEventListener("click", () => select(lock.key, lock.name));
  return el("li", { data: { lock: lock.name } }, name, el("div", { className: "lanes" }));
}

// lanes returns what is seen of a lock. What does not overlap is in one lane: so one lane is enough for a lock that
// goes from one to the next, and those who share it or wait are below each other.
function lanes(lock, view) {
  const all = [];
  const seen = (s) => (s.to ?? view.to) >= view.from && s.from <= view.to;
  for (const s of lock.stretches) if (seen(s)) all.push(s);
  for (const w of waits) {
    if (w.lock === lock.key && seen(w)) all.push({ ...w, how: "waited", renewals: [] });
  }
  const free = pack(all);
  const marks = lock.marks.filter((m) => m.at >= view.from && m.at <= view.to);
  return marks.length ? [...free, marks] : free;
}

// pack puts stretches into as few lanes as possible. Those who wait come below those who hold.
function pack(all) {
  const packed = [];
  for (const waited of [false, true]) {
    const group = [];
    for (const s of all.filter((s) => (s.how === "waited") === waited).sort((a, b) => a.from - b.from)) {
      const lane = group.find((lane) => (lane.at(-1).to ?? Infinity) <= s.from);
      if (lane) lane.push(s);
      else group.push([s]);
    }
    packed.push(...group);
  }
  return packed;
}

function drawLanes(all, view) {
  const shown = all
    .slice(0, mostLanes)
    .map((lane) =>
      el(
        "div",
        { className: "lane" },
        ...lane.flatMap((part) => (part.at ? [drawMark(part, view)] : drawStretch(part, view))),
      ),
    );
  if (all.length > mostLanes)
    shown.push(el("div", { className: "more", textContent: `and ${all.length - mostLanes} others` }));
  return shown;
}

const percent = (at, view) =>
  (100 * (Math.min(view.to, Math.max(view.from, at)) - view.from)) / (view.to - view.from);

function drawStretch(s, view) {
  const left = percent(s.from, view);
  const node = el("div", { className: `stretch ${s.how} ${s.lost ? "lost" : ""}`, title: describe(s, view) });
  node.style.left = `min(${left}%, 100% - 3px)`; // at least that much is seen of what has just begun
  node.style.width = `${percent(s.to ?? view.to, view) - left}%`;
  const who = (s.client && connection(s.client)) || owner(s.owner);
  if (s.how !== "waited") setText(node, s.lost ? `${who} · lost` : who);
  const ticks = s.renewals
    .filter((at) => at >= view.from)
    .slice(-100)
    .map((at) => {
      const tick = el("i", { className: "renewal" });
      tick.style.left = `${percent(at, view)}%`;
      return tick;
    });
  return [node, ...ticks];
}

function drawMark({ at, event }, view) {
  const node = el("i", { className: "mark", title: `${timeOfDay(at)} ${event.event} ${event.holds}` });
  node.style.left = `${percent(at, view)}%`;
  return node;
}

// describe is what a pointer on a stretch shows.
function describe(s, view) {
  const how = s.lost ? "lapsed while its client was connected: a lost lock" : s.how;
  const begin = s.from === -Infinity ? "?" : timeOfDay(s.from);
  const lines = [s.owner ?? "", `${how}, ${begin} to ${s.to === null ? "now" : timeOfDay(s.to)}`];
  if (s.from !== -Infinity) lines.push(duration((s.to ?? view.to) - s.from));
  if (s.client) lines.push(connection(s.client));
  return lines.filter(Boolean).join("\n");
}

function drawAxis(view) {
  const whole = view.to - view.from;
  const labels = Array.from({ length: axisParts }, (_, i) => {
    const ago = whole - (whole * i) / (axisParts - 1);
    const label = el("span", { textContent: ago === 0 ? "now" : `−${duration(ago).replace(".0 ", " ")}` });
    label.style.left = `${(100 * i) / (axisParts - 1)}%`;
    return label;
  });
  byID("axis").replaceChildren(...labels);
}
