import { failureReport } from './failure-report.js';
import type { StartOptions } from './options.js';
import { Server, start } from './server.js';
import type { Snapshot } from './snapshot.js';

/** How `useMinilockd` starts its server, and what it does around each test. */
export interface UseOptions extends StartOptions {
  /** Whether a test fails that leaves a lock held. Default: false. */
  failOnHeldLocks?: boolean;
  /** Whether each test begins with the state in which the server started. Default: true. */
  reset?: boolean;
  /** Whether other connections are closed before each test, those that are left from the test before. Default: false. */
  closeClients?: boolean;
}

const LOCK_HISTORY = 10_000;

/** The server of a file of tests: the part of `useMinilockd` that all test runners share. */
export class TestServer {
  /** What `useMinilockd` returns: the methods are those of the server that runs when they are called. */
  readonly server: Server;
  readonly #options: UseOptions;
  #running: Server | undefined;
  #initial: Snapshot | undefined;

  constructor(options: UseOptions) {
    this.#options = { lockHistory: LOCK_HISTORY, ...options };
    this.server = delegate(() => {
      if (this.#running) return this.#running;
      throw new Error('the server of useMinilockd runs from beforeAll to afterAll: use it in hooks and tests only');
    });
  }

  /** Starts the server, before all tests. */
  async start(): Promise<void> {
    this.#running = await start(this.#options);
    if (this.#options.load ?? this.#options.faults) this.#initial = await this.#running.snapshot();
  }

  /** Prepares the server for a test. */
  async beforeTest(): Promise<void> {
    const { reset = true, closeClients = false } = this.#options;
    if (reset) await this.server.reset({ clients: closeClients });
    if (reset) await this.#initial?.restore(); // a reset loses what files have added
    await this.server.journal.on();
  }

  /** Prints what a failed test left. Rejects if a test that passed left a lock held, and that was asked for. */
  async afterTest(failed: boolean): Promise<void> {
    if (failed) console.error(await failureReport(this.server));
    else if (this.#options.failOnHeldLocks) await this.#assertNoneHeld();
  }

  /** Ends the server, after all tests. */
  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async #assertNoneHeld(): Promise<void> {
    try {
      await this.server.locks.assertNoneHeld();
    } catch (error) {
      console.error(await failureReport(this.server));
      throw error;
    }
  }
}

/** Returns an object that stands for one that is there later. */
function delegate(current: () => Server): Server {
  return new Proxy(Object.create(Server.prototype) as Server, {
    get(_, name) {
      const server = current();
      const value: unknown = Reflect.get(server, name);
      // methods need the object that has their private fields; `locks` is a field that can be called
      return typeof value === 'function' && !Object.hasOwn(server, name) ? (value.bind(server) as unknown) : value;
    },
  });
}
