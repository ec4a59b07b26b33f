import { ReplyError } from './errors.js';
import type { Reply } from './reply.js';

/** A message from the server: the reply to a command, or a push, which belongs to none. */
export interface Message {
  readonly push: boolean;
  readonly reply: Reply<Buffer>;
}

/** Reading suspends with the number of bytes that are needed to go on. */
type Reading<T> = Generator<number, T, undefined>;

/**
 * Reads RESP3 from chunks of bytes, wherever these are cut: it goes on where the last chunk ended, so each byte is read
 * once.
 */
export class RespReader {
  readonly #onMessage: (message: Message) => void;
  readonly #reading: Reading<never>;
  #chunks: Buffer[] = [];
  #received = 0; // bytes in #chunks
  #needed = 1; // bytes with which #reading goes on
  #data: Buffer = Buffer.alloc(0); // what #reading reads
  #at = 0; // in #data

  constructor(onMessage: (message: Message) => void) {
    this.#onMessage = onMessage;
    this.#reading = this.#messages();
    this.#reading.next();
  }

  /** Reads a chunk. An error means that it is no RESP3; nothing can be read after it. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    while (this.#received >= this.#needed) {
      this.#data = Buffer.concat(this.#chunks);
      this.#at = 0;
      const { value } = this.#reading.next();
      const rest = this.#data.subarray(this.#at);
      this.#chunks = [rest];
      this.#received = rest.length;
      this.#needed = value;
    }
  }

  *#messages(): Reading<never> {
    for (;;) {
      if (this.#at === this.#data.length) yield 1;
      const push = this.#data[this.#at] === PUSH;
      this.#onMessage({ push, reply: yield* this.#value() });
    }
  }

  *#value(): Reading<Reply<Buffer>> {
    const line = yield* this.#line();
    const [type, text] = [line.slice(0, 1), line.slice(1)];
    const simple = SIMPLE[type];
    if (simple) return simple(text);
    if (type in AGGREGATES) return yield* this.#aggregate(type, Number(text));
    if (type === '|') {
      yield* this.#elements(2 * Number(text)); // attributes say something about the value that follows
      return yield* this.#value();
    }
    return yield* this.#bulk(type, Number(text));
  }

  *#bulk(type: string, length: number): Reading<Reply<Buffer>> {
    if (length === -1) return null;
    if (!'$!='.includes(type) || !Number.isSafeInteger(length)) {
      throw new TypeError(`not RESP3: ${JSON.stringify(type)}`);
    }
    const bytes = yield* this.#bytes(length);
    yield* this.#bytes(2); // CR LF
    if (type === '!') return new ReplyError(bytes.toString());
    return type === '=' ? bytes.subarray(4) : bytes; // a verbatim string begins with its format, such as "txt:"
  }

  *#aggregate(type: string, length: number): Reading<Reply<Buffer>> {
    if (length === -1) return null;
    const elements = yield* this.#elements(type === '%' ? 2 * length : length);
    if (type === '~') return new Set(elements);
    return type === '%' ? toMap(elements) : elements;
  }

  *#elements(count: number): Reading<Reply<Buffer>[]> {
    const elements: Reply<Buffer>[] = [];
    while (elements.length < count) elements.push(yield* this.#value());
    return elements;
  }

  *#line(): Reading<string> {
    let end = this.#data.indexOf('\r\n', this.#at);
    while (end < 0) {
      yield* this.#more(this.#data.length - this.#at + 1);
      end = this.#data.indexOf('\r\n', this.#at);
    }
    const line = this.#data.toString('utf8', this.#at, end);
    this.#at = end + 2;
    return line;
  }

  *#bytes(length: number): Reading<Buffer> {
    if (this.#data.length - this.#at < length) yield* this.#more(length);
    this.#at += length;
    return this.#data.subarray(this.#at - length, this.#at);
  }

  /** Suspends until there are that many bytes from #at on. */
  *#more(needed: number): Reading<void> {
    yield needed;
  }
}

const PUSH = '>'.charCodeAt(0);

/** The types that are one line. */
const SIMPLE: Record<string, ((text: string) => Reply<Buffer>) | undefined> = {
  '+': (text) => text,
  '-': (text) => new ReplyError(text),
  ':': (text) => integer(text),
  '(': (text) => BigInt(text),
  ',': (text) => double(text),
  '#': (text) => text === 't',
  _: () => null,
};

const AGGREGATES = { '*': true, '%': true, '~': true, '>': true };

function integer(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function double(text: string): number {
  if (text === 'inf') return Infinity;
  return text === '-inf' ? -Infinity : Number(text); // "nan" gives NaN
}

function toMap(elements: Reply<Buffer>[]): Map<Reply<Buffer>, Reply<Buffer>> {
  const map = new Map<Reply<Buffer>, Reply<Buffer>>();
  for (let i = 0; i + 1 < elements.length; i += 2) map.set(elements[i] ?? null, elements[i + 1] ?? null);
  return map;
}
