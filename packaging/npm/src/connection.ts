import { connect, type Socket } from 'node:net';

import { ConnectionLostError, ReplyError } from './errors.js';
import { quotedIfNeeded } from './quote.js';
import { decode, Fields, type Reply } from './reply.js';
import { type Message, RespReader } from './resp-reader.js';
import { type Argument, bytesOf, encodeCommand } from './resp-writer.js';

/** The name of control connections in CLIENT LIST and the journal. */
export const CONTROL_NAME = 'minilockd-control';

/** Where a server is, and the password of its user `default` if it has one. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly password?: string | undefined;
}

interface PendingCall {
  readonly args: readonly Argument[];
  readonly resolve: (reply: Reply<Buffer>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A connection that sends commands in the order of the calls. It keeps the event loop of Node alive only while a reply
 * is missing.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #pending: PendingCall[] = [];
  #connected = false;
  #aborted = false;
  #lost: Error | undefined;
  #id = 0;

  /**
   * Connects and introduces itself; rejects if the server is not there or refuses the password, or when the signal aborts
   * it.
   */
  static async open({ host, port, password }: Address, signal?: AbortSignal): Promise<Connection> {
    const connection = new Connection(connect({ host, port, noDelay: true }));
    const abort = (): void => {
      connection.#aborted = true;
      connection.close();
    };
    signal?.addEventListener('abort', abort);
    try {
      await connection.#introduce(password);
      return connection;
    } catch (error) {
      connection.close();
      throw error instanceof ConnectionLostError ? connection.#openError(`${host}:${port}`) : error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new RespReader((message) => {
      this.#receive(message);
    });
    socket.on('data', (chunk) => {
      this.#read(reader, chunk);
    });
    socket.on('connect', () => (this.#connected = true));
    socket.on('error', (error) => (this.#lost ??= error)); // 'close' follows
    socket.on('close', () => {
      this.#fail();
    });
  }

  /** Whether the connection was closed by either side. */
  get closed(): boolean {
    return this.#socket.destroyed;
  }

  /** The server's id of this client. */
  get id(): number {
    return this.#id;
  }

  /** The commands that have no reply yet. */
  get waiting(): string[] {
    return this.#pending.map(({ args }) => args.map((arg) => quotedIfNeeded(bytesOf(arg))).join(' '));
  }

  /** Sends a command. The promise rejects with a ReplyError for an error reply. */
  async call(args: readonly Argument[]): Promise<Reply<Buffer>> {
    if (this.closed) throw this.#lostError();
    const reply = await new Promise<Reply<Buffer>>((resolve, reject) => {
      if (this.#pending.push({ args, resolve, reject }) === 1) this.#socket.ref();
      this.#socket.write(encodeCommand(args));
    });
    // made here, the error has the stack of the caller
    if (reply instanceof ReplyError) throw new ReplyError(reply.message);
    return reply;
  }

  /** Closes the connection. Calls that wait for a reply are rejected. */
  close(): void {
    this.#socket.destroy();
  }

  /** FAULT.EXEMPT comes first, or a fault rule that every call fits would hit HELLO. */
  async #introduce(password: string | undefined): Promise<void> {
    const auth = password === undefined ? [] : ['AUTH', 'default', password];
    const [, hello] = await Promise.all([
      this.call(['FAULT.EXEMPT']),
      this.call(['HELLO', 3, ...auth, 'SETNAME', CONTROL_NAME]),
    ]);
    this.#id = new Fields(decode(hello)).number('id');
  }

  #read(reader: RespReader, chunk: Buffer): void {
    try {
      reader.push(chunk);
    } catch (error) {
      this.#socket.destroy(error as Error);
    }
  }

  #receive({ push, reply }: Message): void {
    if (push) return;
    this.#pending.shift()?.resolve(reply);
    if (this.#pending.length === 0) this.#socket.unref();
  }

  #fail(): void {
    for (const call of this.#pending.splice(0)) call.reject(this.#lostError());
  }

  #lostError(): ConnectionLostError {
    return new ConnectionLostError('the control connection was closed', { cause: this.#lost });
  }

  #openError(address: string): ConnectionLostError {
    return new ConnectionLostError(this.#openFailure(address), { cause: this.#lost });
  }

  #openFailure(address: string): string {
    if (this.#aborted) return `minilockd on ${address} has not answered the control connection`;
    if (!this.#connected) {
      return `cannot connect to minilockd on ${address}: ${this.#lost?.message ?? 'the connection was closed'}`;
    }
    return `minilockd on ${address} has closed the control connection at once, as a fault rule CONNECT … THEN REFUSE does`;
  }
}
