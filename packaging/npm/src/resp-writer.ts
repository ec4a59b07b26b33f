import { inspect } from 'node:util';

/** An argument of a command. Strings are sent as UTF-8. */
export type Argument = string | number | bigint | Uint8Array;

/** Returns a command in RESP: an array of bulk strings. */
export function encodeCommand(args: readonly Argument[]): Buffer {
  const parts = [Buffer.from(`*${args.length}\r\n`)];
  for (const arg of args) {
    const bytes = bytesOf(arg);
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}

/** Returns the bytes that are sent; throws a TypeError for what a program without types may pass. */
export function bytesOf(arg: Argument): Buffer<ArrayBuffer> {
  if (arg instanceof Uint8Array) return Buffer.from(arg);
  if (['string', 'number', 'bigint'].includes(typeof arg)) return Buffer.from(String(arg));
  throw new TypeError(`an argument is a string, a number, a bigint or a Uint8Array, and not ${inspect(arg)}`);
}
