import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

import { StartError } from './errors.js';
import { LogTail } from './log-tail.js';
import type { Binary } from './platforms.js';

/** What the server prints once it listens. */
export interface Ready {
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  readonly redis_version: string;
}

const CLOSE_TIMEOUT = 5_000;

/**
 * The process of a server. It ends when the pipe to its standard input is closed: by `close`, or by the system when this
 * process ends, however it ends. Node opens its end of the pipe so that no other child inherits it.
 */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #log: LogTail;
  readonly #ended: Promise<unknown>;
  #startError: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly binary: Binary,
    args: readonly string[],
  ) {
    this.#child = spawn(binary.path, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    this.#log = new LogTail(this.#child.stderr);
    this.#child.stdin.on('error', () => undefined); // the process has ended: that is reported by its status
    this.#child.on('error', (error) => (this.#startError = error));
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve)); // the log is complete then
  }

  /** Waits for the server to listen. The process no longer keeps the event loop alive then. */
  async ready(timeout: number): Promise<Ready> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeout);
    const started = Date.now();
    const line = await Promise.race([firstLine(this.#child.stdout), this.#ended]);
    clearTimeout(timer);
    if (typeof line !== 'string') {
      const late = Date.now() - started >= timeout ? ` (killed after ${timeout} ms without an answer)` : '';
      throw new StartError(`${this.binary.description} did not start${late}: ${this.ending}`, {
        cause: this.#startError,
      });
    }
    this.#unref();
    return JSON.parse(line) as Ready;
  }

  /** Whether the process has ended. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#startError !== undefined;
  }

  /** Waits for the process to end, for no longer than a time in milliseconds, and returns whether it has. */
  async awaitEnd(timeout: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, timeout)));
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
    return this.ended;
  }

  /** How the process has ended: its exit status, and the last lines that it logged. */
  get ending(): string {
    const { exitCode, signalCode } = this.#child;
    const status = this.#startError?.message ?? (signalCode ? `ended by ${signalCode}` : `exit status ${exitCode}`);
    const log = this.#log.toString();
    return log ? `${status}; its last lines:\n${log}` : status;
  }

  /** Ends the process, and waits for its end. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#child.stdin.end();
    this.#child.ref();
    if (!(await this.awaitEnd(CLOSE_TIMEOUT))) this.#child.kill('SIGKILL');
    await this.#ended;
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
      text += chunk.toString();
      if (!text.includes('\n')) return;
      stdout.off('data', read);
      resolve(text);
    };
    stdout.on('data', read);
  });
}
