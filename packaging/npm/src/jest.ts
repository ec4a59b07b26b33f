import { testOutcome } from './jest-circus.js';
import type { Server } from './server.js';
import { TestServer, type UseOptions } from './test-server.js';

export type { UseOptions } from './test-server.js';

/** The hooks, which Jest gives to each file as globals. */
interface JestGlobals {
  beforeAll: (hook: () => Promise<void>) => void;
  beforeEach: (hook: () => Promise<void>) => void;
  afterEach: (hook: () => Promise<void>) => void;
  afterAll: (hook: () => Promise<void>) => void;
}

/**
 * Gives the tests of a file, or of a `describe`, a server of their own. Before each test it is reset. When a test fails,
 * the locks and the last commands are printed.
 *
 * Jest runs `afterEach` hooks in the order of their calls, so close clients in one that comes before this call, or in a
 * `describe`.
 *
 * @returns the server, to be used in hooks and tests
 */
export function useMinilockd(options: UseOptions = {}): Server {
  const { beforeAll, beforeEach, afterEach, afterAll } = globalThis as unknown as JestGlobals;
  const fixture = new TestServer(options);
  beforeAll(async () => fixture.start());
  beforeEach(async () => fixture.beforeTest());
  afterEach(async () => fixture.afterTest(testOutcome()));
  afterAll(async () => fixture.stop());
  return fixture.server;
}
