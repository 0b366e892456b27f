// All tests, as two runs of Vitest side by side. What draws (WebGPU, browsers) has one process of its own: with a
// second one, every pipeline would be compiled twice, and compiling is most of its work. What it says follows what the
// others say. Arguments besides --mode choose tests; these run as ever.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const DRAWING = ['webgpu', 'browser'];

const args = process.argv.slice(2);
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const all = args.length === 0 || (args.length === 2 && args[0] === '--mode');

const start = (chosen, options) =>
  spawn(process.execPath, [vitest, 'run', ...args, ...chosen.map((name) => `--project=${name}`)], options);

// not by --project=!webgpu --project=!browser, which leaves out nothing: each lets the other pass
const env = all ? { ...process.env, IMPINGE_TEST_ELSEWHERE: DRAWING.join() } : process.env;
const shown = start([], { env, stdio: 'inherit' });
const runs = [shown];
if (all) {
  const env = { ...process.env, VITEST_MAX_WORKERS: '1' };
  if (process.stdout.isTTY) env.FORCE_COLOR ??= '1';
  const drawing = start(DRAWING, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const name of ['stdout', 'stderr']) {
    const kept = [];
    const keep = (chunk) => kept.push(chunk);
    drawing[name].on('data', keep);
    shown.once('exit', () => {
      for (const chunk of kept) process[name].write(chunk);
      drawing[name].off('data', keep).pipe(process[name], { end: false });
    });
  }
  runs.push(drawing);
}

// Ctrl-C reaches them by itself, being of one terminal; they end as they see fit, and are waited for
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    for (const run of runs) run.kill(signal);
  });
}

const codes = runs.map(
  (run) =>
    new Promise((resolve) => {
      run.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    }),
);
process.exitCode = Math.max(...(await Promise.all(codes)));
