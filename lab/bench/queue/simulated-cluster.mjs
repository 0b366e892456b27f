/**
 * Simulates a check of a billion triangles on 64 workers.
 *
 *   node lab/bench/queue/simulated-cluster.mjs STORE [--workers 64] [--triangles 1e9] [--seed 1]
 *
 * Measures the tasks of a store on this machine, one after the other; draws the tasks of the large model from these
 * costs; assigns them in order to the next idle worker, as the queue does. Work of the coordinating process is reported
 * separately: it plans many copies of the store's directory side by side (a few gigabytes of memory), and writes a
 * report of as many times the clashes.
 *
 * Assumes: tasks of the large model consist of tasks like this one's, and its objects are listed place by place in the
 * same way; every worker reads as fast as this machine; a task has an overhead of 5 ms; the time to open the store
 * grows with the size, first for the check and then for all workers at the same time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { check } from '@impinge/model';
import { openStoreFile, startTaskWorker, taskPool } from '@impinge/model/node';
import { seededRandom } from '@impinge/scenes/random';
import * as reports from '../../../packages/cli/dist/reports/index.js';
import { planLarger } from './larger-model.mjs';

const OVERHEAD_SECONDS = 0.005;
const LEAST_EFFICIENCY = 0.8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '64' },
    triangles: { type: 'string', default: '1e9' },
    seed: { type: 'string', default: '1' },
  },
});
const workers = Number(values.workers);
const model = await openStoreFile(positionals[0]);
const triangles = Number(values.triangles);
const copies = Math.max(1, Math.round(triangles / model.triangleCount));
const CLEARANCE = 0.05;
let costs;
let worker;
let last = Promise.resolve();
const pool = taskPool((triples, settings) => {
  const measured = last.then(async () => {
    if (!worker) worker = await startTaskWorker(model, settings);
    else if (costs.length === 0) worker.turnTo(model, settings);
    const started = performance.now();
    const findings = await worker.measure(triples);
    costs.push((performance.now() - started) / 1000);
    return findings;
  });
  last = measured;
  return measured;
});
let run;
let clashes;
// twice: the second pass measures compiled code
for (let pass = 0; pass < 2; pass++) {
  [costs, clashes] = [[], []];
  run = check(model, { clearance: CLEARANCE, memory: 256e6, pool });
  for await (const clash of run) clashes.push(clash);
}
await worker?.dispose();
const opened = await openSeconds();
const { planning, objects, times } = await planLarger(model, copies, CLEARANCE);
const reporting = await reportSeconds();

const draws = Math.round(times);
const tasks = Math.round((costs.length * (triangles / model.triangleCount)) / draws);
const random = seededRandom(Number(values.seed));
const busyUntil = new Float64Array(workers);
let work = 0;
for (let i = 0; i < tasks; i++) {
  let cost = 0;
  for (let k = 0; k < draws; k++) cost += costs[Math.floor(random() * costs.length)];
  work += cost;
  let next = 0;
  for (let k = 1; k < workers; k++) if (busyUntil[k] < busyUntil[next]) next = k;
  busyUntil[next] += cost + OVERHEAD_SECONDS;
}
const spread = Math.max(...busyUntil);
const efficiency = work / (workers * spread);
const opening = 2 * opened * copies;
const alone = opening + planning + reporting;
const whole = work / (workers * (alone + spread));
const sorted = [...costs].sort((p, q) => p - q);
const percent = (share) => `${(100 * share).toFixed(1)} %`;
console.log(
  `measured, of ${model.triangleCount} triangles with a clearance of ${CLEARANCE} m: ${costs.length} tasks, median ${(1000 * sorted[costs.length >> 1]).toFixed(0)} ms, ` +
    `longest ${(1000 * sorted.at(-1)).toFixed(0)} ms; to open the store ${(1000 * opened).toFixed(0)} ms`,
);
console.log(
  `measured, of ${copies} times as much: planning of ${objects} objects ${planning.toFixed(1)} s, reports (jsonl, csv) of ${copies * clashes.length} clashes ${reporting.toFixed(1)} s`,
);
console.log(
  `assumed: ${tasks} tasks, each as much as ${draws} of these, ${workers} workers as fast as this machine, ${1000 * OVERHEAD_SECONDS} ms more for each task; ` +
    `opening ${(opened * copies).toFixed(1)} s, first the check, then all workers at once`,
);
console.log(
  `what is spread: ${spread.toFixed(1)} s, efficiency ${percent(efficiency)} (asked: at least ${percent(LEAST_EFFICIENCY)}); ` +
    `that is ${Math.round(tasks / spread)} tasks a second for the queue`,
);
console.log(
  `with opening, planning and reports (${alone.toFixed(1)} s) counted as time in which ${workers} wait: ` +
    `${(alone + spread).toFixed(1)} s, efficiency ${percent(whole)}; other checks fill the wait`,
);
process.exitCode = efficiency >= LEAST_EFFICIENCY ? 0 : 1;
await model.dispose();

/** Seconds to open the store once the code is compiled. */
async function openSeconds() {
  let least = Infinity;
  for (let i = 0; i < 5; i++) {
    const began = performance.now();
    await (await openStoreFile(positionals[0])).dispose();
    least = Math.min(least, (performance.now() - began) / 1000);
  }
  return least;
}

/** A clash as it would be found in a copy: other objects, elsewhere. */
function clashOfCopy(clash, copy) {
  const moved = ([x, y, z]) => [x + 100 * copy, y, z];
  const named = (object) => ({ ...object, id: `${copy}-${object.id}`, path: `${copy}/${object.path}` });
  return {
    ...clash,
    id: copy.toString(16).padStart(4, '0') + clash.id.slice(4),
    ...{ a: named(clash.a), b: named(clash.b), point: moved(clash.point) },
    box: { min: moved(clash.box.min), max: moved(clash.box.max) },
  };
}

/** Seconds for grouping the clashes of all copies and writing the report. */
async function reportSeconds() {
  const all = Array.from({ length: copies }, (_, copy) =>
    clashes.map((one) => clashOfCopy(one, copy)),
  ).flat();
  const folder = mkdtempSync(join(tmpdir(), 'impinge-simulated-'));
  const began = performance.now();
  const described = reports.describeModel(model);
  const scenery = new reports.Scenery(model);
  const painter = reports.painterOf(model, scenery, described.box, 1);
  const cells = new reports.GridCells([], model.meta.metresPerUnit);
  const grouped = reports.groupClashes(all, described.date, 'auto', (point) => cells.cellOf(point));
  await reports.writeReports(folder, {
    ...{
      clashes: grouped,
      approved: [],
      resolved: undefined,
      ignored: 0,
      model: described,
      painter,
      scenery,
    },
    run: {
      clearance: CLEARANCE,
      tolerance: 0,
      rules: [],
      touches: 0,
      pairsChecked: run.stats.pairs,
      excluded: [],
    },
    ...{ formats: ['jsonl', 'csv'], bcf: '2.1', failOn: 'any', review: undefined },
    store: { path: positionals[0], fingerprint: model.fingerprint },
  });
  const seconds = (performance.now() - began) / 1000;
  await painter.dispose();
  rmSync(folder, { recursive: true, force: true });
  return seconds;
}
