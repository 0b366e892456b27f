/**
 * How a check of a billion triangles would spread over 64 workers: on paper.
 *
 *   node bench/queue/simulated-cluster.mjs STORE [--workers 64] [--triangles 1e9] [--seed 1]
 *
 * Measures the groups of a store here, one after the other; draws the groups of the large model from these costs; hands
 * them out in order, as the queue does, to whoever is free.
 *
 * Assumes: a model of that size has groups like this one's; every worker reads as fast as this machine does; a group costs
 * 5 ms on top; planning, which one process does before, and reporting, after, are not counted.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '@impinge/scenes/random';
import { check } from 'impinge/check';
import { groupPool, openStoreFile, startGroupWorker } from 'impinge/node';

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
const costs = [];
let worker;
let last = Promise.resolve();
const pool = groupPool((triples, settings) => {
  const measured = last.then(async () => {
    worker ??= await startGroupWorker(model, settings);
    const started = performance.now();
    const findings = await worker.measure(triples);
    costs.push((performance.now() - started) / 1000);
    return findings;
  });
  last = measured;
  return measured;
});
for await (const _ of check(model, { clearance: 0.05, memory: 256e6, pool }));
await worker?.dispose();

const groups = Math.round((costs.length * Number(values.triangles)) / model.triangleCount);
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
const end = Math.max(...busyUntil);
const efficiency = work / (workers * end);
const sorted = [...costs].sort((p, q) => p - q);
console.log(
  `${costs.length} groups measured: median ${(1000 * sorted[costs.length >> 1]).toFixed(0)} ms, longest ${(1000 * sorted.at(-1)).toFixed(0)} ms`,
);
console.log(
  `assumed: ${groups} groups like these, ${workers} workers as fast as this machine, ${1000 * OVERHEAD_SECONDS} ms more for each group; planning and reporting not counted`,
);
console.log(
  `${end.toFixed(1)} s, efficiency ${(100 * efficiency).toFixed(1)} % (asked: at least ${100 * LEAST_EFFICIENCY} %)`,
);
process.exitCode = efficiency >= LEAST_EFFICIENCY ? 0 : 1;
await model.dispose();
