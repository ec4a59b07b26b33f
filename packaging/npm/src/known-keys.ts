/** Returns the options that are given: those that are undefined or null are not. */
export function given<T extends object>(options: T | null): T {
  return Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null),
  ) as T;
}

/** Throws a TypeError for a key that an object must not have, such as a mistyped option; it lists those that there are. */
export function assertKnownKeys(what: string, object: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(object).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  throw new TypeError(`${what} '${unknown}' does not exist; there are ${Object.keys(known).join(', ')}`);
}
