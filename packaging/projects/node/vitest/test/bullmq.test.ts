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
  const other = new Worker('orders', async (job) => [job.stalledCounter, job.data.order], {
    connection,
    stalledInterval: 50, // it looks for such jobs at once, and takes those that it finds again after 50 ms
  });
  const result = await new Promise((resolve) => other.on('completed', (_, value) => resolve(value)));
  await other.close();
  expect(result).toEqual([1, 42]);
});
