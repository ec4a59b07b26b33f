/** The time of day in UTC, `12:00:03.120`. */
export function clockTime(time: Date): string {
  return time.toISOString().slice(11, 23);
}

/** A duration in milliseconds as text: `850 ms`, `29.95 s`, `12.5 min`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 10) / 100} s`;
  return `${Math.round(milliseconds / 6_000) / 10} min`;
}
