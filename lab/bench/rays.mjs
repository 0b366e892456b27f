/**
 * Rays, points and shapes measured beside three-mesh-bvh, in one process, and beside Embree, with the same answers.
 *
 *   npm run bench:rays                     all rows; writes lab/bench/results/rays-<machine>.csv
 *   npm run bench:rays -- points           one of them; the others' lines in the file stay
 *   npm run bench:rays -- --quick          small sizes; writes nothing unless --out is given
 *
 * Rows: rays (the first hit on a mesh of a million triangles, coherent as of a camera and random), points (the closest
 * point, from near and far), refit (vertices that move), shapes (spheres, boxes and capsules at the surface: any
 * triangle, all of them), three (rays under three's own Raycaster, first and all hits), embree (a million rays, and
 * points, beside its calls for one; left out where it is not installed), scene (all meeting pairs of 10 000 objects,
 * asked again). A peer's call is its own fastest: `raycastFirst`, `closestPointToPoint`, `intersectsSphere`,
 * `intersectsBox` and `shapecast` of a tree built with SAH, with everything they need made beforehand. Times are
 * processor time per question.
 */
import { runRows } from './measure/rows.mjs';
import { embreeRow } from './rays/embree-row.mjs';
import { pointsRow } from './rays/points-row.mjs';
import { raysRow } from './rays/rays-row.mjs';
import { refitRow } from './rays/refit-row.mjs';
import { sceneRow } from './rays/scene-row.mjs';
import { shapesRow } from './rays/shapes-row.mjs';
import { threeRow } from './rays/three-row.mjs';

await runRows({
  name: 'rays',
  rows: {
    rays: raysRow,
    points: pointsRow,
    refit: refitRow,
    shapes: shapesRow,
    three: threeRow,
    embree: embreeRow,
    scene: sceneRow,
  },
});
