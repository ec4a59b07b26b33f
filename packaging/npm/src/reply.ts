import { inspect } from 'node:util';

import { ReplyError } from './errors.js';

/**
 * A reply of the server as a value of JavaScript. `S` is the type of strings: `string`, or `Buffer` where the bytes
 * matter. Integers are numbers as long as a number is exact, and bigints beyond that. An error within an array, as EXEC
 * replies, is a ReplyError.
 */
export type Reply<S = string> =
  S | string | number | bigint | boolean | null | ReplyError | Reply<S>[] | Set<Reply<S>> | Map<Reply<S>, Reply<S>>;

/** Returns a reply with its strings decoded from UTF-8. */
export function decode(reply: Reply<Buffer>): Reply {
  if (Buffer.isBuffer(reply)) return reply.toString();
  if (Array.isArray(reply)) return reply.map(decode);
  if (reply instanceof Set) return new Set(Array.from(reply, decode));
  if (reply instanceof Map) return new Map(Array.from(reply, ([key, value]) => [decode(key), decode(value)]));
  return reply;
}

/** The fields of a reply that is a map with names as keys. Its strings may be decoded or not. */
export class Fields {
  readonly #values: Map<string, unknown>;

  /** Takes the reply as fields; throws a TypeError if it is not a map. */
  constructor(reply: unknown) {
    if (!(reply instanceof Map)) throw unexpected(reply, 'a map');
    this.#values = new Map(Array.from(reply as Map<unknown, unknown>, ([key, value]) => [textOf(key), value]));
  }

  /** A field that must be there. */
  text(name: string): string {
    return this.optionalText(name) ?? '';
  }

  optionalText(name: string): string | undefined {
    return this.bytes(name)?.toString();
  }

  /** A text as the server sent it, if the reply was not decoded. */
  bytes(name: string): string | Buffer | undefined {
    const value = this.#values.get(name);
    return typeof value === 'string' || Buffer.isBuffer(value) ? value : undefined;
  }

  /** A field that must be there. */
  number(name: string): number {
    return this.optionalNumber(name) ?? 0;
  }

  optionalNumber(name: string): number | undefined {
    const value = this.#values.get(name);
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
  }

  /** A time in milliseconds since 1970. */
  time(name: string): Date | undefined {
    const value = this.optionalNumber(name);
    return value === undefined ? undefined : new Date(value);
  }

  /** A field that is an array of maps; an empty list if it is not there. */
  list(name: string): Fields[] {
    return listOf(this.#values.get(name) ?? []);
  }

  boolean(name: string): boolean {
    const value = this.#values.get(name);
    return value === true || value === 1;
  }
}

/** The elements of a reply that is an array of maps. */
export function listOf(reply: unknown): Fields[] {
  return arrayOf(reply).map((element) => new Fields(element));
}

/** The elements of a reply that is an array; throws a TypeError if it is not. */
export function arrayOf(reply: unknown): unknown[] {
  if (!Array.isArray(reply)) throw unexpected(reply, 'an array');
  return reply as unknown[];
}

/** A reply that is a string; throws a TypeError if it is not. */
export function textOf(reply: unknown): string {
  if (Buffer.isBuffer(reply)) return reply.toString();
  if (typeof reply !== 'string') throw unexpected(reply, 'a string');
  return reply;
}

function unexpected(reply: unknown, wanted: string): TypeError {
  return new TypeError(`the server replied ${inspect(reply)} instead of ${wanted}`);
}
