import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

const bin = new URL('../node_modules/.bin/minilockd', import.meta.url).pathname;

test('npx minilockd passes arguments, output and the exit status on', () => {
  const version = spawnSync(bin, ['--version'], { encoding: 'utf8' });
  assert.equal(version.status, 0);
  assert.match(version.stdout, /8\.2\.3/);
  const wrong = spawnSync(bin, ['--maxmemory', 'much'], { encoding: 'utf8' });
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /maxmemory/);
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`npx minilockd ends with ${signal}`, async () => {
    const child = spawn(bin, ['--addr', '127.0.0.1:0', '--ready-json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { pid } = JSON.parse(line);
    child.kill(signal);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
}

test('npx minilockd with a binary that is not there', () => {
  const env = { ...process.env, MINILOCKD_BINARY: '/nowhere/minilockd' };
  const { status, stderr } = spawnSync(bin, [], { encoding: 'utf8', env });
  assert.deepEqual(
    [status, stderr],
    [
      1,
      'minilockd: cannot run /nowhere/minilockd (from the environment variable MINILOCKD_BINARY): spawn /nowhere/minilockd ENOENT\n',
    ],
  );
});
