import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import * as esm from 'minilockd';
import { connect, ServerClosedError, start, StartError } from 'minilockd';
import { useMinilockd } from 'minilockd/node-test';

import { Worker } from '../programs/worker.mjs';

const folder = mkdtempSync(join(tmpdir(), 'minilockd-test-'));
after(() => rmSync(folder, { recursive: true }));

const file = (name, text, mode = 0o644) => {
  writeFileSync(join(folder, name), text, { mode });
  return join(folder, name);
};

test('CommonJS and ES modules get the same', () => {
  const cjs = createRequire(import.meta.url)('minilockd');
  assert.equal(cjs.start, start);
  assert.deepEqual(Object.keys(cjs).sort(), Object.keys(esm).sort());
});

test('a server tells where and what it is', async () => {
  const server = await start();
  assert.equal(server.host, '127.0.0.1');
  assert.equal(server.uri, `redis://127.0.0.1:${server.port}`);
  assert.equal(server.address, `127.0.0.1:${server.port}`);
  assert.equal(server.redisVersion, '8.2.3');
  assert.match(server.version, /^v?\d/);
  process.kill(server.pid, 0); // it is there
  assert.equal(await server.execute('PING'), 'PONG');
  await server.close();
  await server.close();
  assert.throws(() => process.kill(server.pid, 0), { code: 'ESRCH' });
  await assert.rejects(server.execute('PING'), new ServerClosedError('the server was closed by close()'));
});

test('options', async () => {
  const server = await start({
    emulate: '7.4',
    password: 'p:/@ ü',
    databases: 3,
    lockHistory: 100,
    faults: file('faults.txt', 'COMMAND auth THEN ERROR LOADING\n'),
    load: [file('one.txt', 'SET a 1\n'), file('two.txt', 'SET b 2\n')],
    config: {
      maxmemory: '100mb',
      'lazyfree-lazy-expire': true,
      'client-output-buffer-limit': ['normal', 0, 0, 0],
    },
    args: ['--notify-keyspace-events', 'KEA'],
  });
  const client = await connect(server.uri);
  assert.equal(await client.execute('DBSIZE'), 2);
  const worker = await Worker.open(server);
  assert.match(await worker.ask('AUTH wrong'), /^-LOADING /);
  worker.close();
  await assert.rejects(client.execute('COPY', 'a', 'a', 'DB', 3), /out of range/);
  const settings = await client.execute('CONFIG', 'GET', 'maxmemory', 'notify-keyspace-events', 'lazyfree-lazy-expire');
  assert.equal(server.redisVersion, '7.4.2');
  assert.equal(settings.get('maxmemory'), String(100 << 20));
  assert.equal(settings.get('notify-keyspace-events'), 'AKE');
  assert.equal(settings.get('lazyfree-lazy-expire'), 'yes');
  await assert.rejects(connect(`redis://127.0.0.1:${server.port}`), {
    code: 'NOAUTH',
  });
  await client.close();
  const { port } = server;
  await server.close();
  const again = await start({ port });
  assert.equal(again.port, port);
  await again.close();
});

test('options that do not exist', async () => {
  await assert.rejects(start({ pasword: 'secret' }), {
    name: 'TypeError',
    message: /^the option of start 'pasword' does not exist; there are port, emulate, tls, password, /,
  });
  await assert.rejects(start({ failOnHeldLocks: true }), /'failOnHeldLocks' does not exist/);
  assert.throws(
    () => useMinilockd({ failOnHeldLock: true }),
    /^TypeError: .*there are .*startTimeout, failOnHeldLocks/,
  );
});

test('the password as a setting', async () => {
  const server = await start({ config: { requirepass: 'secret' } });
  assert.equal(server.password, 'secret');
  const client = await connect(server.uri);
  assert.equal(await client.execute('PING'), 'PONG');
  await client.close();
  await assert.rejects(client.execute('PING'), new ServerClosedError('the control connection was closed by close()'));
  await server.close();
});

