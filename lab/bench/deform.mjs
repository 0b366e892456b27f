/**
 * Detection between deforming surfaces measured: ours by hashing, by a hierarchy of ours, and by brute force.
 *
 *   npm run bench:deform                            every row; writes lab/bench/results/deform-<machine>.csv and plots
 *   npm run bench:deform -- cloth-ball growth       some rows; the others' lines in the file stay
 *   npm run bench:deform -- --runs 1                one run each instead of the median and range of five
 *   npm run bench:deform -- --quick                 small sizes; writes nothing unless --out is given
 *
 * Rows: cloth-ball (a real step of 92 230 triangles), queries (the exact test on published queries), scenes (the
 * paper's three scenes, simulated), growth (10 K to 10 M triangles), workers (two threads against one). The first two
 * need the reference data beside this checkout and are skipped, in sight, without it.
 */
import { clothBallRow } from './deform/cloth-ball-row.mjs';
import { growthRow } from './deform/growth-row.mjs';
import { queriesRow } from './deform/queries-row.mjs';
import { scenesRow } from './deform/scenes-row.mjs';
import { workersRow } from './deform/workers-row.mjs';
import { runRows } from './measure/rows.mjs';

await runRows({
  name: 'deform',
  rows: {
    'cloth-ball': clothBallRow,
    queries: queriesRow,
    scenes: scenesRow,
    growth: growthRow,
    workers: workersRow,
  },
});
