import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { connect, HeldLocksError, ReplyError, start } from 'minilockd';
import { useMinilockd } from 'minilockd/node-test';

import { Worker } from '../programs/worker.mjs';

const server = useMinilockd({ lockHistory: 1000 });
const T0 = Date.UTC(2030, 0, 2, 3, 4, 5);

beforeEach(async () => {
  await server.clock.freeze();
  await server.clock.set(T0);
});

test('the clock', async () => {
  await server.execute('SET', 'lock', 'me', 'NX', 'PX', 30_000);
  assert.deepEqual(await server.clock.advance(29_999), new Date(T0 + 29_999));
  assert.equal(await server.execute('EXISTS', 'lock'), 1);
  await server.clock.advance(1);
  assert.equal(await server.execute('EXISTS', 'lock'), 0);
  assert.deepEqual(await server.clock.set(new Date(T0)), new Date(T0));
  assert.deepEqual(await server.clock.now(), new Date(T0));
  assert.deepEqual(await server.clock.speed(10_000), new Date(T0));
  assert.ok((await server.clock.resume()) >= new Date(T0));
  for (const wrong of [-1, 1.5, NaN]) {
    await assert.rejects(server.clock.advance(wrong), {
      name: 'RangeError',
      message: `clock.advance needs whole milliseconds, not negative, not ${wrong}`,
    });
  }
  await assert.rejects(server.clock.advance('30s'), { name: 'TypeError', message: /, not '30s'$/ });
  await assert.rejects(server.clock.set(new Date('x')), RangeError);
  await assert.rejects(server.clock.speed('fast'), TypeError);
});

test('commands and their errors', async () => {
  const [, , length] = await Promise.all([
    server.execute('RPUSH', 'list', 'ä', 2, 3n, Buffer.from([0xff])),
    server.execute('RPOP', 'list', 0),
    server.execute('LLEN', 'list'),
  ]);
  assert.equal(length, 4);
  assert.deepEqual(await server.executeBuffer('LINDEX', 'list', 3), Buffer.from([0xff]));
  const wrong = await server.execute('GET', 'list').catch((error) => error);
  assert.ok(wrong instanceof ReplyError);
  assert.match(wrong.message, /^WRONGTYPE Operation against a key/);
  assert.equal(wrong.code, 'WRONGTYPE');
  assert.match(wrong.stack, /control\.test\.mjs/);
});

const RULES = {
  'COMMAND get THEN LOSEREPLY': { command: 'get', then: 'loseReply' },
  'COMMAND evalsha KEY order:* NTH 2 THEN CUTREPLY 3': {
    command: 'evalsha',
    key: 'order:*',
    nth: 2,
    then: { cutReply: 3 },
  },
  'SCRIPT f AGE 500 EVERY 3 TIMES 2 THEN MOVED a:1': {
    script: 'f',
    age: 500,
    every: 3,
    times: 2,
    then: { moved: 'a:1' },
  },
  'COMMAND set SCRIPTED THEN ERROR "ERR two words"': {
    command: 'set',
    scripted: true,
    then: { error: 'ERR two words' },
  },
  'CLIENT w* PROBABILITY 0.5 SEED 7 THEN DELAY 10 TO 20 REALTIME': {
    ...{ client: 'w*', probability: 0.5, seed: 7 },
    then: { delay: [10, 20], realTime: true },
  },
  'CHANNEL "a b" THEN DROP': { channel: 'a b', then: 'drop' },
  'CONNECT CLIENT 10.* THEN THROTTLE 100': {
    connect: true,
    client: '10.*',
    then: { throttle: 100 },
  },
  'CONNECT CLIENT 7 THEN STOPREADING': {
    connect: true,
    client: 7,
    then: 'stopReading',
  },
  'COMMAND get FROM 1000 UNTIL 2000 THEN DELAY 5': {
    command: 'get',
    from: new Date(1000),
    until: 2000,
    then: { delay: 5 },
  },
};
for (const action of ['hang', 'close', 'twice'])
  RULES[`COMMAND get THEN ${action.toUpperCase()}`] = {
    command: 'get',
    then: action,
  };
for (const action of ['refuse', 'silent'])
  RULES[`CONNECT THEN ${action.toUpperCase()}`] = {
    connect: true,
    then: action,
  };
RULES['COMMAND get THEN ASK a:1'] = { command: 'get', then: { ask: 'a:1' } };

test('a rule as an object is the one as a line', async () => {
  for (const [line, rule] of Object.entries(RULES)) {
    const fromObject = await server.faults.add(rule);
    const fromLine = await server.faults.add(line);
    const [first, second] = await server.faults.list();
    assert.deepEqual({ ...first }, { id: fromObject.id, rule: line, matches: 0, hits: 0 });
    assert.equal(second.rule, line);
    assert.equal(fromObject.rule, line);
    await fromObject.remove();
    await fromLine.remove();
  }
});

