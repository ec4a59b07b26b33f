import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** Runs a file of programs/ as tests, and returns what node:test prints. */
function run(name) {
  const path = new URL(`../programs/${name}`, import.meta.url).pathname;
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  return spawnSync(process.execPath, ['--test', '--test-reporter=tap', path], {
    encoding: 'utf8',
    env,
  }).stdout;
}

test('a test that leaves a lock held fails, and one that fails shows locks and commands', () => {
  const output = run('leaks.mjs');
  assert.match(output, /^ok 1 - releases its lock$/m);
  assert.match(output, /^not ok 2 - leaves a lock held$/m);
  const held = /"order:1" \(token\) is held by me since [\d:.]+ \(.* ago\), which took it by connection \d+ \(127/;
  assert.match(output, new RegExp(`locks are held:\\n +${held.source}`));
  assert.match(output, /^ok 3 - begins without it$/m);
  assert.match(output, /^not ok 4 - fails by itself$/m);
  assert.match(
    output,
    /# Locks on minilockd at 127[^]*?# {3}"order:2" \(token\)[^]*?# The last commands:\n#.*SET order:2 me NX PX 30000\n/,
  );
  assert.equal(output.match(/The last commands:/g).length, 2); // none of the tests that pass
});
