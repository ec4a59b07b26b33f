import { Redis } from 'ioredis';
import { connect } from 'minilockd';
import { useMinilockd } from 'minilockd/vitest';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const server = useMinilockd({ password: 'secret' });
let ioredis: Redis;
const open = () => createClient({ url: server.uri });
let nodeRedis: ReturnType<typeof open>;

beforeAll(async () => {
  ioredis = new Redis(server.uri);
  nodeRedis = open();
  await nodeRedis.connect();
});

afterAll(async () => {
  await ioredis.quit();
  await nodeRedis.close();
});

test('a lease of ioredis lapses', async () => {
  expect(await ioredis.set('lock', 'me', 'PX', 30_000, 'NX')).toBe('OK');
  await server.clock.advance(30_000);
  expect(await ioredis.set('lock', 'you', 'PX', 30_000, 'NX')).toBe('OK');
});

test('a lease of node-redis lapses', async () => {
  const options = { condition: 'NX', expiration: { type: 'PX', value: 30_000 } } as const;
  expect(await nodeRedis.set('lock', 'me', options)).toBe('OK');
  expect(await nodeRedis.set('lock', 'you', options)).toBeNull();
  await server.clock.advance(30_000);
  expect(await nodeRedis.set('lock', 'you', options)).toBe('OK');
});

test('ioredis sends a command again whose reply was lost', async () => {
  const fault = await server.faults.add({ command: 'incr', times: 1, then: 'loseReply' });
  expect(await ioredis.incr('counter')).toBe(2);
  expect(await fault.hits()).toBe(1);
});

test('a restart', async () => {
  await nodeRedis.set('a', '1');
  nodeRedis.on('error', () => undefined); // it reports that its connection was closed, and connects again
  await server.faults.restart('lose');
  expect(await nodeRedis.get('a')).toBeNull();
});

test('the server for the whole run', async () => {
  expect(inject('minilockdUri')).toBe(process.env['MINILOCKD_URI']);
  await using shared = await connect(inject('minilockdUri'));
  expect(shared.port).not.toBe(server.port);
  expect(await shared.execute('PING')).toBe('PONG');
});
