// Starts a BullMQ queue on the server at the given port, and a bull-board for it. It sends all requests that the page
// of the board can send, and prints each response on a line.
const express = require('express');
const { createBullBoard } = require('@bull-board/api');
const { BullMQAdapter } = require('@bull-board/api/bullMQAdapter');
const { ExpressAdapter } = require('@bull-board/express');
const { FlowProducer, Queue, Worker } = require('bullmq');

const NEVER = 100_000_000; // a delay in ms

// Method, path and body of the requests.
const requests = [
  ['GET', '/api/redis/stats'],
  ['GET', '/api/queues'],
  ...['latest', 'active', 'waiting', 'waiting-children', 'prioritized', 'completed', 'failed', 'delayed', 'paused'].map(
    (status) => ['GET', `/api/queues?activeQueue=mail&status=${status}&page=1&jobsPerPage=4`]),
  ['GET', '/api/queues?activeQueue=mail&status=latest&page=2&jobsPerPage=4'],
  ['GET', '/api/job-schedulers'],
  ['GET', '/api/queues/mail/metrics'],
  ['GET', '/api/queues/mail/workers'],
  ['GET', '/api/queues/mail/default-job-options'],
  ['GET', '/api/queues/mail/rate-limit'],
  ['GET', '/api/queues/mail/job-data-schema'],
  ['GET', '/api/queues/mail/done'],
  ['GET', '/api/queues/mail/done/logs'],
  ['GET', '/api/queues/mail/parent/flow'],
  ['GET', '/api/queues/mail/nosuch'],
  ['GET', '/api/queues/nosuch/workers'],
  ['PUT', '/api/queues/mail/pause'],
  ['POST', '/api/queues/mail/add', { name: 'added', data: { to: 'me' }, options: { jobId: 'added' } }],
  ['GET', '/api/queues?activeQueue=mail&status=paused&page=1&jobsPerPage=4'],
  ['PATCH', '/api/queues/mail/later/update-data', { jobData: { to: 'you' } }],
  ['PATCH', '/api/queues/mail/later/delay', { runAt: 4_000_000_000_000 }],
  ['PATCH', '/api/queues/mail/urgent/priority', { priority: 3 }],
  ['PUT', '/api/queues/mail/later/promote'],
  ['PUT', '/api/queues/mail/broken/retry'],
  ['PUT', '/api/queues/mail/done/clean'],
  ['PUT', '/api/queues/mail/promote'],
  ['PUT', '/api/queues/mail/parent/remove-unprocessed-children'],
  ['PUT', '/api/queues/mail/concurrency', { concurrency: 2 }],
  ['PUT', '/api/queues/mail/rate-limit', { max: 10, duration: 1000 }],
  ['GET', '/api/queues/mail/rate-limit'],
  ['PUT', '/api/queues/mail/rate-limit/release'],
  ['PUT', '/api/queues/mail/rate-limit', { max: null }],
  ['PATCH', '/api/queues/mail/job-schedulers/yearly', { pattern: '0 0 2 1 *', tz: 'UTC' }],
  ['PUT', '/api/queues/mail/job-schedulers/yearly/run'],
  ['PUT', '/api/queues/mail/job-schedulers/yearly/remove'],
  ['PUT', '/api/queues/mail/resume'],
  ['GET', '/api/queues?activeQueue=mail&status=latest&page=1&jobsPerPage=20'],
  ['PUT', '/api/queues/mail/retry/failed'],
  ['PUT', '/api/queues/mail/clean/completed'],
  ['PUT', '/api/queues/pause'],
  ['PUT', '/api/queues/resume'],
  ['PUT', '/api/queues/mail/empty'],
  ['GET', '/api/queues?activeQueue=mail&status=latest&page=1&jobsPerPage=20'],
  ['PUT', '/api/queues/mail/pause'],
  ['PUT', '/api/queues/mail/obliterate'],
  ['GET', '/api/queues'],
];

// work processes some jobs, and leaves others and the worker.
async function work(queue, connection) {
  await queue.addBulk([
    { name: 'send', data: { to: 'all' }, opts: { jobId: 'done' } },
    { name: 'send', data: { fail: true }, opts: { jobId: 'broken', stackTraceLimit: 1 } },
    { name: 'send', data: { fail: true },
      opts: { jobId: 'again', attempts: 2, backoff: { type: 'fixed', delay: NEVER } } },
  ]);
  const worker = new Worker('mail', async (job) => {
    await job.log(`to ${job.data.to}`);
    await job.updateProgress(50);
    if (job.data.fail) throw new Error('no such address');
    return { sent: true };
  }, { connection, name: 'postman', metrics: { maxDataPoints: 10 } });
  await new Promise((resolve) => worker.once('drained', resolve));
  await worker.pause();
  await queue.add('send', {}, { jobId: 'later', delay: 2 * NEVER });
  await queue.add('send', {}, { jobId: 'urgent', priority: 1 });
  await queue.add('send', {}, { jobId: 'next' });
  await queue.upsertJobScheduler('yearly', { pattern: '0 0 1 1 *', tz: 'UTC' }, { name: 'report' });
  const flows = new FlowProducer({ connection });
  await flows.add({ name: 'parent', queueName: 'mail', opts: { jobId: 'parent' },
    children: [{ name: 'child', queueName: 'other', opts: { jobId: 'child' } }] });
  await flows.close();
  return worker;
}

async function send(base, [method, path, body]) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  console.log(method, path, response.status, await response.text());
}

async function main(port) {
  const connection = { host: '127.0.0.1', port };
  const queues = ['mail', 'other'].map((name) => new Queue(name, { connection }));
  const worker = await work(queues[0], connection);
  const serverAdapter = new ExpressAdapter();
  createBullBoard({ queues: queues.map((queue) => new BullMQAdapter(queue)), serverAdapter });
  const app = express().use(serverAdapter.getRouter());
  const server = await new Promise((resolve) => { const s = app.listen(0, '127.0.0.1', () => resolve(s)); });
  for (const request of requests) await send(`http://127.0.0.1:${server.address().port}`, request);
  await Promise.all([worker, ...queues].map((x) => x.close()));
}

main(Number(process.argv[2])).then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
