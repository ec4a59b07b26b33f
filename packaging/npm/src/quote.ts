const ESCAPES: Record<string, string | undefined> = {
  ...{ '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\x07': '\\a', '"': '\\"', '\\': '\\\\' },
};

/** Text or bytes in quotes, with the escapes of redis-cli: all but printable ASCII is `\xff`. */
export function quoted(value: string | Uint8Array): string {
  const bytes = Buffer.from(value as string).toString('latin1'); // a character for each byte
  return `"${bytes.replace(/[^ !#-[\]-~]/g, escaped)}"`;
}

/** As `quoted`, but a word that can do without quotes has none. */
export function quotedIfNeeded(value: string | Uint8Array): string {
  const text = Buffer.from(value as string).toString('latin1');
  return /^[!#-&(-[\]-~]+$/.test(text) ? text : quoted(value);
}

function escaped(char: string): string {
  return ESCAPES[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
