/**
 * The processor time of a check on a queue, by process: coordinator, server, workers. Linux only.
 *
 *   node lab/bench/queue/account.mjs STORE [--clearance 0.05] [--runs 3]
 *
 * Uses a PostgreSQL on this machine, with one and with two single-threaded workers that have already done a check.
 * Prints the fastest run of each.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../../scripts/services.mjs';
import { COMMAND, measureCommand } from '../measure/measure-child.mjs';

/** The kernel's clock, the same everywhere. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/PID/stat after the program's name. */
const [PARENT, USER] = [1, 11];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clearance: { type: 'string', default: '0.05' }, runs: { type: 'string', default: '3' } },
});
const [store] = positionals;
const folder = mkdtempSync(join(tmpdir(), 'impinge-account-'));
const service = await startPostgres();
try {
  const server = service.pid;
  const local = await checked('--workers', '2');
  print('two threads of one process', local);
  for (const workers of [1, 2]) {
    const processes = Array.from({ length: workers }, () =>
      spawn(process.execPath, [COMMAND, 'worker', '--queue', service.url, '--threads', '1'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    await Promise.all(processes.map(({ stderr }) => once(stderr, 'data'))); // they are connected
    const runs = [];
    // the first run compiles the code
    for (let run = 0; run <= Number(values.runs); run++) {
      const before = [processes.reduce((sum, { pid }) => sum + secondsOf(pid), 0), secondsOfServer(server)];
      const measured = await checked('--queue', service.url);
      const after = [processes.reduce((sum, { pid }) => sum + secondsOf(pid), 0), secondsOfServer(server)];
      if (run > 0) runs.push({ ...measured, workers: after[0] - before[0], server: after[1] - before[1] });
    }
    runs.sort((p, q) => p.seconds - q.seconds);
    print(workers === 1 ? 'one worker' : 'two workers', runs[0]);
    for (const worker of processes) worker.kill('SIGTERM');
    await Promise.all(processes.map((worker) => worker.exitCode ?? once(worker, 'exit')));
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function checked(...options) {
  const out = join(folder, 'report');
  rmSync(out, { recursive: true, force: true });
  const asked = ['--clearance', `${values.clearance}m`, '--formats', 'jsonl'];
  return measureCommand('check', store, '-o', out, ...asked, ...options);
}

function print(name, { seconds, cpuSeconds, server, workers }) {
  const parts = [`${name}: ${seconds.toFixed(2)} s`, `processor: check ${cpuSeconds.toFixed(2)} s`];
  if (workers !== undefined) parts.push(`server ${server.toFixed(2)} s`, `workers ${workers.toFixed(2)} s`);
  console.log(parts.join(', '));
}

/** Including its ended processes. */
function secondsOfServer(server) {
  const stat = statOf(server);
  let seconds = secondsOf(server) + (Number(stat[USER + 2]) + Number(stat[USER + 3])) / TICKS_PER_SECOND;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (Number(statOf(pid)[PARENT]) === server) seconds += secondsOf(pid);
    } catch {} // it has ended meanwhile
  }
  return seconds;
}

function secondsOf(pid) {
  const stat = statOf(pid);
  return (Number(stat[USER]) + Number(stat[USER + 1])) / TICKS_PER_SECOND;
}

function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
