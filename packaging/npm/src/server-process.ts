import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

import { StartError } from './errors.js';
import { LogTail } from './log-tail.js';
import { quoted } from './quote.js';
import { parseReady, type Ready } from './ready.js';

const CLOSE_TIMEOUT = 5_000;
/** How long the end of the log is waited for once the process has ended: its own children may keep the pipes open. */
const LOG_TIMEOUT = 200;
/** How much of a line that is not the server's is shown. */
const MAX_LINE = 200;

/**
 * The process of a server. It ends when the pipe to its standard input is closed: by `close`, or by the system when this
 * process ends, however it ends. Node opens its end of the pipe so that no other child inherits it.
 */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #log: LogTail;
  readonly #ended: Promise<undefined>;
  #startError: Error | undefined;
  #closing: Promise<void> | undefined;
  /** Whether the status is in an error, or is only that of a server that was closed. */
  #statusTold = false;

  constructor(path: string, args: readonly string[]) {
    this.#child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    this.#log = new LogTail(this.#child.stderr);
    this.#child.stdin.on('error', () => undefined); // the process has ended: that is reported by its status
    this.#child.on('error', (error) => (this.#startError = error));
    this.#ended = this.#awaitExit();
  }

  /**
   * Waits for the server to listen. The process no longer keeps the event loop alive then. Rejects with a StartError if it
   * ends, or prints something else.
   */
  async ready(): Promise<Ready> {
    const line = await Promise.race([firstLine(this.#child.stdout), this.#ended]);
    if (line === undefined) {
      this.#statusTold = true;
      throw new StartError(this.#status, { cause: this.#startError });
    }
    const ready = parseReady(line);
    if (!ready)
      throw new StartError(`it is no minilockd: it printed ${quoted(Buffer.from(line.slice(0, MAX_LINE), 'latin1'))}`);
    this.#unref();
    return ready;
  }

  /** Whether the process has ended. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#startError !== undefined;
  }

  /** Waits for the process to end, for no longer than a time in milliseconds, and returns whether it has. */
  async awaitEnd(timeout: number): Promise<boolean> {
    await settledWithin(this.#ended, timeout);
    return this.ended;
  }

  /** How the process has ended: its exit status, and the last lines that it logged. */
  get ending(): string {
    return this.#status + this.#lastLines;
  }

  /** What is to be added to an error once the process has ended: its status, if it says more, and the last lines. */
  get failure(): string {
    return this.#statusTold ? this.#lastLines : `; ${this.ending}`;
  }

  get #lastLines(): string {
    const log = this.#log.toString();
    return log && `; its last lines:\n${log}`;
  }

  get #status(): string {
    const { exitCode, signalCode } = this.#child;
    return this.#startError?.message ?? (signalCode ? `ended by ${signalCode}` : `exit status ${exitCode}`);
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Ends the process, and waits for its end: after a time in milliseconds it is killed. */
  async close(timeout = CLOSE_TIMEOUT): Promise<void> {
    this.#closing ??= this.#close(timeout);
    await this.#closing;
  }

  async #close(timeout: number): Promise<void> {
    this.#child.stdin.end();
    this.#child.ref();
    if (!(await this.awaitEnd(timeout))) this.kill();
    await this.#ended;
    this.#statusTold ||= this.#child.exitCode === 0 || this.#child.signalCode === 'SIGKILL';
  }

  async #awaitExit(): Promise<undefined> {
    const closed = new Promise((resolve) => this.#child.once('close', resolve)); // the log is complete then
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    await Promise.race([exited, closed]); // a process that could not be started has no exit
    await settledWithin(closed, LOG_TIMEOUT);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    return undefined;
  }

  #unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      (stream as Socket).unref(); // the pipes of a child are sockets
    }
    this.#child.stdout.resume();
  }
}

/** Never settles if the process ends before it has printed a line. */
async function firstLine(stdout: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1'); // the server's line is ASCII; that of another program is only shown
      const end = text.indexOf('\n');
      if (end < 0) return;
      stdout.off('data', read);
      resolve(text.slice(0, end));
    };
    stdout.on('data', read);
  });
}

/** Waits for a promise, for no longer than a time in milliseconds. */
async function settledWithin(promise: Promise<unknown>, timeout: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, timeout)));
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
