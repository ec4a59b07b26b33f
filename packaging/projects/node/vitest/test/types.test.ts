import { type FaultRule, start } from 'minilockd';
import { expect, test } from 'vitest';

const rules: FaultRule[] = [
  { command: 'evalsha', key: 'order:*', nth: 2, then: 'loseReply' },
  { channel: 'c*', then: { delay: [10, 20], realTime: true } },
  { connect: true, client: '10.*', then: 'refuse' },
  // @ts-expect-error only a message can be dropped
  { command: 'get', then: 'drop' },
  // @ts-expect-error only a connection can be refused
  { channel: 'a', then: 'refuse' },
  // @ts-expect-error a message is not that of a command
  { channel: 'a', command: 'publish', then: 'drop' },
];

test('what TypeScript refuses, the server refuses', async () => {
  await using server = await start();
  for (const rule of rules.slice(0, 3)) await server.faults.add(rule);
  for (const rule of rules.slice(3)) await expect(server.faults.add(rule)).rejects.toThrow(/^ERR/);
});
