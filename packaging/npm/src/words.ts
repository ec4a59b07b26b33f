const ESCAPES: Record<string, string | undefined> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };

/** A word as redis-cli takes it: parts without blanks, parts in "…", parts in '…'. */
const WORD = /(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\'|[^'])*'|[^\s"'])+/y;
const PARTS = /"((?:\\[\s\S]|[^"\\])*)"|'((?:\\'|[^'])*)'|([^"'])/g;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|([\s\S]))/g;

/** Splits a line into words with the quotes and escapes of redis-cli; throws a SyntaxError if a quote is not closed. */
export function splitWords(line: string): string[] {
  const text = line.trim();
  const words: string[] = [];
  for (let at = 0; at < text.length; at += blanks(text, at)) {
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0];
    if (word === undefined) throw new SyntaxError(`unbalanced quotes in ${JSON.stringify(line)}`);
    words.push(unquote(word));
    at += word.length;
  }
  return words;
}

function blanks(text: string, at: number): number {
  const rest = text.slice(at);
  return rest.length - rest.trimStart().length;
}

function unquote(word: string): string {
  return word.replace(PARTS, (part: string, double?: string, single?: string) => {
    if (double !== undefined) return double.replace(ESCAPE, unescape);
    return single === undefined ? part : single.replaceAll("\\'", "'");
  });
}

function unescape(_: string, hex: string | undefined, char = ''): string {
  return hex === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(parseInt(hex, 16));
}
