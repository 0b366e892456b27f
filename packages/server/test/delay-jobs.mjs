// A process that puts each job off so often as it says, then writes down that it has run: SERVER is where, QUEUE its
// name.
import * as bullmq from 'bullmq';
import { DelayedError } from 'bullmq';
import pg from 'pg';

const { Worker } = bullmq.withBackend(bullmq.createPostgresBackend);
const connection = { connectionString: process.env.SERVER, max: 3, schema: 'delayed', migrate: true };
const pool = new pg.Pool({ connectionString: process.env.SERVER, max: 2 });
const worker = new Worker(
  process.env.QUEUE,
  async (job, token) => {
    const { rows } = await pool.query(
      'insert into public.ran as r (id, times) values ($1, 1) on conflict (id) do update set times = r.times + 1 returning times',
      [job.id],
    );
    if (rows[0].times > job.data.delays) return;
    await job.moveToDelayed(Date.now() + 20, token);
    throw new DelayedError();
  },
  { connection, concurrency: 8 },
);
worker.on('error', () => {});
await worker.waitUntilReady();
process.send('ready');
process.once('message', async () => {
  await worker.close();
  await pool.end();
  process.disconnect();
});
