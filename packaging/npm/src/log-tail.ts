import type { Readable } from 'node:stream';

const MAX_LINES = 50;

/** Reads a stream to its end and keeps the last lines, for error messages. */
export class LogTail {
  #lines: string[] = [''];

  constructor(stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      this.#append(text);
    });
  }

  #append(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.#lines.push((this.#lines.pop() ?? '') + first, ...rest);
    this.#lines = this.#lines.slice(-MAX_LINES - 1); // the last one is not complete yet
  }

  toString(): string {
    return this.#lines.join('\n').trimEnd();
  }
}
