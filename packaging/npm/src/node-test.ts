import { after, afterEach, before, beforeEach } from 'node:test';

import type { Server } from './server.js';
import { TestServer, type UseOptions } from './test-server.js';

export type { UseOptions } from './test-server.js';

/**
 * Gives the tests of a file, or of a `describe`, a server of their own. Before each test it is reset. When a test fails,
 * the locks and the last commands are printed.
 *
 * @returns the server, to be used in hooks and tests
 */
export function useMinilockd(options: UseOptions = {}): Server {
  const fixture = new TestServer(options);
  before(async () => fixture.start());
  beforeEach(async () => fixture.beforeTest());
  afterEach(async (context: unknown) => fixture.afterTest((context as { passed?: boolean }).passed === false));
  after(async () => fixture.stop());
  return fixture.server;
}
