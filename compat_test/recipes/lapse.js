// Takes a lock for 30 s with one connection, moves the clock by 30 s, and takes the lock with another connection, as
// often as the second argument says. It prints, for each round, whether the lock was free, and the milliseconds from
// CLOCK.ADVANCE until it was taken.
const Redis = require('ioredis');

async function main(port, rounds) {
  const holder = new Redis(port);
  const other = new Redis(port);
  for (let i = 0; i < rounds; i++) {
    await holder.set('order:42', `holder ${i}`, 'PX', 30_000, 'NX');
    const start = performance.now();
    await holder.call('CLOCK.ADVANCE', 30_000);
    const taken = await other.set('order:42', `other ${i}`, 'PX', 30_000, 'NX');
    console.log(taken === 'OK', performance.now() - start);
    await other.del('order:42');
  }
  holder.disconnect();
  other.disconnect();
}

main(Number(process.argv[2]), Number(process.argv[3]));
