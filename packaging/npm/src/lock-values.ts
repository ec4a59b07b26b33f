import { quoted, quotedIfNeeded } from './quote.js';
import type { Fields } from './reply.js';
import { clockTime, durationText } from './text.js';

/** A kind of lock. */
export type LockKind =
  | 'lock'
  | 'fair'
  | 'read-write'
  | 'fenced'
  | 'faster-multi'
  | 'semaphore'
  | 'permits'
  | 'latch'
  | 'rate-limiter'
  | 'token';

/** Whether a read-write lock is held for reading or writing. */
export type LockMode = 'read' | 'write';

/** A connection of a client, as far as it is known. */
export class LockClient {
  readonly id: number | undefined;
  readonly address: string | undefined;
  /** Its name, by CLIENT SETNAME. */
  readonly name: string | undefined;
  /** The client library and its version, by CLIENT SETINFO. */
  readonly library: string | undefined;

  /** @internal */
  constructor(fields: Fields) {
    this.id = fields.optionalNumber('client-id');
    this.address = fields.optionalText('client-addr');
    this.name = fields.optionalText('client-name');
    this.library = fields.optionalText('client-lib');
  }

  toString(): string {
    const facts = [
      this.address,
      this.name && `name ${quotedIfNeeded(this.name)}`,
      this.library && `library ${quotedIfNeeded(this.library)}`,
    ];
    return `connection ${this.id ?? '?'} (${facts.filter(Boolean).join(', ')})`;
  }
}

/** Returns the client of a holder, a waiter or an event; undefined if it is not known. */
export function clientOf(fields: Fields): LockClient | undefined {
  return fields.optionalNumber('client-id') === undefined ? undefined : new LockClient(fields);
}

/** Returns a lease in milliseconds; that without an end, -1 on the wire, is Infinity. */
export function leaseOf(fields: Fields): number | undefined {
  const lease = fields.optionalNumber('lease');
  return lease === -1 ? Infinity : lease;
}

/** One of those who hold a lock. */
export class Holder {
  /** The client's id and the thread's for Redisson's locks, the id of a permit, or the token. */
  readonly owner: string;
  /** How many times it holds the lock. */
  readonly holds: number;
  /** What is left of its lease, in milliseconds; Infinity for one without an end. */
  readonly lease: number;
  /** `write` for the writer of a read-write lock. */
  readonly mode: LockMode | undefined;
  /** The value that is held, of a lock of kind `faster-multi`. */
  readonly value: string | undefined;
  /** When it was taken, on the server's clock; known only with lock history. */
  readonly since: Date | undefined;
  /** For how long it has been held, in milliseconds; known only with lock history. */
  readonly age: number | undefined;
  /** The connection that took it; known only with lock history. */
  readonly client: LockClient | undefined;
  readonly #ownerText: string;

  /** @internal */
  constructor(fields: Fields, now: Date) {
    this.owner = fields.text('owner');
    this.#ownerText = quotedIfNeeded(fields.bytes('owner') ?? '');
    this.holds = fields.number('holds');
    this.lease = leaseOf(fields) ?? 0;
    this.mode = fields.optionalText('mode') as LockMode | undefined;
    this.value = fields.optionalText('value');
    this.since = fields.time('since');
    this.age = this.since && Math.max(0, now.getTime() - this.since.getTime());
    this.client = clientOf(fields);
  }

  toString(): string {
    const times = this.holds > 1 ? ` ${this.holds} times` : '';
    const since = this.since ? ` since ${clockTime(this.since)} (${durationText(this.age ?? 0)} ago)` : '';
    const client = this.client ? `, which took it by ${String(this.client)}` : '';
    const left = this.lease === Infinity ? '' : `, ${durationText(this.lease)} left`;
    return `${this.#ownerText}${times}${since}${client}${left}`;
  }
}

/** One of those who wait for a lock. */
export class Waiter {
  /** As of `Holder`; known only for a fair lock, or with lock history. */
  readonly owner: string | undefined;
  /** When its place in the queue of a fair lock lapses. */
  readonly deadline: Date | undefined;
  /** When it tried first; known only with lock history. */
  readonly since: Date | undefined;
  /** The connection that waits. */
  readonly client: LockClient | undefined;
  readonly #ownerText: string | undefined;

  /** @internal */
  constructor(fields: Fields) {
    const owner = fields.bytes('owner');
    this.owner = owner?.toString();
    this.#ownerText = owner && quotedIfNeeded(owner);
    this.deadline = fields.time('deadline');
    this.since = fields.time('since');
    this.client = clientOf(fields);
  }

  toString(): string {
    const since = this.since ? ` since ${clockTime(this.since)}` : '';
    return `${this.#ownerText ?? 'an unknown owner'}${since}${this.client ? ` on ${String(this.client)}` : ''}`;
  }
}

/** The state of a lock. `String(lock)` is a line with who holds it, since when, and by which connection. */
export class Lock {
  readonly name: string;
  readonly kind: LockKind;
  /** The number of the database. */
  readonly db: number;
  /** Of a read-write lock that is held. */
  readonly mode: LockMode | undefined;
  /** What is left of the longest lease, in milliseconds; Infinity for one without an end. */
  readonly lease: number | undefined;
  /** The free permits of a semaphore or a rate limiter. */
  readonly permits: number | undefined;
  /** The count of a latch. */
  readonly count: number | undefined;
  /** The last token of a fenced lock. */
  readonly token: number | undefined;
  readonly holders: readonly Holder[];
  /** In the order of the queue for a fair lock, else in the order in which they subscribed. */
  readonly waiters: readonly Waiter[];
  readonly #nameText: string;

  /** @internal */
  constructor(fields: Fields, now: Date) {
    this.name = fields.text('name');
    this.#nameText = quoted(fields.bytes('name') ?? '');
    this.kind = fields.text('kind') as LockKind;
    this.db = fields.number('db');
    this.mode = fields.optionalText('mode') as LockMode | undefined;
    this.lease = leaseOf(fields);
    this.permits = fields.optionalNumber('permits');
    this.count = fields.optionalNumber('count');
    this.token = fields.optionalNumber('token');
    this.holders = fields.list('holders').map((holder) => new Holder(holder, now));
    this.waiters = fields.list('waiters').map((waiter) => new Waiter(waiter));
  }

  /** Whether it has a holder. A semaphore, a latch and a rate limiter do not know theirs. */
  get held(): boolean {
    return this.holders.length > 0;
  }

  toString(): string {
    const db = this.db ? ` of database ${this.db}` : '';
    const state = this.held ? `is held by ${this.holders.join(', and by ')}` : 'is not held';
    const waiting = this.waiters.length ? `; ${this.waiters.length} waiting` : '';
    return `${this.#nameText} (${this.kind})${db} ${state}${waiting}`;
  }
}
