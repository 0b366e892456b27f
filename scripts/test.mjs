// All tests, as two runs of Vitest side by side. What draws (WebGPU, browsers) has one process of its own: with a
// second one, every pipeline would be compiled twice, and compiling is most of its work. What it says follows what the
// others say, and last comes a list of all that failed, because the end of a long output is what people and services
// keep. Arguments besides --mode choose tests; these run as ever, and with all of their runs.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const DRAWING = ['webgpu', 'browser'];

/** Characters of a failure in the list at the end; the whole message is above. */
const FAILURE_CHARACTERS_MAX = 1500;

const args = process.argv.slice(2);
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const all = args.length === 0 || (args.length === 2 && args[0] === '--mode');

// one third of the unit tests takes all of its runs, another one every day, and scenes and demonstrations have their
// days (vitest.config.ts), as have ways that differ little, and the cases of a long list (turn and third in
// test/budget.ts)
const MILLISECONDS_PER_DAY = 86_400_000;
if (args.length === 0) {
  process.env.IMPINGE_TEST_ROTATION ||= String(Math.floor(Date.now() / MILLISECONDS_PER_DAY) % 6);
  console.log(`IMPINGE_TEST_ROTATION=${process.env.IMPINGE_TEST_ROTATION}`);
}

/** Where each run leaves what came of its tests. */
const reports = mkdtempSync(join(tmpdir(), 'impinge-tests-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

/** Starts a run of the projects chosen, or of all, that leaves its report as the name given. */
const start = (report, chosen, options) =>
  spawn(
    process.execPath,
    [
      ...[vitest, 'run', ...args, ...chosen.map((name) => `--project=${name}`)],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, report)}`],
    ],
    options,
  );

/** One paragraph for each test or file that failed, or for a run that left no report. */
function failuresOf(report) {
  let files;
  try {
    files = JSON.parse(readFileSync(join(reports, report), 'utf8')).testResults;
  } catch {
    return [`${report}: no report; what went wrong stands above`];
  }
  return files.flatMap((file) => {
    const path = relative(process.cwd(), file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return file.status === 'failed' ? [`${path}\n${file.message}`] : [];
    return failed.map((test) => `${path}: ${test.fullName}\n${test.failureMessages.join('\n')}`);
  });
}

if (process.stdout.isTTY) process.env.FORCE_COLOR ??= '1';
// not by --project=!webgpu --project=!browser, which leaves out nothing: each lets the other pass
const env = all
  ? {
      ...process.env,
      IMPINGE_TEST_ELSEWHERE: DRAWING.join(),
      // tests of commands wait for processes, servers and disks a third of their time
      VITEST_MAX_WORKERS: String(availableParallelism() + 1),
    }
  : process.env;
const shown = start('node.json', [], { env, stdio: ['inherit', 'inherit', 'pipe'] });
// errors outside of tests are in no report
let lastErrors = '';
shown.stderr.on('data', (chunk) => {
  process.stderr.write(chunk);
  lastErrors = (lastErrors + chunk).slice(-FAILURE_CHARACTERS_MAX);
});
const runs = [shown];
if (all) {
  const env = { ...process.env, VITEST_MAX_WORKERS: '1' };
  const drawing = start('drawing.json', DRAWING, { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
if (process.exitCode !== 0) {
  const failures = (all ? ['node.json', 'drawing.json'] : ['node.json']).flatMap(failuresOf);
  if (failures.length === 0) failures.push(`outside of tests, or in what stands above:\n${lastErrors}`);
  console.error(`\n*** FAILED: ${failures.length}`);
  for (const failure of failures) console.error(`\n*** ${failure.slice(0, FAILURE_CHARACTERS_MAX)}`);
}
