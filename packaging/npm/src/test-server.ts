import { failureReport } from './failure-report.js';
import { assertKnownKeys, given } from './known-keys.js';
import { START_OPTIONS, type StartOptions } from './options.js';
import { Server, start } from './server.js';
import type { Snapshot } from './snapshot.js';

/** How `useMinilockd` starts its server, and what it does around each test. */
export interface UseOptions extends StartOptions {
  /** Whether a test fails that leaves a lock held; a pattern, as of KEYS, for those that count. Default: false. */
  failOnHeldLocks?: boolean | string;
  /** Whether each test begins with the state in which the server started. Default: true. */
  reset?: boolean;
  /** Whether other connections are closed before each test, those that are left from the test before. Default: false. */
  closeClients?: boolean;
}

/** How a test has ended; `uncounted` is one that is expected to fail, or has skipped itself. */
export type Outcome = 'passed' | 'failed' | 'uncounted';

const LOCK_HISTORY = 10_000;
const OPTIONS: Record<keyof UseOptions, true> = {
  ...START_OPTIONS,
  ...{ failOnHeldLocks: true, reset: true, closeClients: true },
};

/** The server of a file of tests: the part of `useMinilockd` that all test runners share. */
export class TestServer {
  /** What `useMinilockd` returns: the methods are those of the server that runs when they are called. */
  readonly server: Server;
  readonly #options: StartOptions;
  readonly #failOnHeldLocks: boolean | string;
  readonly #reset: boolean;
  readonly #closeClients: boolean;
  #running: Server | undefined;
  #initial: Snapshot | undefined;

  /** Throws a TypeError for an option that does not exist. */
  constructor(options: UseOptions | null) {
    assertKnownKeys('the option of useMinilockd', options ?? {}, OPTIONS);
    const { failOnHeldLocks = false, reset = true, closeClients = false, ...startOptions } = given(options);
    this.#options = { lockHistory: LOCK_HISTORY, ...startOptions };
    this.#failOnHeldLocks = failOnHeldLocks;
    this.#reset = reset;
    this.#closeClients = closeClients;
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
    if (this.#reset) await this.server.reset({ clients: this.#closeClients });
    if (this.#reset) await this.#initial?.restore(); // a reset loses what files have added
    await this.server.journal.on();
  }

  /** Prints what a failed test left. Rejects if a test that passed left a lock held, and that was asked for. */
  async afterTest(outcome: Outcome): Promise<void> {
    const waiting = await this.server.unblock();
    if (outcome === 'uncounted') return;
    if (outcome === 'failed') console.error(await failureReport(this.server, waiting));
    else if (this.#failOnHeldLocks) await this.#assertNoneHeld(waiting);
  }

  /** Ends the server, after all tests. */
  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async #assertNoneHeld(waiting: readonly string[]): Promise<void> {
    const pattern = this.#failOnHeldLocks === true ? '*' : String(this.#failOnHeldLocks);
    try {
      await this.server.locks.assertNoneHeld(pattern);
    } catch (error) {
      console.error(await failureReport(this.server, waiting));
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
