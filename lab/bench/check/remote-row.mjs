/** The check of a plant whose store is on a distant server, compared with the local disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count, megabytes, seconds } from '../measure/figures.mjs';
import { measureCommand } from '../measure/measure-child.mjs';

const SERVER = fileURLToPath(new URL('../remote/throttled-server.mjs', import.meta.url));
const LATENCY_MS = 20;
const BYTES_PER_SECOND = 50e6;
const MEGABYTES_PER_REQUEST = 4;
const MOST_TIMES = 2;

export async function remoteRow(bench) {
  const { figures, folder, quick, repetitions } = bench;
  const size = quick ? '300K' : '15M';
  figures.begin('remote', `${size} triangles over HTTP, ${LATENCY_MS} ms and ${BYTES_PER_SECOND / 1e6} MB/s`);
  const { store } = await bench.plant(size);
  const server = spawn(
    process.execPath,
    [SERVER, store, '--latency', String(LATENCY_MS), '--rate', String(BYTES_PER_SECOND)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const address = String((await once(server.stdout, 'data'))[0]).trim();
    const stats = async () => (await fetch(new URL('/stats', address))).json();
    const [near, far, perRequest] = [[], [], []];
    for (let i = 0; i < repetitions; i++) {
      const [here, there] = ['here', 'there'].map((name) => join(folder, name));
      for (const report of [here, there]) rmSync(report, { recursive: true, force: true });
      near.push(await measureCommand('check', store, '-o', here));
      const before = await stats();
      far.push(await measureCommand('check', address, '-o', there));
      const after = await stats();
      perRequest.push((after.bytes - before.bytes) / (after.requests - before.requests) / 1e6);
      const [p, q] = [here, there].map((report) => readFileSync(join(report, 'clashes.jsonl')));
      figures.assert(p.equals(q), 'the clashes are not the same as from the local disk');
    }
    const worst = Math.max(...far.map((run, i) => run.seconds / near[i].seconds));
    figures.add(`${size} local disk`, {
      seconds: seconds(near.map((run) => run.seconds)),
      'peak RSS': megabytes(near.map((run) => run.peakRss)),
    });
    figures.add(`${size} over HTTP`, {
      seconds: seconds(far.map((run) => run.seconds)),
      'times the local disk': count(worst, quick ? undefined : MOST_TIMES),
      'peak RSS': megabytes(far.map((run) => run.peakRss)),
      'MB per request': count(Math.min(...perRequest)),
      'store MB': count(statSync(store).size / 1e6),
    });
    if (!quick) figures.note(`asked: at least ${MEGABYTES_PER_REQUEST} MB per request, on average`);
  } finally {
    server.kill();
  }
}