test('a call that blocks when the server is closed', async () => {
  const server = await start();
  const blocked = assert.rejects(
    server.execute('BLPOP', 'queue', 0),
    new ServerClosedError('the server was closed by close()'),
  );
  await server.close();
  await blocked;
});

test('rules of a file that concern the first connection', async () => {
  await assert.rejects(start({ faults: file('refuse.txt', 'CONNECT THEN REFUSE\n') }), {
    name: 'StartError',
    message:
      /has closed the control connection at once, .*; a rule of .*refuse\.txt may concern .* which is the first one/,
  });
  const server = await start({ faults: file('silent.txt', 'CONNECT THEN SILENT\nTHEN CLOSE\n') });
  assert.equal(await server.execute('PING'), 'PONG');
  await server.close();
  await assert.rejects(connect(server.uri), {
    name: 'ConnectionLostError',
    message: /^cannot connect to .*ECONNREFUSED/,
  });
});

test('a server that does not start shows its last lines', async () => {
  await assert.rejects(start({ config: { maxmemory: 'much' } }), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /exit status 1; its last lines:\n[^]*maxmemory/);
    return true;
  });
  const many = file('many', '#!/bin/sh\nfor i in $(seq 60); do echo "line $i" >&2; done\nexit 3\n', 0o755);
  await assert.rejects(start({ binary: many }), (error) => {
    assert.match(error.message, /did not start: exit status 3; its last lines:\nline 11\n[^]*\nline 60$/);
    return true;
  });
});

test('a file that is no server', async () => {
  await assert.rejects(start({ binary: join(folder, 'none') }), {
    name: 'StartError',
    message: /none \(from the option binary\).*ENOENT/,
  });
  await assert.rejects(start({ binary: file('text', 'text') }), {
    name: 'StartError',
    message: /EACCES/,
  });
  await assert.rejects(start({ binary: file('no-program', 'text', 0o755) }), {
    name: 'StartError',
  });
  const silent = file('silent', '#!/bin/sh\nexec sleep 1000\n', 0o755);
  await assert.rejects(start({ binary: silent, startTimeout: 20 }), /killed after 20 ms without an answer/);
});

test('a server that accepts the connection and does not answer', async () => {
  const silent = createServer(() => {});
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const ready = JSON.stringify({ port: silent.address().port, pid: 1, version: '1', redis_version: '7' });
  const binary = file('unanswered', `#!/bin/sh\necho '${ready}'\ncat\n`, 0o755);
  await assert.rejects(start({ binary, startTimeout: 1_000, faults: 'rules.txt' }), {
    name: 'StartError',
    message: /did not start \(killed after 1000 ms without an answer\)/,
  });
  silent.close();
});

test('THEN HANG in a file of rules', async () => {
  const server = await start({ faults: file('hang.txt', 'THEN HANG\n') });
  assert.equal(await server.execute('PING'), 'PONG');
  await server.close();
});

test('a program that is no minilockd', async () => {
  const printed = async (script) => {
    const binary = file('other', `#!/bin/sh\n${script}\n`, 0o755);
    const error = await start({ binary }).then(assert.fail, (reason) => reason);
    assert.equal(error.name, 'StartError');
    return error.message.slice(error.message.indexOf('did not'));
  };
  const other = 'did not start: it is no minilockd: it printed';
  assert.equal(await printed('echo hello; cat'), `${other} "hello"`);
  assert.equal(await printed("printf '\\377\\nmore\\n'; cat"), `${other} "\\xff"`);
  assert.equal(await printed("echo '{}'"), `${other} "{}"`);
  assert.equal(await printed('echo null'), `${other} "null"`);
  assert.equal(
    await printed(`echo '{"port":70000,"pid":1,"version":"","redis_version":""}'`).then((text) => text.slice(0, 45)),
    other,
  );
  assert.equal(
    await printed('echo hello; echo oops >&2; exit 3'),
    `${other} "hello"; exit status 3; its last lines:\noops`,
  );
  const line = '{"port":1,"pid":1,"version":"1","redis_version":"7"}';
  assert.match(
    await printed(`echo '${line}'; echo oops >&2; exit 3`),
    /^did not start: cannot connect to .*:1: .*; exit status 3; its last lines:\noops$/,
  );
});

