import { randomUUID } from 'node:crypto';

import type { Execute } from './control.js';
import { ReplyError } from './errors.js';

/** A saved state of a server. It is kept until the server ends. */
export class Snapshot {
  /** Its name on the server. */
  readonly name = randomUUID();
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /** Puts this state back, as often as you like, the clock included. Connections stay open. */
  async restore(): Promise<void> {
    await restore(this.#execute, this);
  }
}

/** Puts the state of a snapshot back; throws a TypeError if it is none of this server. */
export async function restore(execute: Execute, snapshot: Snapshot): Promise<void> {
  if (!(snapshot instanceof Snapshot)) throw new TypeError('restore needs what snapshot() returns');
  await ofThisServer(execute('TEST.RESTORE', snapshot.name));
}

/** Waits for a call with the name of a snapshot: names are unique, so a server without it has not made the snapshot. */
export async function ofThisServer(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (cause) {
    const other = cause instanceof ReplyError && cause.message.startsWith('ERR no snapshot');
    throw other ? new TypeError('the snapshot is of another server', { cause }) : cause;
  }
}
