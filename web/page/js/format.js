// How times, durations, owners and connections are written.

const pad = (n, width = 2) => String(n).padStart(width, "0");

export function timeOfDay(ms) {
  const d = new Date(ms);
  return `${pad(d.getHours())}:${pad(d.getMinutes())}:${pad(d.getSeconds())}.${pad(d.getMilliseconds(), 3)}`;
}

export function day(ms) {
  return new Date(ms).toLocaleDateString(undefined, {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
  });
}

const units = [
  ["d", 86400000],
  ["h", 3600000],
  ["min", 60000],
  ["s", 1000],
];

// duration writes a duration with one or two units: 450 ms, 29.6 s, 4 min 10 s.
export function duration(ms) {
  if (ms < 0) return "0 s";
  if (ms < 1000) return `${Math.floor(ms)} ms`;
  if (ms < 60000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const at = units.findIndex(([, size]) => ms >= size);
  const [unit, size] = units[at];
  const [small, smallSize] = units[at + 1];
  const rest = Math.floor((ms % size) / smallSize);
  return `${Math.floor(ms / size)} ${unit}${rest ? ` ${rest} ${small}` : ""}`;
}

// age is a duration to whole seconds.
export const age = (ms) => (ms < 60000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : duration(ms));

const sizes = { "": 1, ms: 1, s: 1000, sec: 1000, m: 60000, min: 60000, h: 3600000, d: 86400000 };

// parseDuration returns the ms of a text such as 30s, 1.5 h or 250; null if it is none.
export function parseDuration(text) {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const size = match && sizes[match[2].toLowerCase()];
  return size ? Math.round(Number(match[1]) * size) : null;
}

// owner shortens the ids of clients: a UUID in it to its first digits, a token to its first characters.
export function owner(text) {
  const short = text.replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "$1…");
  return short.length > 26 ? `${short.slice(0, 20)}…${short.slice(-4)}` : short;
}

// connection describes the connection of a holder, a waiter or an event by its name, or else its address.
export function connection(o) {
  if (!o["client-id"]) return "";
  return o["client-name"] || o["client-addr"] || `client ${o["client-id"]}`;
}

// connectionTitle is all that is known of it.
export function connectionTitle(o) {
  if (!o["client-id"]) return "";
  return [`id ${o["client-id"]}`, o["client-name"], o["client-addr"], o["client-lib"]].filter(Boolean).join(", ");
}

// number writes large numbers with groups of digits.
export const number = (n) => n.toLocaleString("en-US").replaceAll(",", "\u202f");

export const lockKey = (lock) => `${lock.db}/${lock.name ?? lock.lock}`;
