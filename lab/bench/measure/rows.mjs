/**
 * Runs the rows of a benchmark: reads the options, prints the machine, saves figures as CSV and plots, and finally
 * lists missed requirements and how to run it again.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Figures, formatNumber } from './figures.mjs';
import { machine, machineSlug, QUIET, versionOf } from './machine.mjs';

/** Fewer say little about the variation. */
export const RUNS = 5;

/**
 * @param {object} benchmark
 * @param {string} benchmark.name `npm run bench:<name>`, and the start of the names of its results
 * @param {Record<string, (bench: object) => Promise<void>>} benchmark.rows
 * @param {object} [benchmark.options] more options of the command line, as for parseArgs
 * @param {(bench: object, options: object) => object} [benchmark.prepare] what rows find in `bench` besides figures,
 *   folder (a temporary one), quick, repetitions and writePlot
 * @param {string} [benchmark.note] a last line
 */
export async function runRows({ name, rows, options: more = {}, prepare = () => ({}), note }) {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      runs: { type: 'string' },
      out: { type: 'string' },
      ...more,
    },
  });
  const chosen = positionals.length > 0 ? positionals : Object.keys(rows);
  for (const row of chosen) {
    if (!rows[row]) throw new Error(`${row}: there are rows ${Object.keys(rows).join(', ')}`);
  }
  const repetitions = Number(options.runs ?? (options.quick ? 1 : RUNS));
  if (!(repetitions >= 1)) throw new Error(`--runs ${options.runs}: not a number of runs`);
  printMachine();

  const figures = new Figures();
  const folder = mkdtempSync(join(os.tmpdir(), `impinge-${name}-`));
  const results = fileURLToPath(new URL('../results/', import.meta.url));
  const out = options.out ?? (options.quick ? null : join(results, `${name}-${machineSlug}.csv`));
  const writePlot = (plot, svg) => {
    if (out) writeFileSync(join(dirname(out), `${name}-${plot}-${machineSlug}.svg`), svg);
  };
  const bench = { figures, folder, quick: options.quick, repetitions, writePlot };
  Object.assign(bench, prepare(bench, options));
  try {
    for (const row of chosen) {
      try {
        await rows[row](bench);
      } catch (error) {
        figures.assert(false, error.message);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (out) {
    figures.writeCsv(out, chosen);
    console.log(`\nwritten to ${out}`);
  }
  printOutcome(figures);
  const again = [...chosen, ...(options.quick ? ['--quick'] : [])].join(' ');
  console.log(`\nreproduce: npm install && npm run bench:${name} -- ${again}`);
  if (note) console.log(note);
}

export function printMachine() {
  console.log(
    `${machine.cpu}, ${machine.arch}, ${machine.cores} cores, ${formatNumber(machine.memory / 2 ** 30)} GiB, ` +
      `Node ${machine.node}, impinge ${versionOf('impinge')}`,
  );
  const [load] = os.loadavg();
  if (load > QUIET) {
    console.log(
      `CAUTION: load average ${load.toFixed(1)}, others use this machine: times are not to be trusted`,
    );
  }
}

function printOutcome(figures) {
  const missed = figures.missed();
  if (missed.length > 0) console.log('\nasked for and missed:');
  for (const f of missed)
    console.log(`  ${f.row}, ${f.case}: ${f.quantity} ${formatNumber(f.value)} ${f.unit}`);
  if (figures.failures.length > 0) {
    console.log(`\nwrong:\n${figures.failures.map((what) => `  ${what}`).join('\n')}`);
    process.exitCode = 1;
  }
}
