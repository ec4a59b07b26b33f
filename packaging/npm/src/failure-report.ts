import type { Control } from './control.js';

const LAST_COMMANDS = 50;

/** Describes what a failed test left on the server: its locks, and the last commands of the journal. */
export async function failureReport(server: Control): Promise<string> {
  try {
    const [locks, commands] = await Promise.all([server.locks(), server.journal.entries({ count: LAST_COMMANDS })]);
    return section(`Locks on minilockd at ${server.address}:`, locks) + section('The last commands:', commands);
  } catch (error) {
    return `minilockd cannot say what the test left: ${String(error)}`;
  }
}

function section(title: string, lines: readonly { toString(): string }[]): string {
  return `${title}\n${lines.length ? lines.map((line) => `  ${line.toString()}\n`).join('') : '  none\n'}`;
}
