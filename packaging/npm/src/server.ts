import { type Address, Connection } from './connection.js';
import { Control } from './control.js';
import { Deadline } from './deadline.js';
import { ConnectionLostError, ServerClosedError, StartError } from './errors.js';
import { given } from './known-keys.js';
import { commandLine, passwordOf, type StartOptions } from './options.js';
import { type Binary, findBinary } from './platforms.js';
import type { Reply } from './reply.js';
import type { Ready } from './ready.js';
import type { Argument } from './resp-writer.js';
import { ServerProcess } from './server-process.js';

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
  return Server.start(given(options));
}

/** Where a server listens for TLS, and the files in PEM for its clients. */
export interface TlsAddress {
  readonly port: number;
  /** The address for client libraries, `rediss://:password@127.0.0.1:6380`. */
  readonly uri: string;
  /** The path of the certificate of the authority that clients are to trust. */
  readonly ca: string;
  /** The path of a certificate for clients, which need it with `config: { 'tls-auth-clients': 'yes' }`. */
  readonly cert: string;
  /** The path of the key of that certificate. */
  readonly key: string;
}

/** A server in a process of its own, which `start` has started. */
export class Server extends Control {
  /** The id of the server's process. */
  readonly pid: number;
  /** The version of minilockd. */
  readonly version: string;
  /** The version of Redis that it behaves as. */
  readonly redisVersion: string;
  /** Where it listens for TLS; undefined without the option `tls`. */
  readonly tls: TlsAddress | undefined;

  readonly #process: ServerProcess;
  #closed = false;

  private constructor(connection: Connection, address: Address, process: ServerProcess, ready: Ready) {
    super(connection, address);
    this.#process = process;
    this.pid = ready.pid;
    this.version = ready.version;
    this.redisVersion = ready.redis_version;
    this.tls = tlsAddress(ready, this.uri);
  }

  /** @internal */
  static async start(options: StartOptions): Promise<Server> {
    const args = commandLine(options);
    const binary = findBinary(options.binary);
    const deadline = new Deadline(options.startTimeout ?? START_TIMEOUT);
    try {
      return await Server.#start(launch(binary, args), options, deadline);
    } catch (error) {
      const late = deadline.over ? ` (killed after ${deadline.timeout} ms without an answer)` : '';
      throw new StartError(`${binary.description} did not start${late}: ${(error as Error).message}`, { cause: error });
    } finally {
      deadline.clear();
    }
  }

  static async #start(process: ServerProcess, options: StartOptions, { signal }: Deadline): Promise<Server> {
    signal.addEventListener('abort', () => {
      process.kill();
    });
    try {
      const ready = await process.ready();
      const address: Address = { host: '127.0.0.1', port: ready.port, password: passwordOf(options) };
      return new Server(await connected(address, options, signal), address, process, ready);
    } catch (cause) {
      await process.close(END_TIMEOUT);
      throw new StartError((cause as Error).message + process.failure, { cause });
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

function tlsAddress({ tls_port: port, tls_ca: ca, tls_cert: cert, tls_key: key }: Ready, uri: string) {
  if (port === undefined || ca === undefined || cert === undefined || key === undefined) return undefined;
  return { port, uri: uri.replace(/^redis:/, 'rediss:').replace(/\d+$/, String(port)), ca, cert, key };
}

function launch(binary: Binary, args: readonly string[]): ServerProcess {
  try {
    return new ServerProcess(binary.path, args);
  } catch (cause) {
    throw new StartError(`it cannot be run: ${String(cause)}`, { cause }); // such as a file that is no program
  }
}

/** Opens the control connection; the error names the file of rules if one of them may be the cause. */
async function connected(address: Address, { faults }: StartOptions, signal: AbortSignal): Promise<Connection> {
  try {
    return await Connection.open(address, signal);
  } catch (cause) {
    if (faults === undefined || !(cause instanceof ConnectionLostError)) throw cause;
    const hint = `a rule of ${faults} may concern the connection of start, which is the first one`;
    throw new ConnectionLostError(`${cause.message}; ${hint}`, { cause });
  }
}
