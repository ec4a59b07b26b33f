import { type Address, Connection } from './connection.js';
import { Control } from './control.js';
import { ConnectionLostError, ServerClosedError, StartError } from './errors.js';
import { commandLine, passwordOf, type StartOptions } from './options.js';
import { type Binary, findBinary } from './platforms.js';
import type { Reply } from './reply.js';
import type { Argument } from './resp-writer.js';
import { type Ready, ServerProcess } from './server-process.js';

/** How long a process may take to end, in milliseconds, after its connection was lost, so that the error can say why. */
const END_TIMEOUT = 1_000;
const START_TIMEOUT = 30_000;

/**
 * Starts a server on a free port and waits until it accepts connections. It ends with `close`, at the end of an
 * `await using` block, or when this process ends, however it ends. It does not keep the process alive.
 *
 * @throws StartError with the server's last lines, if it does not start
 */
export async function start(options: StartOptions = {}): Promise<Server> {
  return Server.start(options);
}

/** A server in a process of its own, which `start` has started. */
export class Server extends Control {
  /** The id of the server's process. */
  readonly pid: number;
  /** The version of minilockd. */
  readonly version: string;
  /** The version of Redis that it behaves as. */
  readonly redisVersion: string;

  readonly #process: ServerProcess;
  #closed = false;

  private constructor(connection: Connection, address: Address, process: ServerProcess, ready: Ready) {
    super(connection, address);
    this.#process = process;
    this.pid = ready.pid;
    this.version = ready.version;
    this.redisVersion = ready.redis_version;
  }

  /** @internal */
  static async start(options: StartOptions): Promise<Server> {
    const args = commandLine(options);
    const process = launch(findBinary(options.binary), args);
    try {
      const ready = await process.ready(options.startTimeout ?? START_TIMEOUT);
      const address: Address = { host: '127.0.0.1', port: ready.port, password: passwordOf(options) };
      return new Server(await Connection.open(address), address, process, ready);
    } catch (error) {
      await process.close();
      if (error instanceof ConnectionLostError) throw new StartError(error.message, { cause: error });
      throw error;
    }
  }

  override async executeBuffer(command: string, ...args: Argument[]): Promise<Reply<Buffer>> {
    this.#assertRunning();
    try {
      return await super.executeBuffer(command, ...args);
    } catch (error) {
      if (error instanceof ConnectionLostError && !this.#closed) await this.#process.awaitEnd(END_TIMEOUT);
      if (error instanceof ConnectionLostError) this.#assertRunning();
      throw error;
    }
  }

  /** Ends the server and waits until its process has ended. It may be called twice. */
  override async close(): Promise<void> {
    this.#closed = true;
    await super.close();
    await this.#process.close();
  }

  #assertRunning(): void {
    if (this.#closed) throw new ServerClosedError('the server was closed by close()');
    if (this.#process.ended) throw new ServerClosedError(`the server has ended: ${this.#process.ending}`);
  }
}

function launch(binary: Binary, args: readonly string[]): ServerProcess {
  try {
    return new ServerProcess(binary, args);
  } catch (cause) {
    throw new StartError(`cannot start ${binary.description}: ${String(cause)}`, { cause }); // such as a file that is no program
  }
}
