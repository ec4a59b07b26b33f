import { Clock } from './clock.js';
import { type Address, Connection } from './connection.js';
import { ServerClosedError } from './errors.js';
import { Faults } from './faults.js';
import { Journal } from './journal.js';
import { type Locks, locksOf } from './locks.js';
import { assertShareable } from './own-connection.js';
import { decode, type Reply, textOf } from './reply.js';
import type { Argument } from './resp-writer.js';
import { restore, Snapshot } from './snapshot.js';
import { unblock } from './unblock.js';

/** Sends a command and returns its reply. */
export type Execute = (command: string, ...args: Argument[]) => Promise<Reply>;

/** As Execute, with bulk strings as they are. */
export type ExecuteBuffer = (command: string, ...args: Argument[]) => Promise<Reply<Buffer>>;

/**
 * Controls a server that runs, over one connection of its own. `connect` returns one; a `Server` is one, too. Its methods
 * may be called while others have not settled yet: their commands are sent in the order of the calls.
 *
 * An error reply rejects with a `ReplyError`. The connection keeps the event loop of Node alive only while a call waits.
 */
export class Control implements AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** The password that clients need, if the server has one. */
  readonly password: string | undefined;

  /** The server's clock. */
  readonly clock: Clock;
  /** Rules by which calls, messages and connections go wrong. */
  readonly faults: Faults;
  /** The locks that clients hold on the server. Called as a function, it lists them. */
  readonly locks: Locks;
  /** The commands that the server has received. */
  readonly journal: Journal;

  #connection: Promise<Connection>;
  #closed = false;

  /** @internal */
  protected constructor(connection: Connection, address: Address) {
    this.host = address.host;
    this.port = address.port;
    this.password = address.password;
    this.#connection = Promise.resolve(connection);
    const execute: Execute = async (command, ...args) => this.execute(command, ...args);
    this.clock = new Clock(execute);
    this.faults = new Faults(execute);
    this.locks = locksOf(async (command, ...args) => this.executeBuffer(command, ...args), this.address);
    this.journal = new Journal(execute);
  }

  /** @internal */
  static async open(address: Address): Promise<Control> {
    return new Control(await Connection.open(address), address);
  }

  /** The host and port, `127.0.0.1:6379`. */
  get address(): string {
    return `${this.host}:${this.port}`;
  }

  /** The address for client libraries, `redis://:password@127.0.0.1:6379`. */
  get uri(): string {
    const user = this.password === undefined ? '' : `:${encodeURIComponent(this.password)}@`;
    return `redis://${user}${this.address}`;
  }

  /**
   * Sends any command and returns its reply, with strings decoded from UTF-8. Those without exactly one reply, such as
   * SUBSCRIBE and MONITOR, and those that change the connection, such as SELECT and MULTI, are rejected with a TypeError:
   * they need a client library. While a command blocks, such as BLPOP, all other calls wait.
   */
  async execute(command: string, ...args: Argument[]): Promise<Reply> {
    return decode(await this.executeBuffer(command, ...args));
  }

  /** Sends any command and returns its reply, with bulk strings as they are. */
  async executeBuffer(command: string, ...args: Argument[]): Promise<Reply<Buffer>> {
    assertShareable(command, args);
    const connection = await this.#open();
    return connection.call([command, ...args]);
  }

  /** Saves the state of the server: keys, clock, settings, users, scripts, fault rules. See `Snapshot.restore`. */
  async snapshot(): Promise<Snapshot> {
    const snapshot = new Snapshot(async (...args) => this.execute(...args));
    await this.execute('TEST.SNAPSHOT', snapshot.name);
    return snapshot;
  }

  /** Puts the state of a snapshot back, as often as you like. Rejects with a TypeError if it is of another server. */
  async restore(snapshot: Snapshot): Promise<void> {
    await restore(async (...args) => this.execute(...args), snapshot);
  }

  /**
   * Puts the server into the state in which it starts with its options, without what `load` and `faults` have added.
   * With `clients`, all other connections are closed, too.
   */
  async reset({ clients = false }: { clients?: boolean } = {}): Promise<void> {
    await this.execute('TEST.RESET', ...(clients ? ['CLIENTS'] : []));
  }

  /** All keys as text, sorted by name, so that two texts can be compared. */
  async dump(): Promise<string> {
    return textOf(await this.execute('TEST.DUMP'));
  }

  /** Looks for inconsistencies within the server, and rejects if there is one: that is a bug of minilockd. */
  async check(): Promise<void> {
    await this.execute('TEST.CHECK');
  }

  /**
   * Ends calls that block, such as BLPOP, as their timeout does, so that others get on.
   *
   * @returns the commands that had no reply yet
   * @internal
   */
  async unblock(): Promise<string[]> {
    const connection = await this.#connection;
    const { waiting } = connection;
    if (waiting.length > 0) await unblock(connection, this);
    return waiting;
  }

  /** Closes the control connection. It may be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    (await this.#connection).close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The connection; another one if the server has closed it, as a restart that a client asks for does. */
  async #open(): Promise<Connection> {
    if (this.#closed) throw new ServerClosedError('the control connection was closed by close()');
    const connection = await this.#connection;
    if (!connection.closed) return connection;
    const next = Connection.open(this);
    this.#connection = next.catch(() => connection); // the next call tries again
    return next;
  }
}
