import { randomUUID } from 'node:crypto';

import type { Execute } from './control.js';

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
    await this.#execute('TEST.RESTORE', this.name);
  }
}
