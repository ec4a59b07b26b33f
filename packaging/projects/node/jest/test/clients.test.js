const { Redis } = require('ioredis');
const { connect } = require('minilockd');
const { useMinilockd } = require('minilockd/jest');
const { createClient } = require('redis');

const server = useMinilockd();

test('a lease of ioredis lapses', async () => {
  const client = new Redis(server.uri);
  expect(await client.set('lock', 'me', 'PX', 30_000, 'NX')).toBe('OK');
  await server.clock.advance(30_000);
  expect(await client.exists('lock')).toBe(0);
  await client.quit();
});

test('a lease of node-redis lapses', async () => {
  const client = await createClient({ url: server.uri }).connect();
  await client.set('lock', 'me', { expiration: { type: 'PX', value: 30_000 } });
  await server.clock.advance(30_000);
  expect(await client.exists('lock')).toBe(0);
  await client.close();
});

test('the server for the whole run', async () => {
  const shared = await connect(process.env.MINILOCKD_URI);
  expect(shared.port).not.toBe(server.port);
  await expect(shared.execute('COPY', 'a', 'a', 'DB', 4)).rejects.toThrow(/out of range/); // global-setup.js gives it four databases
  await shared.close();
});