test('the quotes of a line', async () => {
  const lines = [
    `COMMAND get THEN ERROR "ERR \\"q\\" \\x41\\t|"`,
    `COMMAND get THEN ERROR 'ERR it\\'s'`,
    'KEY "a"b THEN HANG',
  ];
  await assert.rejects(server.faults.add('KEY "a THEN HANG'), SyntaxError);
  const worker = await Worker.open(server);
  await server.faults.add(lines[0]);
  assert.equal(await worker.ask('GET a'), '-ERR "q" A\t|');
  await server.faults.clear();
  await server.faults.add(lines[1]);
  assert.equal(await worker.ask('GET a'), "-ERR it's");
  worker.close();
  await assert.rejects(server.faults.add('GET THEN HANG'), {
    message: "ERR unknown condition 'GET'",
  });
});

test('what is no rule', async () => {
  const rejects = async (rule, message) => assert.rejects(server.faults.add(rule), { name: 'TypeError', message });
  await rejects(
    { comand: 'get', then: 'hang' },
    /^the key of a fault rule 'comand' does not exist; there are command, key, /,
  );
  await rejects({ command: 'get', then: { cutreply: 3 } }, /^the key of a fault 'cutreply' .* cutReply/);
  await rejects({ command: 'get' }, /needs `then`/);
  await rejects(7, /an object or a line of text/);
  await assert.rejects(server.faults.restart('loose'), { name: 'TypeError', message: /'keep', 'lose' or a snapshot/ });
  assert.deepEqual(await server.faults.list(), []);
});

test('commands that change the connection', async () => {
  const plain = ['MONITOR', 'LOCK.WATCH', 'HELLO', 'AUTH', 'SELECT', 'multi', 'EXEC', 'DISCARD', 'WATCH', 'UNWATCH'];
  const subscribe = ['subscribe', 'PUNSUBSCRIBE', 'SSUBSCRIBE', 'UNSUBSCRIBE', 'QUIT', 'RESET', 'SYNC', 'PSYNC'];
  for (const command of [...plain, ...subscribe]) {
    await assert.rejects(server.execute(command, 'a'), {
      name: 'TypeError',
      message: `${command} needs a connection of its own: use a client library instead of execute`,
    });
  }
  await assert.rejects(server.execute('client', 'reply', 'OFF'), /^TypeError: client reply needs/);
  await assert.rejects(server.execute('client', Buffer.from('reply'), 'OFF'), /client reply needs/);
  await assert.rejects(server.execute('CLIENT', new Uint8Array(Buffer.from('REPLY')), 'OFF'), /CLIENT REPLY needs/);
  await assert.rejects(server.execute(Buffer.from('SELECT'), 1), /SELECT needs/);
  await assert.rejects(server.execute(), { name: 'TypeError', message: 'there is no command to execute' });
  assert.equal(await server.execute('CLIENT', 'GETNAME'), 'minilockd-control');
});

test('arguments that cannot be sent', async () => {
  for (const wrong of [undefined, null, true, {}, ['b']]) {
    await assert.rejects(server.execute('SET', 'a', wrong), {
      name: 'TypeError',
      message: /^an argument is a string, a number, a bigint or a Uint8Array, and not /,
    });
  }
  assert.equal(await server.execute('EXISTS', 'a'), 0);
});

