import { connect, type Socket } from 'node:net';

import { ConnectionLostError, ReplyError } from './errors.js';
import type { Reply } from './reply.js';
import { type Message, RespReader } from './resp-reader.js';
import { type Argument, encodeCommand } from './resp-writer.js';

/** Where a server is, and the password of its user `default` if it has one. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly password?: string | undefined;
}

interface PendingCall {
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
  #lost: Error | undefined;

  /** Connects and introduces itself; rejects if the server is not there or refuses the password. */
  static async open({ host, port, password }: Address): Promise<Connection> {
    const connection = new Connection(connect({ host, port, noDelay: true }));
    const auth = password === undefined ? [] : ['AUTH', 'default', password];
    await connection.call(['HELLO', 3, ...auth, 'SETNAME', 'minilockd-control']);
    return connection;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new RespReader((message) => {
      this.#receive(message);
    });
    socket.on('data', (chunk) => {
      this.#read(reader, chunk);
    });
    socket.on('error', (error) => (this.#lost ??= error)); // 'close' follows
    socket.on('close', () => {
      this.#fail();
    });
  }

  /** Whether the connection was closed by either side. */
  get closed(): boolean {
    return this.#socket.destroyed;
  }

  /** Sends a command. The promise rejects with a ReplyError for an error reply. */
  async call(args: readonly Argument[]): Promise<Reply<Buffer>> {
    if (this.closed) throw this.#lostError();
    const reply = await new Promise<Reply<Buffer>>((resolve, reject) => {
      if (this.#pending.push({ resolve, reject }) === 1) this.#socket.ref();
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
}
