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
  assert.match(output, new RegExp(`locks of minilockd on 127\\.0\\.0\\.1:\\d+ are held:\\n +${held.source}`));
  assert.match(output, /^ok 3 - begins without it$/m);
  assert.match(output, /^not ok 4 - fails by itself$/m);
  assert.match(
    output,
    /# locks of minilockd on 127[^]*?# {3}"order:2" \(token\)[^]*?# the last commands:\n(# .*\n)*#.* worker\] SET order:2 me NX PX 30000\n/,
  );
  assert.equal(output.match(/the last commands:/g).length, 3); // none of the tests that pass
  assert.doesNotMatch(output, /minilockd-control|PING/); // only what clients have done
  assert.match(output, /SET note x{80}….*\n/);
  assert.match(output, /^ok 5 - holds a lock that does not count$/m);
  assert.match(output, /^not ok 6 - waits for a call that blocks$/m);
  assert.match(
    output,
    /# calls of server.execute had no reply, .*:\n# {3}BLPOP queue 0\n# {3}GET "a\\+xff\\+n" x{80}…\n/,
  );
  assert.match(output, /^ok 7 - goes on after it$/m);
  assert.equal(output.match(/# closed worker/g).length, 7); // also after the tests that have left a lock held
});
