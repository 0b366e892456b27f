// The long jobs on several threads: the same answers, in the same order, whatever the number of threads.
import { collide, Mesh } from 'impinge';
import { hierarchyToBytes } from 'impinge/hierarchy';
import { nodePool } from 'impinge/node'; // in a browser: webPool, from impinge/web
import { buildHierarchyParallel, collideParallel } from 'impinge/parallel';
import { icosphere, torusKnot } from '../lab/scenes/index.mjs';

const knot = Mesh.from(torusKnot(2, 5, 1, 0.2, 1000, 40), { name: 'knot' });
const ball = Mesh.from(icosphere(48, 1.1), { name: 'ball' });
console.log(`${knot.triangleCount} triangles and ${ball.triangleCount}`);

const pool = nodePool(2); // without a number: one thread per core
try {
  // every pair; `signal` takes an AbortSignal
  let parts = 0;
  const { pairs, count } = await collideParallel(knot, ball, { pool, onProgress: () => parts++ });
  console.log(`${count} pairs of triangles meet, found in ${parts} parts`);
  console.log('as on one thread:', String(pairs) === String(collide(knot, ball).pairs));

  // a tree is the same bytes for any pool; a pool of 0 threads works on the calling one
  const tree = await buildHierarchyParallel(knot, pool);
  const same = await buildHierarchyParallel(knot, nodePool(0));
  const equal = Buffer.compare(hierarchyToBytes(tree), hierarchyToBytes(same)) === 0;
  console.log(`a tree for the ${tree.mesh.name}, equal bytes: ${equal}`);
} finally {
  await pool.dispose();
}

// > 80000 triangles and 46080
// > 2550 pairs of triangles meet, found in 256 parts
// > as on one thread: true
// > a tree for the knot, equal bytes: true
