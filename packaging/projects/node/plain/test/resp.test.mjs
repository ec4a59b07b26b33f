import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';

import { connect, ReplyError } from 'minilockd';

const HELLO = '%1\r\n+proto\r\n:3\r\n';

/** Sends a reply to the first command after HELLO, in pieces of a size, and returns what the package makes of it. */
async function received(reply, size, method = 'execute') {
  const bytes = Buffer.from(reply);
  const replies = [Buffer.from('+OK\r\n' + HELLO), bytes]; // both commands come as one
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', async () => {
      const next = replies.shift() ?? Buffer.from('+more\r\n');
      for (let i = 0; i < next.length; i += size) {
        socket.write(next.subarray(i, i + size));
        await new Promise((resolve) => setImmediate(resolve)); // or they would be sent as one
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = await connect(`redis://127.0.0.1:${server.address().port}`);
  try {
    const value = await client[method]('X');
    assert.equal(await client.execute('Y'), 'more'); // the reply has been read to its end
    return value;
  } finally {
    await client.close();
    server.close();
  }
}

const REPLIES = [
  ['+OK\r\n', 'OK'],
  [':-12\r\n', -12],
  [':9223372036854775807\r\n', 9223372036854775807n],
  ['$5\r\nh\r\nlo\r\n', 'h\r\nlo'],
  ['$0\r\n\r\n', ''],
  ['$-1\r\n', null],
  ['*-1\r\n', null],
  ['_\r\n', null],
  ['#t\r\n', true],
  ['#f\r\n', false],
  [',1.5\r\n', 1.5],
  [',inf\r\n', Infinity],
  [',-inf\r\n', -Infinity],
  [',nan\r\n', NaN],
  ['(123456789012345678901234567890\r\n', 123456789012345678901234567890n],
  ['=7\r\ntxt:abc\r\n', 'abc'],
  ['*3\r\n:1\r\n*0\r\n+a\r\n', [1, [], 'a']],
  ['~2\r\n+a\r\n:1\r\n', new Set(['a', 1])],
  [
    '%2\r\n$1\r\na\r\n:1\r\n+b\r\n*1\r\n_\r\n',
    new Map([
      ['a', 1],
      ['b', [null]],
    ]),
  ],
  ['|1\r\n+ttl\r\n:3\r\n*1\r\n|1\r\n+x\r\n+y\r\n:1\r\n', [1]],
  ['>2\r\n+message\r\n+x\r\n:1\r\n', 1],
  ['*2\r\n:1\r\n-ERR in it\r\n', [1, new ReplyError('ERR in it')]],
  ['$4\r\n\u00e4\u00f6\r\n', 'äö'],
];

for (const size of [1, 3, 1000]) {
  test(`all types, in pieces of ${size} bytes`, async () => {
    for (const [reply, value] of REPLIES) assert.deepEqual(await received(reply, size), value, reply);
    await assert.rejects(received('-WRONGTYPE no\r\n', size), {
      name: 'ReplyError',
      message: 'WRONGTYPE no',
    });
    await assert.rejects(received('!9\r\nERR a\r\nbc\r\n', size), {
      message: 'ERR a\r\nbc',
    });
  });
}

test('bytes', async () => {
  const map = await received('%1\r\n$1\r\nk\r\n$2\r\n\r\n\r\n', 1, 'executeBuffer');
  assert.deepEqual([...map].flat(), [Buffer.from('k'), Buffer.from('\r\n')]);
});

test('a long reply in many pieces', async () => {
  const text = 'x'.repeat(4_000_000);
  assert.equal(await received(`$${text.length}\r\n${text}\r\n`, 65_536), text);
});

test('what is no RESP3', async () => {
  await assert.rejects(received('HTTP/1.1 400\r\n', 1000), (error) => {
    assert.equal(error.name, 'ConnectionLostError');
    assert.match(error.cause.message, /not RESP3/);
    return true;
  });
});
