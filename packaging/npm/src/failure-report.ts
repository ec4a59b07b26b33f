import type { Control } from './control.js';
import type { JournalEntry } from './journal.js';

const LAST_COMMANDS = 50;
/** Arguments that are longer, such as scripts, are cut. */
const MAX_ARGUMENT = 80;
const ARGUMENT = /"(?:\\.|[^"\\])*"|\S+/g;

/** Describes what a failed test left on the server: its locks, and the last commands of the journal. */
export async function failureReport(server: Control): Promise<string> {
  try {
    const [locks, commands] = await Promise.all([server.locks(), server.journal.entries({ count: LAST_COMMANDS })]);
    return (
      section(`Locks on minilockd at ${server.address}:`, locks) +
      section('The last commands:', commands.map(shortened))
    );
  } catch (error) {
    return `minilockd cannot say what the test left: ${String(error)}`;
  }
}

function section(title: string, lines: readonly { toString(): string }[]): string {
  return `${title}\n${lines.length ? lines.map((line) => `  ${line.toString()}\n`).join('') : '  none\n'}`;
}

function shortened(entry: JournalEntry): string {
  return String(entry).replace(ARGUMENT, (text) =>
    text.length > MAX_ARGUMENT ? `${text.slice(0, MAX_ARGUMENT)}…` : text,
  );
}
