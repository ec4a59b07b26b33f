import assert from 'node:assert/strict';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { useMinilockd } from 'minilockd/node-test';

const folder = mkdtempSync(join(tmpdir(), 'minilockd-test-'));
writeFileSync(join(folder, 'seed.txt'), 'CLOCK.FREEZE\nCLOCK.SET 1800000000000\nSET stock 3\n');
after(() => rmSync(folder, { recursive: true }));

const server = useMinilockd({ load: join(folder, 'seed.txt') });

for (const which of ['first', 'second']) {
  test(`the ${which} test has what was loaded, and no more`, async () => {
    assert.equal(await server.execute('INCR', 'stock'), 4);
    assert.deepEqual(await server.clock.advance(10), new Date(1800000000010));
    assert.equal(await server.execute('DBSIZE'), 1);
    await server.execute('SET', 'other', 1);
  });
}
