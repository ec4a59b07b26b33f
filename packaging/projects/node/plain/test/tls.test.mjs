import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connect } from 'node:tls';

import { start } from 'minilockd';

/** Returns the first reply to a client that uses TLS. */
async function ping(options) {
  const socket = connect(options);
  try {
    await once(socket, 'secureConnect');
    socket.write('PING\r\n');
    const [reply] = await once(socket, 'data');
    return String(reply);
  } finally {
    socket.destroy();
  }
}

test('a client that trusts the authority', async () => {
  const server = await start({ tls: true, password: 'p w' });
  const { port, uri, ca } = server.tls;
  assert.equal(uri, `rediss://:p%20w@127.0.0.1:${port}`);
  assert.match(await ping({ port, ca: readFileSync(ca) }), /^-NOAUTH/);
  await assert.rejects(ping({ port }), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  await server.close();
  assert.equal(existsSync(ca), false);
});

test('a client with a certificate', async () => {
  const server = await start({ tls: true, config: { 'tls-auth-clients': 'yes' } });
  const { port, ca, cert, key } = server.tls;
  const files = { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) };
  assert.equal(await ping({ port, ...files }), '+PONG\r\n');
  await assert.rejects(ping({ port, ca: files.ca }));
  await server.close();
});

test('no TLS without the option', async () => {
  const server = await start();
  assert.equal(server.tls, undefined);
  await server.close();
});
