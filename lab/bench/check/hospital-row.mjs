/** A real building: from file to report, then again with the store of the first run. Needs the reference data. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count, megabytes, seconds } from '../measure/figures.mjs';
import { measureCommand } from '../measure/measure-child.mjs';
import { compareWithCrossings } from './truth.mjs';

const ALL_KINDS = 'hard,inside,duplicate,clearance,touch';
const PLANTS = new URL('../../../../shared/data/plants/', import.meta.url);

export async function hospitalRow({ figures, folder, quick, repetitions }) {
  const name = quick ? 'duplex' : 'hospital';
  figures.begin('hospital', `${name}.glb, file to report, default cap, one worker per core`);
  const model = fileURLToPath(new URL(`${name}.glb`, PLANTS));
  if (!existsSync(model)) {
    figures.note(`SKIPPED: ../shared/data/plants/${name}.glb is not there`);
    return;
  }
  const report = join(folder, name);
  const cold = [];
  const again = [];
  for (let i = 0; i < repetitions; i++) {
    rmSync(report, { recursive: true, force: true });
    cold.push(await measureCommand('check', model, '-o', report));
    again.push(await measureCommand('check', model, '-o', report));
  }
  // a crossing no deeper than the rounding of both counts as a touch: tests prove each; not measured
  const all = join(folder, `${name}-all`);
  await measureCommand('check', model, '-o', all, '--formats', 'jsonl', '--kinds', ALL_KINDS);
  const { expected, found, touches, missing } = compareWithCrossings(
    all,
    new URL(`${name}.crossings.tsv.gz`, PLANTS),
  );
  figures.assert(
    missing.length === 0,
    `${missing.length} clear crossings are missing, such as ${missing[0]}`,
  );
  for (const [what, runs, most] of [
    ['file to report', cold, 20],
    ['store reused', again, 8],
  ]) {
    const [{ result }] = runs;
    figures.add(`${name} ${what}`, {
      seconds: seconds(
        runs.map((run) => run.seconds),
        quick ? undefined : most,
      ),
      'peak RSS': megabytes(
        runs.map((run) => run.peakRss),
        quick ? undefined : 700,
      ),
      triangles: count(result.triangles),
      objects: count(result.objects),
      pairs: count(result.stats.pairs),
      clashes: count(result.clashes),
      'clear crossings found': count(found - touches),
      'clear crossings within rounding': count(touches),
      'clear crossings': count(expected),
    });
  }
}
