/**
 * Generated plants with a memory limit: the whole check, how often triangles are read at different limits, how time and
 * memory grow with the model. Every run is compared with the clashes put in.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { logPlot } from '../../command/dist/reports/log-plot.js';
import { count, median, megabytes, seconds } from '../measure/figures.mjs';
import { measureCommand } from '../measure/measure-child.mjs';
import { compareWithTruth } from './truth.mjs';

const WORKERS = 2;
const CAP = 160;
/** Average number of times each triangle is read, by megabytes, as published for a plant of 15 M triangles. */
const PAPER_LOADS = [
  [30, 60],
  [160, 4.2],
];
const LOADS_ASKED = { 30: 8, 160: 1.5 };
/** Memory of the program itself beyond the limit: code, threads, the report. */
const PROGRAM_MEGABYTES = 120;

/** One size, one limit, with and without clearance. */
export async function plantRow(bench) {
  const { figures, quick } = bench;
  const size = quick ? '300K' : '15M';
  figures.begin('plant', `${size} triangles from a packed store, cap ${CAP} MB, ${WORKERS} workers`);
  const plant = await bench.plant(size);
  for (const [clearance, most] of [
    [false, 5],
    [true, 7],
  ]) {
    const run = await checkPlant(bench, plant, CAP, clearance);
    figures.add(`${size} ${clearance ? 'clearance 50 mm' : 'hard'}`, {
      ...describe(run, quick ? undefined : CAP + PROGRAM_MEGABYTES),
      seconds: seconds(run.samples.seconds, quick ? undefined : most),
      loads: count(run.stats.loadsPerTriangle, quick ? undefined : LOADS_ASKED[CAP]),
    });
  }
}

/** Loads per triangle by memory limit. */
export async function capsRow(bench) {
  const { figures, quick } = bench;
  const size = quick ? '300K' : '15M';
  const caps = quick ? [9, 12, 20, 40] : [30, 60, 160, 500, 1000];
  figures.begin('caps', `${size} triangles, hard, ${WORKERS} workers: how often each triangle is read`);
  const plant = await bench.plant(size);
  const loads = [];
  for (const cap of caps) {
    const run = await checkPlant(bench, plant, cap, false);
    loads.push([cap, run.stats.loadsPerTriangle]);
    figures.add(`${size} cap ${cap} MB`, {
      loads: count(run.stats.loadsPerTriangle, quick ? undefined : LOADS_ASKED[cap]),
      ...describe(run, quick ? undefined : cap + PROGRAM_MEGABYTES),
    });
  }
  figures.note('the paper (15 M triangles): 60 at 30 MB, 4.2 at 160 MB');
  const plot = logPlot(
    `How often each triangle is read, ${size} triangles`,
    'memory for geometry, MB',
    'reads per triangle',
    [
      { name: 'IMMPACT, as published', dashed: true, points: PAPER_LOADS },
      { name: 'impinge', points: loads },
    ],
    true,
  );
  bench.writePlot('loads', plot);
}

/** Time and memory by the size of the model. */
export async function growthRow(bench) {
  const { figures, quick } = bench;
  const sizes = quick ? ['100K', '300K'] : ['1M', '4M', '15M', '60M'];
  figures.begin('growth', `cap ${CAP} MB, ${WORKERS} workers, clearance 50 mm`);
  const points = { seconds: [], memory: [], geometry: [] };
  for (const size of sizes) {
    const plant = await bench.plant(size);
    const run = await checkPlant(bench, plant, CAP, true);
    figures.add(size, { ...describe(run), loads: count(run.stats.loadsPerTriangle) });
    const millions = Number((run.triangles / 1e6).toPrecision(3));
    points.seconds.push([millions, run.seconds]);
    points.memory.push([millions, Math.max(...run.samples.peakRss) / 1e6]);
    points.geometry.push([millions, run.stats.peakBytes / 1e6]);
  }
  for (const [name, title, yLabel, series] of [
    [
      'time',
      'Whole check of a plant, 2 cores',
      'seconds',
      [{ name: 'clearance 50 mm', points: points.seconds }],
    ],
    [
      'memory',
      `Memory of a check with a cap of ${CAP} MB`,
      'MB',
      [
        { name: 'the whole process, at most', points: points.memory },
        { name: 'geometry and hierarchies', points: points.geometry },
      ],
    ],
  ]) {
    const plot = logPlot(title, 'million triangles', yLabel, series, true);
    bench.writePlot(`growth-${name}`, plot);
  }
}

/** The median of several runs; all must find exactly the clashes put in. */
async function checkPlant({ figures, folder, repetitions }, plant, cap, clearance) {
  const report = join(folder, 'report');
  const runs = [];
  for (let i = 0; i < repetitions; i++) {
    rmSync(report, { recursive: true, force: true });
    const { seconds, peakRss, result } = await measureCommand(
      'check',
      plant.store,
      ...['-o', report, '--memory', `${cap}MB`, '--workers', String(WORKERS)],
      ...(clearance ? ['--clearance', '50mm'] : []),
    );
    const truth = compareWithTruth(report, plant.truth, { clearance });
    const { expected, found, missing, extra, wrong } = truth;
    const name = `${plant.size}, ${cap} MB, clearance ${clearance ? '50 mm' : '0'}`;
    const [first] = [...missing, ...extra];
    figures.assert(
      found === expected && extra.length === 0 && wrong === 0,
      `${name}: ${found} of ${expected} found, ${wrong} as another kind, ${extra.length} false (${first ?? ''})`,
    );
    runs.push({ ...result, checkSeconds: result.seconds.check, seconds, peakRss, truth });
  }
  const samples = {
    seconds: runs.map((run) => run.seconds),
    checkSeconds: runs.map((run) => run.checkSeconds),
    peakRss: runs.map((run) => run.peakRss),
  };
  const middle = median(samples.seconds);
  return { ...runs.find((run) => run.seconds === middle), samples };
}

function describe({ samples, stats, truth, triangles, objects }, mostMegabytes) {
  return {
    seconds: seconds(samples.seconds),
    'seconds without start': seconds(samples.checkSeconds),
    'peak RSS': megabytes(samples.peakRss, mostMegabytes),
    geometry: megabytes(stats.peakBytes),
    'bytes read': megabytes(stats.bytesRead),
    triangles: count(triangles),
    objects: count(objects),
    pairs: count(stats.pairs),
    clashes: count(stats.clashes),
    recall: count(truth.expected === 0 ? 1 : truth.found / truth.expected),
    precision: count(stats.clashes === 0 ? 1 : truth.found / stats.clashes),
    'largest deviation': { value: 1000 * truth.deviation, unit: 'mm' },
  };
}
