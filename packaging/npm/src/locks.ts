import type { ExecuteBuffer } from './control.js';
import { LockEvent, LockWait } from './lock-events.js';
import { Lock } from './lock-values.js';
import { MinilockdError } from './errors.js';
import { arrayOf, Fields, listOf } from './reply.js';

/** Locks are held where none should be. The message names the server, and each lock with owner, age and connection. */
export class HeldLocksError extends MinilockdError {
  override name = 'HeldLocksError';
  readonly locks: readonly Lock[];

  /** Takes the locks, and the address of their server. */
  constructor(locks: readonly Lock[], address: string) {
    super(`locks of minilockd on ${address} are held:\n${locks.map((lock) => `  ${String(lock)}`).join('\n')}`);
    this.locks = locks;
  }
}

/**
 * The locks that clients hold on the server. Patterns are as of KEYS. Lists are of all databases, sorted by database and
 * name; methods that take a name look at database 0.
 */
export interface Locks {
  /** The same as `list`. */
  (pattern?: string): Promise<Lock[]>;
  /** The locks whose names fit a pattern; without one, all. */
  list(pattern?: string): Promise<Lock[]>;
  /** A lock; undefined if there is none of that name. */
  get(name: string): Promise<Lock | undefined>;
  /** The locks that have holders. */
  held(pattern?: string): Promise<Lock[]>;
  /** Rejects with a HeldLocksError if a lock has a holder. */
  assertNoneHeld(pattern?: string): Promise<void>;
  /** The cycles of owners that wait for each other. It needs lock history for all but fair locks. */
  deadlocks(): Promise<LockWait[][]>;
  /** What has happened to a lock while the history was on, the oldest event first; with a count, the last ones. */
  history(name: string, count?: number): Promise<LockEvent[]>;
  /** Turns the history on, with room for 10,000 events, or as many as given. */
  track(count?: number): Promise<void>;
  /** Turns the history off. */
  untrack(): Promise<void>;
}

/** Returns the locks of the server with an address. */
export function locksOf(execute: ExecuteBuffer, address: string): Locks {
  const list = async (pattern = '*'): Promise<Lock[]> => readLocks(execute, 'LOCK.LIST', pattern, 'ALLDBS');
  const held = async (pattern = '*'): Promise<Lock[]> => readLocks(execute, 'LOCK.HELD', pattern, 'ALLDBS');
  const count = (n?: number): (string | number)[] => (n === undefined ? [] : ['COUNT', n]);
  const methods: Pick<Locks, keyof Locks> = {
    list,
    held,
    get: async (name) => readLock(execute, name),
    assertNoneHeld: async (pattern) => {
      const locks = await held(pattern);
      if (locks.length) throw new HeldLocksError(locks, address);
    },
    deadlocks: async () => {
      const cycles = arrayOf(await execute('LOCK.DEADLOCKS'));
      return cycles.map((cycle) => listOf(cycle).map((wait) => new LockWait(wait)));
    },
    history: async (name, n) => {
      const events = listOf(await execute('LOCK.HISTORY', name, ...count(n)));
      return events.map((event) => new LockEvent(name, event));
    },
    track: async (n) => {
      await execute('LOCK.TRACK', 'ON', ...count(n));
    },
    untrack: async () => {
      await execute('LOCK.TRACK', 'OFF');
    },
  };
  return Object.assign(async (pattern?: string) => list(pattern), methods);
}

async function readLocks(execute: ExecuteBuffer, command: string, ...args: string[]): Promise<Lock[]> {
  const [locks, now] = await Promise.all([execute(command, ...args), serverTime(execute)]);
  return listOf(locks).map((fields) => new Lock(fields, now));
}

async function readLock(execute: ExecuteBuffer, name: string): Promise<Lock | undefined> {
  const [lock, now] = await Promise.all([execute('LOCK.INFO', name), serverTime(execute)]);
  return lock === null ? undefined : new Lock(new Fields(lock), now);
}

async function serverTime(execute: ExecuteBuffer): Promise<Date> {
  return new Date(Number(await execute('CLOCK.NOW')));
}
