// Tests of which three fail: test/helper.test.mjs looks at what they print.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import { useMinilockd } from 'minilockd/node-test';

import { Worker } from './worker.mjs';

const server = useMinilockd({ failOnHeldLocks: 'order:*', reset: null }); // null is as if not given
let worker;

beforeEach(async () => {
  worker = await Worker.open(server);
});

afterEach(() => {
  worker.close();
  console.log('closed worker');
});

test('releases its lock', async (context) => {
  await server.execute('SET', 'order:0', 'me', 'NX', 'PX', 30_000);
  context.after(async () => server.execute('DEL', 'order:0'));
});

test('leaves a lock held', async () => {
  await worker.ask('SET order:1 me NX PX 30000');
});

test('begins without it', async () => {
  assert.equal(await server.execute('DBSIZE'), 0);
});

test('fails by itself', async () => {
  await worker.ask('PING');
  await worker.ask(`SET note ${'x'.repeat(100)}`);
  await worker.ask('SET order:2 me NX PX 30000');
  assert.equal(1, 2);
});

test('holds a lock that does not count', async () => {
  await worker.ask('SET other me NX PX 30000');
});

test('waits for a call that blocks', async () => {
  server.execute('BLPOP', 'queue', 0);
  server.execute('GET', Buffer.from('a\xff\n', 'latin1'), 'x'.repeat(100));
  assert.equal(1, 2);
});

test('goes on after it', async () => {
  assert.equal(await server.execute('PING'), 'PONG');
});
