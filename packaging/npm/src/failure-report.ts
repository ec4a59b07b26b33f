import { CONTROL_NAME } from './connection.js';
import type { Control } from './control.js';
import type { JournalEntry } from './journal.js';

const LAST_COMMANDS = 50;
/** Arguments that are longer, such as scripts, are cut. */
const MAX_ARGUMENT = 80;
/** The command by which a control connection gets its name. */
const HANDSHAKE = new RegExp(`^HELLO 3 .*SETNAME ${CONTROL_NAME}$`);
const ARGUMENT = /"(?:\\.|[^"\\])*"|\S+/g;

/**
 * Describes what a failed test left on the server: its locks, the last commands of the journal, and the calls of `execute`
 * that had no reply.
 */
export async function failureReport(server: Control, waiting: readonly string[]): Promise<string> {
  try {
    const [locks, entries] = await Promise.all([server.locks(), server.journal.entries()]);
    const commands = entries.filter(isOfClient).slice(-LAST_COMMANDS);
    return (
      (waiting.length
        ? section('calls of server.execute had no reply, and later ones waited for them:', waiting.map(shortened))
        : '') +
      section(`locks of minilockd on ${server.address}:`, locks) +
      section('the last commands:', commands.map(shortened))
    );
  } catch (error) {
    return `minilockd cannot say what the test left: ${String(error)}`;
  }
}

function section(title: string, lines: readonly { toString(): string }[]): string {
  return `${title}\n${lines.length ? lines.map((line) => `  ${line.toString()}\n`).join('') : '  none\n'}`;
}

function shortened(entry: JournalEntry | string): string {
  return String(entry).replace(ARGUMENT, (text) =>
    text.length > MAX_ARGUMENT ? `${text.slice(0, MAX_ARGUMENT)}…` : text,
  );
}

/** Whether a client of the test has sent it, and not the test itself; PING, by which clients look for the server, is none. */
function isOfClient({ name, command }: JournalEntry): boolean {
  return name !== CONTROL_NAME && !HANDSHAKE.test(command) && !/^ping\b/i.test(command);
}
