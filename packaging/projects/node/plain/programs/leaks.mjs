// Tests of which two fail: test/helper.test.mjs looks at what they print.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { useMinilockd } from 'minilockd/node-test';

const server = useMinilockd({ failOnHeldLocks: true });

test('releases its lock', async () => {
  await server.execute('SET', 'order:0', 'me', 'NX', 'PX', 30_000);
  await server.execute('DEL', 'order:0');
});

test('leaves a lock held', async () => {
  await server.execute('SET', 'order:1', 'me', 'NX', 'PX', 30_000);
});

test('begins without it', async () => {
  assert.equal(await server.execute('DBSIZE'), 0);
});

test('fails by itself', async () => {
  await server.execute('SET', 'order:2', 'me', 'NX', 'PX', 30_000);
  assert.equal(1, 2);
});
