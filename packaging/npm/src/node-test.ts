import { after, before, beforeEach, type TestContext } from 'node:test';

import type { Server } from './server.js';
import { TestServer, type UseOptions } from './test-server.js';

export type { UseOptions } from './test-server.js';

/**
 * Gives the tests of a file, or of a `describe`, a server of their own. Before each test it is reset. When a test fails,
 * the locks and the last commands are printed. That, and the look at held locks, comes after all other hooks of the test.
 *
 * @returns the server, to be used in hooks and tests
 */
export function useMinilockd(options: UseOptions = {}): Server {
  const fixture = new TestServer(options);
  before(async () => fixture.start());
  beforeEach(async (context) => {
    finallyAfter(context as TestContext, async () => fixture.afterTest(hasFailed(context) ? 'failed' : 'passed'));
    await fixture.beforeTest();
  });
  after(async () => fixture.stop());
  return fixture.server;
}

/**
 * Runs a hook after all others of a test, those of `afterEach` and `context.after`: if it fails, node:test leaves out those
 * that follow, such as one that closes a client, and the process would not end.
 */
function finallyAfter(context: TestContext, hook: () => Promise<void>): void {
  context.after(() => {
    context.after(hook); // behind those that the test has added
  });
}

function hasFailed(context: unknown): boolean {
  return (context as { passed?: boolean }).passed === false; // since Node 21.7 and 20.12
}
