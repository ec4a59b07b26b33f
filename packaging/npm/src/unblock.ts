import { type Address, Connection } from './connection.js';

/** Ends the calls of a connection that block, one after the other, as their timeout does. */
export async function unblock(connection: Connection, address: Address): Promise<void> {
  const other = await Connection.open(address);
  const last = { settled: false };
  const settle = (): boolean => (last.settled = true);
  connection.call(['PING']).then(settle, settle);
  try {
    while (!last.settled) await other.call(['CLIENT', 'UNBLOCK', connection.id]);
  } finally {
    other.close();
  }
}
