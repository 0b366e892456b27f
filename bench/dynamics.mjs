/**
 * Measures contacts as rigid bodies meet them: `npm run bench:dynamics [-- ROW…] [--quick] [--runs N] [--out FILE]`.
 *
 * Rows: hulls (contact levels of the models of the CLOD paper beside its counts), slide (contacts of a spoon in a cup, a torus
 * on a peg, a number in a bowl, by contact levels and exactly).
 */
import { hullsRow } from './dynamics/hulls-row.mjs';
import { slideRow } from './dynamics/slide-row.mjs';
import { runRows } from './measure/rows.mjs';

await runRows({ name: 'dynamics', rows: { hulls: hullsRow, slide: slideRow } });
