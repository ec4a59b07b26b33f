/** The part of the state of jest-circus, Jest's test runner, that is used here. */
interface CircusState {
  currentlyRunningTest?: { errors: unknown[] } | null;
}

/**
 * Whether the test that runs has failed so far. Jest does not tell its hooks, except in a test environment of one's own,
 * which would exclude others such as jsdom. So this looks at the state that jest-circus keeps in the global object, by a
 * symbol; should that be elsewhere in another version, no test has failed.
 */
export function testHasFailed(): boolean {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  const state = symbol && ((globalThis as Record<symbol, unknown>)[symbol] as CircusState | undefined);
  return (state?.currentlyRunningTest?.errors.length ?? 0) > 0;
}
