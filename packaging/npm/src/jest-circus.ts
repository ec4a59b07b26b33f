import type { Outcome } from './test-server.js';

/** The part of the state of jest-circus, Jest's test runner, that is used here. */
interface CircusState {
  currentlyRunningTest?: { errors: unknown[]; failing?: boolean } | null;
}

/**
 * How the test that runs has ended so far. Jest does not tell its hooks, except in a test environment of one's own,
 * which would exclude others such as jsdom. So this looks at the state that jest-circus keeps in the global object, by a
 * symbol; should that be elsewhere in another version, no test has failed.
 */
export function testOutcome(): Outcome {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  const state = symbol && ((globalThis as Record<symbol, unknown>)[symbol] as CircusState | undefined);
  const test = state?.currentlyRunningTest;
  if (test?.failing) return 'uncounted'; // test.failing
  return test?.errors.length ? 'failed' : 'passed';
}
