const { randomUUID } = require('node:crypto');

const { Queue, Worker } = require('bullmq');
const { useMinilockd } = require('minilockd/jest');

let queue;
let worker; // without a processor: the test takes the jobs
const token = randomUUID();

afterEach(async () => {
  await worker.close();
  await queue.close();
});

const server = useMinilockd({ failOnHeldLocks: true }); // after the hook above, which closes the clients

beforeEach(async () => {
  const connection = { host: server.host, port: server.port };
  queue = new Queue('orders', { connection });
  worker = new Worker('orders', undefined, { connection, autorun: false });
  await queue.add('charge', { order: 42 });
});

test('a job is locked while a worker has it', async () => {
  const job = await worker.getNextJob(token);
  const [lock] = await server.locks.held();
  expect([lock.name, lock.kind, lock.holders[0].owner]).toEqual([`bull:orders:${job.id}:lock`, 'token', token]);
  await job.moveToCompleted('charged', token);
  expect(await queue.getCompletedCount()).toBe(1);
});

test('a worker that was away for longer than its lock cannot complete the job', async () => {
  const job = await worker.getNextJob(token);
  await server.clock.advance(30_000);
  await expect(job.moveToCompleted('charged', token)).rejects.toThrow(/Missing lock for job 1/);
});
