import type { Execute } from './control.js';
import { given } from './known-keys.js';
import { type Fields, listOf } from './reply.js';
import { clockTime } from './text.js';

/** Which commands `journal.entries` returns; without any of these, all. */
export interface JournalFilter {
  /** The last ones only. */
  count?: number;
  /** Those of the client with this id. */
  client?: number;
  /** Those whose line fits a pattern, as of KEYS: `set lock:*`. */
  match?: string;
}

/** A command that a client has sent, or that a script has called. `String(entry)` is a line with all of it. */
export class JournalEntry {
  /** 1 for the first entry, and so on. */
  readonly id: number;
  /** When the server received it, on its clock. */
  readonly time: Date;
  /** The id of the client. */
  readonly client: number;
  /** The name of the client; empty if it has none. */
  readonly name: string;
  /** The address of the client. */
  readonly address: string;
  /** The number of the database. */
  readonly db: number;
  /** The command with its arguments, quoted as in redis-cli. */
  readonly command: string;
  /** Whether a script has called it. */
  readonly script: boolean;
  /** The error reply, if it is one. */
  readonly error: string | undefined;

  /** @internal */
  constructor(fields: Fields) {
    this.id = fields.number('id');
    this.time = fields.time('time') ?? new Date(0);
    this.client = fields.number('client');
    this.name = fields.text('name');
    this.address = fields.text('addr');
    this.db = fields.number('db');
    this.command = fields.text('command');
    this.script = fields.boolean('script');
    const error = fields.text('error');
    this.error = error === '' ? undefined : error;
  }

  toString(): string {
    const name = this.name && ` ${this.name}`;
    const db = this.db ? ` db ${this.db}` : '';
    const client = `client ${this.client} ${this.address}${name}${db}`;
    const failed = this.error === undefined ? '' : ` -> ${this.error}`;
    return `${clockTime(this.time)} [${client}] ${this.script ? '  ' : ''}${this.command}${failed}`;
  }
}

/** The last commands that the server has received. It is off until `on`. */
export class Journal {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /** Turns the journal on; it keeps the last 1,000 commands, or as many as given. */
  async on(count?: number): Promise<void> {
    await this.#execute('TEST.JOURNAL', 'ON', ...(count === undefined ? [] : ['COUNT', count]));
  }

  /** Turns it off; what it has is kept. */
  async off(): Promise<void> {
    await this.#execute('TEST.JOURNAL', 'OFF');
  }

  /** Removes what it has. */
  async clear(): Promise<void> {
    await this.#execute('TEST.JOURNAL', 'CLEAR');
  }

  /** The commands, the oldest first. */
  async entries(filter: JournalFilter = {}): Promise<JournalEntry[]> {
    const args = Object.entries(given(filter)).flatMap(([name, value]: [string, string | number | undefined]) =>
      value === undefined ? [] : [name.toUpperCase(), value],
    );
    return listOf(await this.#execute('TEST.JOURNAL', ...args)).map((fields) => new JournalEntry(fields));
  }
}
