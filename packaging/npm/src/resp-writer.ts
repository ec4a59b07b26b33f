/** An argument of a command. Strings are sent as UTF-8. */
export type Argument = string | number | bigint | Uint8Array;

/** Returns a command in RESP: an array of bulk strings. */
export function encodeCommand(args: readonly Argument[]): Buffer {
  const parts = [Buffer.from(`*${args.length}\r\n`)];
  for (const arg of args) {
    const bytes = typeof arg === 'object' ? arg : Buffer.from(String(arg));
    parts.push(Buffer.from(`$${bytes.length}\r\n`), Buffer.from(bytes), Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}
