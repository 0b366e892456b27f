/**
 * The motions that near surfaces leave to a body: straight ones off them (ways-off.ts), and those by which it slides
 * past all of them while it turns, as a nut does on its thread.
 *
 * A body whose centre c moves by v while it turns by w moves by v + w × (p − c) at p. It slides there along a surface
 * of normal n if n · v + ((p − c) × n) · w is zero. The motions for which the squares of these add up to little over
 * all near triangles are eigenvectors of a 6 × 6 matrix (after the kinematic surfaces of Pottmann and Wallner).
 * Triangles that do not go along with the others count little. Nothing is proved by this: it is where to look first.
 */
import { diagonalise } from 'impinge/internal/math/jacobi.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { cross, plus, times } from 'impinge/internal/query/walk/vectors.js';
import type { FreeSpace } from '../free-space.js';
import { type NearFace, nearFaces } from './near-faces.js';
import { waysOff } from './ways-off.js';

/** Mean square of the speed across surfaces, of motions of speed 1, that counts as sliding. */
const SLIDES = 1e-3;
/** The sine of what a motion leads across a triangle from which on that counts little, and how often that is asked. */
const ACROSS = 0.03;
const ROUNDS = 4;
/** A motion that moves the centre by less than this leads nowhere; one that turns by less is straight. */
const LEADS = 0.005;
const TURNS = 0.05;

/** Headings (slide.ts), the likeliest first; none where nothing is near. */
export function surfaceFreedom(free: FreeSpace, pose: RigidPose, arm: number): Float64Array[] {
  const { standing, moving } = nearFaces(free, pose);
  const centre = new Float64Array(3);
  posePoint(pose, free.centre[0], free.centre[1], free.centre[2], centre, 0);
  const screws = slidingTurns([...standing, ...moving], centre, arm);
  return [...screws, ...waysOff(standing).map((direction) => Float64Array.of(...direction, 0, 0, 0))];
}

function slidingTurns(near: readonly NearFace[], centre: Float64Array, arm: number): Float64Array[] {
  const rows = near.map(({ middle, normal }) => {
    const turn = cross(plus(middle, centre, -1), normal);
    return Float64Array.of(...normal, ...times(turn, 1 / arm));
  });
  const weights = near.map(({ area }) => area);
  let found: { heading: Float64Array; across: number }[] = [];
  for (let round = 0; round < ROUNDS && rows.length > 0; round++) {
    found = leastAcross(rows, weights);
    const [{ heading }] = found;
    for (const [r, row] of rows.entries()) {
      const across = row.reduce((sum, x, k) => sum + x * heading[k], 0);
      weights[r] = near[r].area / (1 + (across / ACROSS) ** 2) ** 2;
    }
  }
  return found
    .filter(({ across }) => across <= SLIDES)
    .map(({ heading }) => heading)
    .filter(leads);
}

function leads([vx, vy, vz, wx, wy, wz]: Float64Array): boolean {
  return Math.hypot(vx, vy, vz) > LEADS && Math.hypot(wx, wy, wz) > TURNS;
}

/** Six headings at right angles, and the mean square of how far each leads across the rows, the least first. */
function leastAcross(rows: readonly Float64Array[], weights: readonly number[]) {
  const matrix = new Float64Array(36);
  let total = 0;
  for (const [r, row] of rows.entries()) {
    total += weights[r];
    for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) matrix[6 * i + j] += weights[r] * row[i] * row[j];
  }
  const axes = new Float64Array(36);
  diagonalise(matrix, 6, axes);
  return [0, 1, 2, 3, 4, 5]
    .map((k) => ({
      heading: Float64Array.from({ length: 6 }, (_, i) => axes[6 * i + k]),
      across: matrix[7 * k] / total,
    }))
    .sort((a, b) => a.across - b.across);
}
