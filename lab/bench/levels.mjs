/**
 * Models with levels measured: answers with a certified error beside those of our own exact queries, on the same poses.
 *
 *   npm run bench:levels                            every row; writes lab/bench/results/levels-<machine>.csv and a plot
 *   npm run bench:levels -- fall spheres            some rows; the others' lines in the file stay
 *   npm run bench:levels -- --quick                 small sizes; writes nothing unless --out is given
 *   npm run bench:levels -- --runs 1                one run each instead of the median and range of five
 *   npm run bench:levels -- --folder DIR            keeps models and stores there, and uses those it finds
 *   npm run bench:levels -- --fresh                 packs stores again that are there
 *
 * Rows: build (files into stores with levels), fall (a turbine onto a scan of 28.9 M triangles), plant (a dragon
 * through 12.8 M triangles), motion (how cuts follow it), exact (against exact queries, all within a distance, meeting,
 * distance), spheres (one in the other), growth (0.9 to 28.9 M triangles at one error), simplifier (triangles against
 * those of a plain quadric simplifier), curve (triangles left against the error, of three models), answers (a sample of
 * them compared with the exact queries'), contact (regions of contact and ways out, compared likewise).
 * The scans are looked for beside this checkout (../shared/data/scans). The first run makes models of 700 MB; the exact
 * target takes 2.2 GB of memory.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersRow } from './levels/answers-row.mjs';
import { buildRow } from './levels/build-row.mjs';
import { curveRow } from './levels/curve-row.mjs';
import { exactRow } from './levels/exact-row.mjs';
import { fallRow } from './levels/fall-row.mjs';
import { growthRow } from './levels/growth-row.mjs';
import { Models } from './levels/models.mjs';
import { motionRow } from './levels/motion-row.mjs';
import { plantRow } from './levels/plant-row.mjs';
import { regionsRow } from './levels/regions-row.mjs';
import { simplifierRow } from './levels/simplifier-row.mjs';
import { spheresRow } from './levels/spheres-row.mjs';
import { runRows } from './measure/rows.mjs';

await runRows({
  name: 'levels',
  rows: {
    build: buildRow,
    answers: answersRow,
    contact: regionsRow,
    fall: fallRow,
    plant: plantRow,
    motion: motionRow,
    exact: exactRow,
    spheres: spheresRow,
    growth: growthRow,
    simplifier: simplifierRow,
    curve: curveRow,
  },
  options: { folder: { type: 'string' }, fresh: { type: 'boolean', default: false } },
  prepare: ({ quick }, { folder = join(tmpdir(), 'impinge-levels'), fresh }) => {
    mkdirSync(folder, { recursive: true });
    return { models: new Models(folder, { quick, fresh }) };
  },
});
