import { readFileSync } from 'node:fs';

import { Redis } from 'ioredis';
import { start } from 'minilockd';
import { createClient } from 'redis';
import { expect, test } from 'vitest';

test('ioredis over TLS', async () => {
  const server = await start({ tls: true, password: 'secret' });
  const client = new Redis(server.tls!.uri, { tls: { ca: readFileSync(server.tls!.ca) } });
  expect(await client.set('k', 'v')).toBe('OK');
  expect(await server.execute('GET', 'k')).toBe('v');
  await client.quit();
  await server.close();
});

test('node-redis over TLS, with a certificate', async () => {
  const server = await start({ tls: true, config: { 'tls-auth-clients': 'yes' } });
  const { uri, ca, cert, key } = server.tls!;
  const files = { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) };
  const client = createClient({ url: uri, socket: { tls: true, ...files } });
  await client.connect();
  expect(await client.set('k', 'v')).toBe('OK');
  expect(await client.get('k')).toBe('v');
  await client.close();
  await server.close();
});
