/** From model files to a store: rate and memory. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { count, megabytes } from '../measure/figures.mjs';
import { measureCommand } from '../measure/measure-child.mjs';
import { writeGlb, writePly, writeStl } from './model-files.mjs';

const LEAST_RATE = 1.5;
const LEAST_PLY_RATE = 2;
const PROGRAM_MEGABYTES = 120;

export async function packRow({ figures, folder, quick, repetitions }) {
  const small = quick ? 200_000 : 4_000_000;
  const large = quick ? 600_000 : 12_000_000;
  figures.begin('pack', 'binary STL, PLY and GLB into a store');
  for (const [name, write, triangles, cap, least] of [
    ['model.stl', writeStl, small, 160, LEAST_RATE],
    ['model.ply', writePly, small, 160, LEAST_PLY_RATE],
    ['model.glb', writeGlb, small, 160, LEAST_RATE],
    ['large.stl', writeStl, large, quick ? 16 : 60, undefined],
  ]) {
    const path = join(folder, name);
    const written = write(path, triangles);
    const { size } = statSync(path);
    const runs = [];
    for (let i = 0; i < repetitions; i++) {
      const store = join(folder, 'packed.impinge');
      runs.push(await measureCommand('pack', path, '-o', store, '--memory', `${cap}MB`));
      figures.assert(runs[i].result.triangles === written, `${name}: ${runs[i].result.triangles} triangles`);
      rmSync(store);
    }
    rmSync(path);
    const [{ result }] = runs;
    figures.add(`${name} cap ${cap} MB`, {
      rate: {
        value: runs.map(({ seconds }) => written / seconds / 1e6),
        unit: 'M triangles/s',
        asked: least === undefined || quick ? undefined : { least },
      },
      seconds: { value: runs.map(({ seconds }) => seconds), unit: 's' },
      'peak RSS': megabytes(
        runs.map((run) => run.peakRss),
        quick ? undefined : cap + PROGRAM_MEGABYTES,
      ),
      'input file': megabytes(size),
      store: megabytes(result.byteLength),
      triangles: count(written),
    });
  }
}
