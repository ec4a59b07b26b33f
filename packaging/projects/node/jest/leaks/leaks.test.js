// Tests of which two fail: the test in Go looks at what they print.
const { Redis } = require('ioredis');
const { useMinilockd } = require('minilockd/jest');

const server = useMinilockd({ failOnHeldLocks: true });

test('releases its lock', async () => {
  await server.execute('SET', 'order:0', 'me', 'NX', 'PX', 30_000);
  await server.execute('DEL', 'order:0');
});

test('leaves a lock held', async () => {
  await server.execute('SET', 'order:1', 'me', 'NX', 'PX', 30_000);
});

test('begins without it', async () => {
  expect(await server.execute('DBSIZE')).toBe(0);
});

test('fails by itself', async () => {
  const client = new Redis(server.uri, { connectionName: 'worker' });
  await client.set('order:2', 'me', 'PX', 30_000, 'NX');
  await client.quit();
  expect(1).toBe(2);
});

test.failing('fails as expected', async () => {
  await server.execute('SET', 'order:3', 'me', 'NX', 'PX', 30_000);
  expect(1).toBe(2);
});
