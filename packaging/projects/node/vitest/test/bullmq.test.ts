import { randomUUID } from 'node:crypto';

import { Queue, Worker } from 'bullmq';
import { useMinilockd } from 'minilockd/vitest';
import { afterEach, beforeEach, expect, test } from 'vitest';

const server = useMinilockd({ failOnHeldLocks: true });
let queue: Queue;
let worker: Worker; // without a processor: the test takes the jobs
const token = randomUUID();

beforeEach(async () => {
  const connection = { host: server.host, port: server.port };
  queue = new Queue('orders', { connection });
  worker = new Worker('orders', undefined, { connection, autorun: false });
  await queue.add('charge', { order: 42 });
});

afterEach(async () => {
  await worker.close();
  await queue.close();
});

test('a job is locked while a worker has it', async () => {
  const job = await worker.getNextJob(token);
  const [lock] = await server.locks.held();
  expect([lock?.name, lock?.kind, lock?.holders[0]?.owner]).toEqual([`bull:orders:${job?.id}:lock`, 'token', token]);
  await job?.moveToCompleted('charged', token);
  expect(await queue.getCompletedCount()).toBe(1);
});

test('a worker that was away for longer than its lock cannot complete the job', async () => {
  const job = await worker.getNextJob(token);
  await server.clock.advance(30_000);
  expect(await server.locks.held()).toEqual([]);
  await expect(job?.moveToCompleted('charged', token)).rejects.toThrow(/Missing lock for job 1/);
});

test('another worker gets the job whose lock has lapsed', async () => {
  await worker.getNextJob(token);
  await server.clock.advance(30_000);
  const connection = { host: server.host, port: server.port };
  const done = new Promise((resolve) => {
    const other = new Worker('orders', async ({ data }) => data.order, { connection, stalledInterval: 50 });
    other.on('completed', (job, result) => resolve(other.close().then(() => [job.stalledCounter, result])));
    void advanceUntil(done, 50); // at each check the server's clock says that it is time for one
  });
  expect(await done).toEqual([1, 42]);
});

/** Moves the clock again and again until a promise settles. */
async function advanceUntil(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let settled = false;
  void promise.finally(() => (settled = true));
  while (!settled) await server.clock.advance(milliseconds);
}
