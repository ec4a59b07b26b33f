import { afterAll, afterEach, beforeAll, beforeEach, type RunnerTestCase } from 'vitest';

import type { Server } from './server.js';
import { type Outcome, TestServer, type UseOptions } from './test-server.js';

export type { UseOptions } from './test-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server that `minilockd/global-setup` has started. */
    minilockdUri: string;
  }
}

/**
 * Gives the tests of a file, or of a `describe`, a server of their own. Before each test it is reset. When a test fails,
 * the locks and the last commands are printed.
 *
 * @returns the server, to be used in hooks and tests
 */
export function useMinilockd(options: UseOptions = {}): Server {
  const fixture = new TestServer(options);
  beforeAll(async () => fixture.start());
  beforeEach(async () => fixture.beforeTest());
  afterEach(async ({ task }) => fixture.afterTest(outcomeOf(task)));
  afterAll(async () => fixture.stop());
  return fixture.server;
}

function outcomeOf({ fails, result }: Readonly<RunnerTestCase>): Outcome {
  if (fails || result?.state === 'skip') return 'uncounted'; // test.fails, context.skip()
  return result?.state === 'fail' ? 'failed' : 'passed';
}
