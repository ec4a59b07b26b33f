import { type Argument, bytesOf } from './resp-writer.js';

/** Commands without exactly one reply, and those that change the connection for all calls that follow. */
const REFUSED =
  /^([ps]?(un)?subscribe|monitor|lock\.watch|hello|auth|select|multi|exec|discard|(un)?watch|quit|reset|client reply|p?sync)$/i;

/** Throws a TypeError if a command cannot be sent on the connection that all calls of a Control share. */
export function assertShareable(command: Argument | undefined, args: readonly Argument[]): void {
  const [name = '', ...words] = [command ?? '', ...args].map((arg) => bytesOf(arg).toString());
  if (name === '') throw new TypeError('there is no command to execute');
  const refused = [name, `${name} ${words[0] ?? ''}`].find((text) => REFUSED.test(text));
  if (refused === undefined) return;
  throw new TypeError(`${refused} needs a connection of its own: use a client library instead of execute`);
}