function packagedBinary() {
  const require = createRequire(createRequire(import.meta.url).resolve('minilockd'));
  return require.resolve(`@minilockd/${process.platform}-${process.arch}/bin/minilockd`);
}

test('a second line in the same chunk', async () => {
  const path = process.env.MINILOCKD_BINARY || packagedBinary();
  const script = `#!/bin/sh\n'${path}' "$@" | { read -r line; printf '%s\\nmore\\n' "$line"; cat; }\n`;
  const server = await start({ binary: file('two-lines', script, 0o755) });
  assert.equal(await server.execute('PING'), 'PONG');
  await server.close();
});

test('a child of the program that keeps its pipes', async () => {
  const binary = file('parent', '#!/bin/sh\nsleep 1000 &\necho "child $!" >&2\nexit 1\n', 0o755);
  const error = await start({ binary }).then(assert.fail, (reason) => reason);
  const [, child] = /exit status 1; its last lines:\nchild (\d+)$/.exec(error.message);
  process.kill(Number(child)); // throws if it has ended: then the error came only after it
});

test('options that are null, or empty', async () => {
  const nothing = { password: null, databases: null, faults: null, load: null, binary: null, startTimeout: null };
  const server = await start({ ...nothing, port: null, lockHistory: null, config: { maxmemory: null }, args: null });
  assert.equal(server.password, undefined);
  await server.close();
  await (await start(null)).close();
  for (const options of [{ password: '' }, { password: '', config: { requirepass: '' } }]) {
    const open = await start(options);
    assert.equal(open.uri, `redis://127.0.0.1:${open.port}`);
    await open.close();
  }
});

test('start timeouts', async () => {
  for (const startTimeout of [Infinity, 2 ** 31]) await (await start({ startTimeout })).close();
  for (const startTimeout of [0, -1, NaN]) await assert.rejects(start({ startTimeout }), RangeError);
});

test('a platform without a package', async (t) => {
  const { platform, arch } = process;
  const pretend = (values) => {
    for (const [name, value] of Object.entries(values)) Object.defineProperty(process, name, { value });
  };
  t.after(() => pretend({ platform, arch }));
  pretend({ platform: 'sunos', arch: 'x64' });
  await assert.rejects(
    start(),
    /no minilockd for sunos-x64, only for darwin-arm64, .*linux-x64, win32-x64\. Set MINILOCKD_BINARY/,
  );
  pretend({ platform: 'darwin', arch: 'arm64' });
  await assert.rejects(start(), /the package @minilockd\/darwin-arm64 is not installed/);
});

test('the environment names a binary', async (t) => {
  process.env.MINILOCKD_BINARY = join(folder, 'from-environment');
  t.after(() => delete process.env.MINILOCKD_BINARY);
  await assert.rejects(start(), /from-environment \(from the environment variable MINILOCKD_BINARY\)/);
});

test('a server that has crashed', async () => {
  const server = await start();
  const blocked = server.execute('BLPOP', 'queue', 0);
  process.kill(server.pid, 'SIGKILL');
  await assert.rejects(blocked, {
    name: 'ServerClosedError',
    message: /the server has ended: ended by SIGKILL; its last lines:\n.*Ready/,
  });
  await assert.rejects(server.clock.now(), /the server has ended/);
  await server.close();
});

test('fifty servers at once', async () => {
  const servers = await Promise.all(Array.from({ length: 50 }, () => start()));
  assert.equal(new Set(servers.map(({ port }) => port)).size, 50);
  await Promise.all(servers.map((server, i) => server.execute('SET', 'i', i)));
  const values = await Promise.all(servers.map((server) => server.execute('GET', 'i')));
  assert.deepEqual(
    values,
    Array.from(servers, (_, i) => String(i)),
  );
  await Promise.all(servers.map((server) => server.close()));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('minilockd')),
    [],
  );
});
