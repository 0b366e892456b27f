/**
 * The whole-model check measured: ours from packed stores and files, and beside its peers in memory.
 *
 *   npm run bench:check                             every row; writes bench/results/check-<machine>.csv and plots
 *   npm run bench:check -- plant memory             some rows; the others' lines in the file stay
 *   npm run bench:check -- --quick                  small sizes; writes nothing unless --out is given
 *   npm run bench:check -- --repeat 1               one run each instead of the median of three
 *   npm run bench:check -- --folder DIR             keeps generated plants there, and uses those it finds
 *
 * Rows: plant (15 M triangles under a cap), caps (how often triangles are read), growth (1 to 60 M triangles), hospital
 * (a real building), memory (10 000 objects beside the peers), fly (a body moving through), pack (files into a store).
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Figures, formatNumber } from './check/figures.mjs';
import { flyRow } from './check/fly-row.mjs';
import { hospitalRow } from './check/hospital-row.mjs';
import { machine, machineSlug, QUIET, versionOf } from './check/machine.mjs';
import { runCommand } from './check/measure-child.mjs';
import { memoryRow } from './check/memory-row.mjs';
import { packRow } from './check/pack-row.mjs';
import { capsRow, growthRow, plantRow } from './check/plant-rows.mjs';

const ROWS = {
  plant: plantRow,
  caps: capsRow,
  growth: growthRow,
  hospital: hospitalRow,
  memory: memoryRow,
  fly: flyRow,
  pack: packRow,
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    repeat: { type: 'string' },
    folder: { type: 'string' },
    out: { type: 'string' },
  },
});
const chosen = positionals.length > 0 ? positionals : Object.keys(ROWS);
for (const name of chosen) {
  if (!ROWS[name]) throw new Error(`${name}: there are rows ${Object.keys(ROWS).join(', ')}`);
}
const repetitions = Number(options.repeat ?? (options.quick ? 1 : 3));
if (!(repetitions >= 1)) throw new Error(`--repeat ${options.repeat}: not a number of runs`);

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

const scratch = mkdtempSync(join(os.tmpdir(), 'impinge-check-'));
const plantFolder = options.folder ?? scratch;
mkdirSync(plantFolder, { recursive: true });
const figures = new Figures();
const steps = options.quick ? 300 : 2000;
const out = options.out ?? (options.quick ? null : resultPath());
const bench = { figures, folder: scratch, quick: options.quick, repetitions, steps, plant, writePlot };
try {
  for (const name of chosen) {
    try {
      await ROWS[name](bench);
    } catch (error) {
      figures.assert(false, error.message);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

if (out) {
  figures.writeCsv(out, chosen);
  console.log(`\nwritten to ${out}`);
}
const missed = figures.missed();
if (missed.length > 0) console.log('\nasked for and missed:');
for (const f of missed)
  console.log(`  ${f.row}, ${f.case}: ${f.quantity} ${formatNumber(f.value)} ${f.unit}`);
if (figures.failures.length > 0) {
  console.log(`\nwrong:\n${figures.failures.map((what) => `  ${what}`).join('\n')}`);
  process.exitCode = 1;
}
console.log(
  `\nreproduce: npm install && npm run bench:check -- ${[...chosen, ...(options.quick ? ['--quick'] : [])].join(' ')}`,
);
console.log('(FCL takes part where the Debian package libfcl-dev, g++ and pkg-config are installed)');

/** A generated plant: its store, what was put in, a walk through it. */
async function plant(size) {
  const files = {
    size,
    store: join(plantFolder, `plant-${size}.impinge`),
    truth: join(plantFolder, `plant-${size}-truth.json`),
    walk: join(plantFolder, `plant-${size}-walk.json`),
  };
  if (!existsSync(files.walk)) {
    const unfinished = `${files.walk}.part`;
    const said = await runCommand(
      ...['generate', '-o', files.store, '--triangles', size, '--truth', files.truth],
      ...['--path', unfinished, '--steps', String(steps)],
    );
    renameSync(unfinished, files.walk);
    figures.note(said.replace(`${plantFolder}/`, ''));
  }
  return files;
}

/** Keeps a plot beside the CSV file. */
function writePlot(name, svg) {
  if (out) writeFileSync(join(dirname(out), `check-${name}-${machineSlug}.svg`), svg);
}

function resultPath() {
  return fileURLToPath(new URL(`results/check-${machineSlug}.csv`, import.meta.url));
}