test('faults happen, and count', async () => {
  const fault = await server.faults.add({
    command: 'get',
    nth: 2,
    then: { error: 'OOM' },
  });
  const worker = await Worker.open(server);
  assert.equal(await worker.ask('GET a'), '$-1');
  assert.equal(await fault.hits(), 0);
  assert.match(await worker.ask('GET a'), /^-OOM /);
  worker.close();
  assert.equal(await fault.hits(), 1);
  assert.equal(await fault.matches(), 2);
  assert.match(String(fault), /^#\d+ COMMAND get NTH 2 THEN ERROR "OOM .*"$/);
  assert.equal(String(await fault.state()), `${fault}: 2 matches, 1 hit`);
  await fault.remove();
  await fault.remove();
  await assert.rejects(fault.hits(), ReplyError);
  await assert.rejects(fault.state(), /has no rule #\d+ COMMAND get/);
});

test('no rule, no pause and no partition hits the one who makes it', async () => {
  const fault = await server.faults.add({ then: 'loseReply' });
  await server.execute('CLIENT', 'PAUSE', 60_000, 'ALL');
  await server.faults.partition();
  assert.equal(await server.execute('SET', 'a', 1), 'OK');
  const another = await connect(server.uri); // as after a restart, with the rule, in the partition
  assert.equal(await another.execute('GET', 'a'), '1');
  assert.equal(await fault.hits(), 0);
  await another.close();
});

test('a partition', async () => {
  const worker = await Worker.open(server);
  await server.faults.partition();
  const reply = worker.ask('SET a 1');
  assert.equal((await server.clock.now()) instanceof Date, true);
  assert.equal(await server.execute('EXISTS', 'a'), 0);
  await server.faults.heal();
  assert.equal(await reply, '+OK');
  worker.close();
});

test('restarts', async () => {
  const client = await connect(server.uri);
  await server.execute('SET', 'a', 1);
  const snapshot = await server.snapshot();
  await server.execute('SET', 'a', 2);
  const blocked = client.execute('BLPOP', 'queue', 0);
  await Promise.all([assert.rejects(blocked, { name: 'ConnectionLostError' }), server.faults.restart()]);
  assert.equal(await client.execute('GET', 'a'), '2'); // on another connection
  await server.faults.restart(snapshot);
  assert.equal(await server.execute('GET', 'a'), '1');
  await server.faults.restart('lose');
  assert.equal(await server.execute('GET', 'a'), null);
  await client.close();
});

test('snapshots, reset and dump', async () => {
  await server.execute('SET', 'a', 1, 'PX', 500);
  const snapshot = await server.snapshot();
  const text = await server.dump();
  assert.equal(text, `# database 0\n\n"a" string expires ${T0 + 500}\n  "1"\n`);
  await server.clock.advance(1000);
  assert.notEqual(await server.dump(), text);
  await snapshot.restore();
  assert.equal(await server.dump(), text);
  await server.execute('DEL', 'a');
  await server.restore(snapshot);
  assert.equal(await server.dump(), text);
  await server.check();
  const client = await connect(server.uri);
  const blocked = client.execute('BLPOP', 'queue', 0);
  await Promise.all([assert.rejects(blocked, { name: 'ConnectionLostError' }), server.reset({ clients: true })]);
  assert.equal(await server.execute('DBSIZE'), 0);
  await client.close();
});

test('the snapshot of another server', async () => {
  const other = await start();
  const snapshot = await other.snapshot();
  await server.execute('SET', 'a', 1);
  const message = 'the snapshot is of another server';
  await assert.rejects(server.restore(snapshot), { name: 'TypeError', message });
  await assert.rejects(server.faults.restart(snapshot), { name: 'TypeError', message });
  await assert.rejects(server.restore('x'), { name: 'TypeError', message: /what snapshot\(\) returns/ });
  assert.equal(await server.execute('GET', 'a'), '1');
  await other.close();
});

test('the journal', async () => {
  const { journal } = server;
  await server.execute('SET', 'a b', 'x\n');
  await server.execute('GET', 'a b', 'c').catch(() => undefined);
  await server.execute('EVAL', "return redis.call('GET', 'k')", 0);
  const id = await server.execute('CLIENT', 'ID');
  const [set, get, script] = await journal.entries();
  assert.deepEqual(
    { ...set },
    {
      ...{
        id: set.id,
        time: new Date(T0),
        client: id,
        name: 'minilockd-control',
        address: set.address,
        db: 0,
      },
      ...{ command: 'SET "a b" "x\\n"', script: false, error: undefined },
    },
  );
  assert.equal(get.id, set.id + 1);
  assert.match(get.error, /^ERR wrong number of arguments/);
  assert.equal(String(set), `03:04:05.000 [client ${id} ${set.address} minilockd-control] SET "a b" "x\\n"`);
  assert.match(String(get), / GET "a b" c -> ERR wrong number/);
  assert.match(String(script), /EVAL/);
  assert.deepEqual(
    (await journal.entries({ match: 'get k' })).map((entry) => entry.script),
    [true],
  );
  assert.deepEqual(
    (await journal.entries({ count: 1 })).map((entry) => entry.command),
    ['CLIENT ID'],
  );
  assert.equal((await journal.entries({ client: id + 1 })).length, 0);
  await journal.off();
  await journal.clear();
  await server.execute('PING');
  assert.deepEqual(await journal.entries(), []);
  await journal.on(2);
  for (let i = 0; i < 3; i++) await server.execute('PING');
  assert.equal((await journal.entries()).length, 2);
});

test('names and owners of other bytes than printable ASCII', async () => {
  const name = Buffer.from('a\xff\n"\\', 'latin1');
  await server.execute('SET', name, Buffer.from('b \x1b\xfe', 'latin1'), 'NX', 'PX', 30_000);
  const [lock] = await server.locks();
  assert.match(String(lock), /^"a\\xff\\n\\"\\\\" \(token\) is held by "b \\x1b\\xfe" since /);
  await server.execute('SET', 'ü\t', 'me', 'NX', 'PX', 30_000);
  const [event] = await server.locks.history('ü\t');
  assert.match(String(event), /taken "\\xc3\\xbc\\t" by me, /);
});

test('who holds a lock', async () => {
  const client = await connect(server.uri);
  const id = await client.execute('CLIENT', 'ID');
  await client.execute('SET', 'lock', 'me', 'NX', 'PX', 30_000);
  await server.clock.advance(1200);
  const lock = await server.locks.get('lock');
  const [holder] = lock.holders;
  assert.deepEqual([lock.name, lock.kind, lock.db, lock.held, lock.lease], ['lock', 'token', 0, true, 28_800]);
  assert.deepEqual(
    [holder.owner, holder.holds, holder.lease, holder.since, holder.age],
    ['me', 1, 28_800, new Date(T0), 1200],
  );
  assert.deepEqual([holder.client.id, holder.client.name], [id, 'minilockd-control']);
  const line = `"lock" (token) is held by me since 03:04:05.000 (1.2 s ago), which took it by connection ${id} (${holder.client.address}, name minilockd-control), 28.8 s left`;
  assert.equal(String(lock), line);
  assert.deepEqual((await server.locks()).map(String), [line]);
  assert.deepEqual(await server.locks('other*'), []);
  assert.equal(await server.locks.get('other'), undefined);
  await assert.rejects(server.locks.assertNoneHeld(), new HeldLocksError([lock], server.address));
  await server.locks.assertNoneHeld('other*');
  const worker = await Worker.open(server);
  await worker.ask('SELECT 3');
  await worker.ask('SET far me NX PX 30000');
  worker.close();
  assert.deepEqual(
    (await server.locks.held()).map(({ name, db }) => [name, db]),
    [
      ['lock', 0],
      ['far', 3],
    ],
  );
  await client.close();
});

test('kinds of locks', async () => {
  const uuid = '01234567-89ab-cdef-0123-456789abcdef';
  await server.execute('HSET', 'order:42', `${uuid}:37`, 2);
  await server.execute('HSET', 'forever', `${uuid}:37`, 1);
  await server.execute('PEXPIRE', 'order:42', 30_000);
  const [forever, order] = await server.locks('*or*er*');
  assert.deepEqual([order.kind, order.holders[0].owner, order.holders[0].holds], ['lock', `${uuid}:37`, 2]);
  assert.equal(forever.lease, Infinity);
  assert.match(
    String(order),
    /"order:42" \(lock\) is held by 0123.*:37 2 times since 03:04:05.000 \(0 ms ago\), which took it by connection \d+ \(127.*\), 30 s left/,
  );
  assert.doesNotMatch(String(forever), /left/);
});

test('the history of a lock', async () => {
  await server.execute('SET', 'lock', 'me', 'NX', 'PX', 30_000);
  await server.clock.advance(30_000);
  const [taken, lapsed] = await server.locks.history('lock');
  assert.deepEqual(
    [taken.type, taken.owner, taken.holds, taken.lease, taken.time, taken.lost],
    ['taken', 'me', 1, 30_000, new Date(T0), false],
  );
  assert.deepEqual([lapsed.type, lapsed.lost, lapsed.lock], ['lapsed', true, 'lock']);
  assert.match(String(taken), /^03:04:05.000 taken "lock" by me, holds 1, lease 30 s, connection \d+ \(127/);
  assert.match(String(lapsed), /, lost$/);
  assert.equal((await server.locks.history('lock', 1)).length, 1);
  await server.locks.untrack();
  await assert.rejects(server.locks.history('lock'), /lock history is off/);
  await server.locks.track(10);
  await server.execute('SET', 'lock', 'you', 'NX', 'PX', 1);
  assert.equal((await server.locks.history('lock')).length, 1);
});

test('deadlocks', async () => {
  await server.locks.untrack(); // or the hashes, which no script of Redisson writes, would be those of plain locks
  const [one, two] = ['01234567-89ab-cdef-0123-456789abcde1:1', '01234567-89ab-cdef-0123-456789abcde2:1'];
  for (const [lock, owner, waiter] of [
    ['a', one, two],
    ['b', two, one],
  ]) {
    await server.execute('HSET', lock, owner, 1);
    await server.execute('PEXPIRE', lock, 30_000);
    await server.execute('RPUSH', `redisson_lock_queue:{${lock}}`, waiter);
    await server.execute('ZADD', `redisson_lock_timeout:{${lock}}`, T0 + 60_000, waiter);
  }
  const [fair] = await server.locks('a');
  assert.deepEqual([fair.kind, fair.waiters[0].owner, fair.waiters[0].deadline], ['fair', two, new Date(T0 + 60_000)]);
  assert.match(String(fair), /; 1 waiting$/);
  const [cycle] = await server.locks.deadlocks();
  assert.deepEqual(cycle.map(String), [`${one} holds "a" and waits for "b"`, `${two} holds "b" and waits for "a"`]);
});
