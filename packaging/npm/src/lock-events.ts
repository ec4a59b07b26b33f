import { clientOf, leaseOf, type LockClient, type LockKind, type LockMode } from './lock-values.js';
import { quoted, quotedIfNeeded } from './quote.js';
import type { Fields } from './reply.js';
import { clockTime, durationText } from './text.js';

/** What has happened to a lock. */
export type LockEventType = 'taken' | 're-entered' | 'renewed' | 'released' | 'lapsed' | 'forced';

/** A change of one holder of a lock. `String(event)` is a line with all of it. */
export class LockEvent {
  readonly type: LockEventType;
  /** On the server's clock. */
  readonly time: Date;
  /** The name of the lock. */
  readonly lock: string;
  readonly kind: LockKind | undefined;
  readonly mode: LockMode | undefined;
  readonly owner: string | undefined;
  /** How many holds the owner has after the event; of a semaphore, how many permits were taken or released. */
  readonly holds: number;
  /** The lease after the event, in milliseconds; 0 if the owner has no hold any more; Infinity for one without an end. */
  readonly lease: number;
  /** The connection that made the change; for `lapsed`, the one that took the lock. */
  readonly client: LockClient | undefined;
  /** Set for `lapsed` if the client was connected all the same: it may believe that it holds the lock. */
  readonly lost: boolean;
  readonly #ownerText: string;

  /** @internal */
  constructor(lock: string, fields: Fields) {
    this.type = fields.text('event') as LockEventType;
    this.time = fields.time('time') ?? new Date(0);
    this.lock = lock;
    this.kind = fields.optionalText('kind') as LockKind | undefined;
    this.mode = fields.optionalText('mode') as LockMode | undefined;
    this.owner = fields.optionalText('owner');
    this.#ownerText = quotedIfNeeded(fields.bytes('owner') ?? '');
    this.holds = fields.number('holds');
    this.lease = leaseOf(fields) ?? 0;
    this.client = clientOf(fields);
    this.lost = fields.boolean('lost');
  }

  toString(): string {
    const facts = [
      `${clockTime(this.time)} ${this.type} ${quoted(this.lock)}${this.owner ? ` by ${this.#ownerText}` : ''}`,
      `holds ${this.holds}`,
      this.lease > 0 && this.lease < Infinity && `lease ${durationText(this.lease)}`,
      this.client && String(this.client),
      this.lost && 'lost',
    ];
    return facts.filter(Boolean).join(', ');
  }
}

/** A member of a deadlock: each waits for a lock that the next one holds, and the last for one of the first. */
export class LockWait {
  /** Who waits. */
  readonly owner: string;
  /** The name of a lock that it holds, for which the member before waits. */
  readonly holds: string;
  /** The name of the lock that it waits for. */
  readonly waitsFor: string;
  /** The number of the database of that lock. */
  readonly db: number;
  readonly #text: string;

  /** @internal */
  constructor(fields: Fields) {
    this.owner = fields.text('owner');
    this.holds = fields.text('holds');
    this.waitsFor = fields.text('waits-for');
    this.db = fields.number('db');
    const [owner, holds, waitsFor] = ['owner', 'holds', 'waits-for'].map((name) => fields.bytes(name) ?? '');
    this.#text = `${quotedIfNeeded(owner ?? '')} holds ${quoted(holds ?? '')} and waits for ${quoted(waitsFor ?? '')}`;
  }

  toString(): string {
    return this.#text;
  }
}
