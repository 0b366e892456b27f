/**
 * How a check of a billion triangles would spread over 64 workers: on paper.
 *
 *   node bench/queue/simulated-cluster.mjs STORE [--workers 64] [--triangles 1e9] [--seed 1]
 *
 * Measures the groups of a store here, one after the other; draws the groups of the large model from these costs; hands
 * them out in order, as the queue does, to whoever is free. Planning, before, and reports, after, are measured here as well,
 * and told apart: one process does them, while the workers have nothing to do, or other checks.
 *
 * Assumes: a model of that size has groups like this one's; every worker reads as fast as this machine does; a group costs
 * 5 ms on top; planning takes n log n of the triangles, reports take n of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@impinge/scenes/random';
import { check } from 'impinge/check';
import { groupPool, openStoreFile, startGroupWorker } from 'impinge/node';
import * as reports from '../../packages/cli/dist/reports/index.js';

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
const CLEARANCE = 0.05;
let started;
let costs;
let planned;
let worker;
let last = Promise.resolve();
const pool = groupPool((triples, settings) => {
  planned ??= performance.now() - started;
  const measured = last.then(async () => {
    if (!worker) worker = await startGroupWorker(model, settings);
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
// twice: a worker that has been there for a while has compiled what it takes
for (let pass = 0; pass < 2; pass++) {
  [started, planned, costs, clashes] = [performance.now(), undefined, [], []];
  run = check(model, { clearance: CLEARANCE, memory: 256e6, pool });
  for await (const clash of run) clashes.push(clash);
}
await worker?.dispose();
const reported = await reportSeconds();

const triangles = Number(values.triangles);
const larger = triangles / model.triangleCount;
const groups = Math.round(costs.length * larger);
const random = seededRandom(Number(values.seed));
const busyUntil = new Float64Array(workers);
let work = 0;
for (let i = 0; i < groups; i++) {
  const cost = costs[Math.floor(random() * costs.length)];
  work += cost;
  let next = 0;
  for (let k = 1; k < workers; k++) if (busyUntil[k] < busyUntil[next]) next = k;
  busyUntil[next] += cost + OVERHEAD_SECONDS;
}
const spread = Math.max(...busyUntil);
const planning = (planned / 1000) * larger * (Math.log(triangles) / Math.log(model.triangleCount));
const reporting = reported * larger;
const efficiency = work / (workers * spread);
const whole = (work + planning + reporting) / (workers * (planning + spread + reporting));
const sorted = [...costs].sort((p, q) => p - q);
const percent = (share) => `${(100 * share).toFixed(1)} %`;
console.log(
  `measured, of ${model.triangleCount} triangles with a clearance of ${CLEARANCE} m: ${costs.length} groups, median ${(1000 * sorted[costs.length >> 1]).toFixed(0)} ms, ` +
    `longest ${(1000 * sorted.at(-1)).toFixed(0)} ms; planning ${(planned / 1000).toFixed(2)} s, reports (jsonl, csv) of ${clashes.length} clashes ${reported.toFixed(2)} s`,
);
console.log(
  `assumed: ${groups} groups like these, ${workers} workers as fast as this machine, ${1000 * OVERHEAD_SECONDS} ms more for each group, ` +
    'planning n log n, reports n',
);
console.log(
  `what is spread: ${spread.toFixed(1)} s, efficiency ${percent(efficiency)} (asked: at least ${percent(LEAST_EFFICIENCY)})`,
);
console.log(
  `with planning (${planning.toFixed(1)} s) and reports (${reporting.toFixed(1)} s), by one process while ${workers} wait: ` +
    `${(planning + spread + reporting).toFixed(1)} s, efficiency ${percent(whole)}; other checks fill the wait`,
);
process.exitCode = efficiency >= LEAST_EFFICIENCY ? 0 : 1;
await model.dispose();

/** Seconds for grouping what was found and writing it. */
async function reportSeconds() {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-simulated-'));
  const began = performance.now();
  const described = reports.describeModel(model);
  const scenery = new reports.Scenery(model);
  const painter = reports.painterOf(model, scenery, described.box, 1);
  const cells = new reports.GridCells([], model.meta.metresPerUnit);
  const grouped = reports.groupClashes(clashes, described.date, 'auto', (point) => cells.cellOf(point));
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
