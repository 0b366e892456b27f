/**
 * Contacts and rigid bodies measured, beside Rapier and Jolt where they can do the same.
 *
 *   npm run bench:dynamics                          every row; writes lab/bench/results/dynamics-<machine>.csv
 *   npm run bench:dynamics -- pyramid pile          some rows; the others' lines in the file stay
 *   npm run bench:dynamics -- --quick               small sizes; writes nothing unless --out is given
 *
 * Rows: hulls (contact levels of the models of the CLOD paper beside its counts), slide (contacts of a spoon in a cup,
 * a torus on a peg, a number in a bowl, by contact levels and exactly), laws (small scenes whose outcome is known by a
 * formula), pyramid (20 rows for 30 s), heap (cubes and balls as shapes), pile (1 000 concave bodies: time, and what
 * falls through), nut (a nut is turned down a bolt, one generated and, if ../shared/data/planning has them, M16 pairs),
 * spoon (10 000 whole steps in the cup), engines (the same scenes by each engine), statue (28.9 M triangles on 1.7 M,
 * from stores; they are made of a scan looked for in ../shared/data/scans, and kept with those of bench:levels in
 * --folder DIR, contact levels, too), rest (what sleeping bodies cost).
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enginesRow } from './dynamics/engines-row.mjs';
import { heapRow } from './dynamics/heap-row.mjs';
import { hullsRow } from './dynamics/hulls-row.mjs';
import { lawsRow } from './dynamics/laws-row.mjs';
import { nutRow } from './dynamics/nut-row.mjs';
import { pileRow } from './dynamics/pile-row.mjs';
import { pyramidRow } from './dynamics/pyramid-row.mjs';
import { restRow } from './dynamics/rest-row.mjs';
import { slideRow } from './dynamics/slide-row.mjs';
import { spoonRow } from './dynamics/spoon-row.mjs';
import { statueRow } from './dynamics/statue-row.mjs';
import { Models } from './levels/models.mjs';
import { runRows } from './measure/rows.mjs';

await runRows({
  name: 'dynamics',
  rows: {
    hulls: hullsRow,
    slide: slideRow,
    laws: lawsRow,
    pyramid: pyramidRow,
    heap: heapRow,
    pile: pileRow,
    nut: nutRow,
    spoon: spoonRow,
    engines: enginesRow,
    statue: statueRow,
    rest: restRow,
  },
  options: { folder: { type: 'string' } },
  prepare: ({ quick }, { folder = join(tmpdir(), 'impinge-levels') }) => {
    mkdirSync(folder, { recursive: true });
    return { models: new Models(folder, { quick }), kept: folder };
  },
});
