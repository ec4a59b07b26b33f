// Measures the package that is installed in the current folder, or the one of this checkout after `npm run build` with
// MINILOCKD_BINARY: node bench/bench.mjs
import { createRequire } from 'node:module';
import { join } from 'node:path';

const load = createRequire(join(process.cwd(), 'bench.js'));
const { start } = load('minilockd'); // within the package, it finds itself

/** Returns the milliseconds that a function takes. */
async function milliseconds(action) {
  const since = performance.now();
  await action();
  return performance.now() - since;
}

async function firstPing() {
  let server;
  const time = await milliseconds(async () => {
    server = await start();
    await server.execute('PING');
  });
  await server.close();
  return time;
}

async function inARow(count) {
  for (let i = 0; i < count; i++) await (await start()).close();
}

async function atOnce(count) {
  const servers = await Promise.all(Array.from({ length: count }, async () => start()));
  await Promise.all(servers.map(async (server) => server.execute('PING')));
  await Promise.all(servers.map(async (server) => server.close()));
}

async function lapse() {
  const server = await start();
  await server.execute('SET', 'lock', 'me', 'NX', 'PX', 30_000);
  const time = await milliseconds(async () => server.clock.advance(30_000));
  if ((await server.execute('EXISTS', 'lock')) !== 0) throw new Error('the lease has not lapsed');
  await server.close();
  return time;
}

const times = [];
for (let i = 0; i < 30; i++) times.push(await firstPing());
const median = times.sort((a, b) => a - b)[15];
console.log(`start to first PING:                ${median.toFixed(1)} ms (median of 30)`);
console.log(`200 servers, one after the other:   ${(await milliseconds(async () => inARow(200))).toFixed(0)} ms`);
console.log(`50 servers at once:                 ${(await milliseconds(async () => atOnce(50))).toFixed(0)} ms`);
console.log(`a lease of 30 s lapses:             ${(await lapse()).toFixed(2)} ms`);
