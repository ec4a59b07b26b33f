import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

/** Starts a program of programs/, and returns it with the numbers that it prints on one line. */
async function run(name) {
  const temp = mkdtempSync(join(tmpdir(), 'minilockd-test-'));
  const path = new URL(`../programs/${name}`, import.meta.url).pathname;
  const child = spawn(process.execPath, [path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: temp },
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, temp, numbers: line.split(' ').map(Number) };
}

/** Whether a process runs. One that has ended without a parent that waits for it (Z) does not. */
function runs(pid) {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], {
    encoding: 'utf8',
  });
  return status === 0 && !stdout.startsWith('Z');
}

/** Waits until a process is gone, and returns how many milliseconds that took. It fails after a minute. */
async function gone(pid) {
  const since = performance.now();
  while (runs(pid)) assert.ok(performance.now() - since < 60_000, `process ${pid} is still there`);
  return performance.now() - since;
}

test('a killed process takes its server along, though another child of it lives', async (t) => {
  const { child, temp, numbers } = await run('with-other-child.mjs');
  const [server, other] = numbers;
  child.kill('SIGKILL');
  t.diagnostic(`the server was gone ${Math.round(await gone(server))} ms after its parent was killed`);
  process.kill(other, 'SIGKILL'); // it fails if that child is not there
  assert.deepEqual(readdirSync(temp), []);
  rmdirSync(temp);
});

test('a server that is not closed does not keep the process alive', async () => {
  const { child, temp, numbers } = await run('without-close.mjs');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  await gone(numbers[0]);
  assert.deepEqual(readdirSync(temp), []);
  rmdirSync(temp);
});

test('a worker thread takes its server along', async () => {
  const code = `import('minilockd').then(async ({ start }) => {
    require('node:worker_threads').parentPort.postMessage((await start()).pid);
    setInterval(() => undefined, 1000);
  })`;
  const worker = new Worker(code, { eval: true });
  const [pid] = await once(worker, 'message');
  await worker.terminate();
  await gone(pid);
});
