/**
 * The whole-model check measured: ours from packed stores and files, and beside its peers in memory.
 *
 *   npm run bench:check                             every row; writes lab/bench/results/check-<machine>.csv and plots
 *   npm run bench:check -- plant memory             some rows; the others' lines in the file stay
 *   npm run bench:check -- --quick                  small sizes; writes nothing unless --out is given
 *   npm run bench:check -- --runs 1                 one run each instead of the median and range of five
 *   npm run bench:check -- --folder DIR             keeps generated plants there, and uses those it finds
 *
 * Rows: plant (15 M triangles under a cap), caps (how often triangles are read), growth (1 to 60 M triangles), hospital
 * (a real building), aspects (12 files of a house, one changed), memory (10 000 objects beside peers), mover (one of
 * 2 000 moves), fly (a body moving through), pack (files into a store), remote (a store on a server far away).
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { aspectsRow } from './check/aspects-row.mjs';
import { flyRow } from './check/fly-row.mjs';
import { hospitalRow } from './check/hospital-row.mjs';
import { memoryRow } from './check/memory-row.mjs';
import { moverRow } from './check/mover-row.mjs';
import { packRow } from './check/pack-row.mjs';
import { capsRow, growthRow, plantRow } from './check/plant-rows.mjs';
import { remoteRow } from './check/remote-row.mjs';
import { runCommand } from './measure/measure-child.mjs';
import { runRows } from './measure/rows.mjs';

await runRows({
  name: 'check',
  rows: {
    plant: plantRow,
    caps: capsRow,
    growth: growthRow,
    hospital: hospitalRow,
    aspects: aspectsRow,
    memory: memoryRow,
    mover: moverRow,
    fly: flyRow,
    pack: packRow,
    remote: remoteRow,
  },
  options: { folder: { type: 'string' } },
  prepare: ({ figures, folder, quick }, options) => {
    const plantFolder = options.folder ?? folder;
    mkdirSync(plantFolder, { recursive: true });
    const steps = quick ? 300 : 2000;
    return { steps, plant: (size) => plant(figures, plantFolder, size, steps) };
  },
  note: '(FCL takes part where the Debian package libfcl-dev, g++ and pkg-config are installed)',
});

/** A generated plant: its store, the clashes put in, a walk through it. */
async function plant(figures, folder, size, steps) {
  const files = {
    size,
    store: join(folder, `plant-${size}.impinge`),
    truth: join(folder, `plant-${size}-truth.json`),
    walk: join(folder, `plant-${size}-walk.json`),
  };
  if (!existsSync(files.walk)) {
    const unfinished = `${files.walk}.part`;
    const said = await runCommand(
      ...['generate', '-o', files.store, '--triangles', size, '--truth', files.truth],
      ...['--path', unfinished, '--steps', String(steps)],
    );
    renameSync(unfinished, files.walk);
    figures.note(said.replace(`${folder}/`, ''));
  }
  return files;
}
