/**
 * Spherical shells around parts, for parts that follow each other at nearly the same distance.
 *
 * Boxes around a curved part are as thick as it is bulged, so between two such parts nearly all boxes down to the
 * triangles are nearer than the surfaces. A shell of the part's own curvature is as thin as its triangles allow. A part
 * lies between the spheres of radius `least` and `most` around a centre. If the centres of two are c apart, no point of
 * the first is farther than most + c from the second's centre, where nothing of the second is nearer than its least: so
 * they are least − most − c apart, or more; and the same with the two exchanged.
 */
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { Derived } from 'impinge/internal/mesh/revisions.js';
import { slackOf } from 'impinge/internal/scene/world-box.js';

/** Around the numbers stored in a mesh. */
interface Shell {
  readonly centre: Float64Array;
  readonly least: number;
  readonly most: number;
}

/** More than distances of points and triangles lose to rounding, as a share of the numbers involved. */
const ROUNDING = 1e-12;
/** Parts of more triangles are not worth it. */
const TRIANGLES = 1 << 14;
/** A centre so many times farther away than the part is large: it is flat, and boxes do as well. */
const FLAT = 1e4;

/** Undefined: the mesh has none. */
const shells = new Derived(makeShell);

/** Gaps between shells; `pose` is between the numbers stored. */
export class ShellGaps {
  readonly #pose: RigidPose;
  /** Lengths change by no more than this share: it is more than 4 times the largest entry of RᵀR − I. */
  readonly #stretch: number;
  readonly #far: number;
  readonly #centre = new Float64Array(3);

  constructor(pose: RigidPose) {
    this.#pose = pose;
    this.#stretch = slackOf(pose);
    this.#far = Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11]);
  }

  /** How far two meshes are apart at least; 0 where shells do not tell. */
  between(a: Mesh, b: Mesh): number {
    const [shellA, shellB] = [shells.of(a), shells.of(b)];
    if (!shellA || !shellB) return 0;
    const [x, y, z] = shellB.centre;
    const to = this.#centre;
    posePoint(this.#pose, x, y, z, to, 0);
    const from = shellA.centre;
    const apart = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const bInA = shellA.least - shellB.most * (1 + this.#stretch) - apart;
    const aInB = shellB.least * (1 - this.#stretch) - shellA.most - apart;
    const far = this.#far + Math.abs(x) + Math.abs(y) + Math.abs(z) + shellA.most + shellB.most;
    return Math.max(0, Math.max(bInA, aInB) - ROUNDING * far);
  }
}

function makeShell({
  storedPositions: positions,
  storedIndices: indices,
  triangleCount,
}: Mesh): Shell | undefined {
  if (triangleCount > TRIANGLES) return undefined;
  const centre = fitCentre(positions);
  if (!centre) return undefined;
  let mostSq = 0;
  for (let v = 0; v < positions.length; v += 3) {
    const [x, y, z] = [positions[v] - centre[0], positions[v + 1] - centre[1], positions[v + 2] - centre[2]];
    mostSq = Math.max(mostSq, x * x + y * y + z * z);
  }
  let leastSq = Infinity;
  const corners = new Float64Array(9);
  for (let t = 0; t < 3 * triangleCount; t += 3) {
    for (let i = 0; i < 9; i++) corners[i] = positions[3 * indices[t + Math.floor(i / 3)] + (i % 3)];
    leastSq = Math.min(leastSq, distanceSqPointTriangle(centre, 0, corners, 0));
  }
  const most = Math.sqrt(mostSq);
  const rounding = ROUNDING * (most + Math.max(...centre.map(Math.abs)));
  return { centre, least: Math.sqrt(leastSq) - rounding, most: most + rounding };
}

/**
 * The centre of the sphere that vertices lie on best: |p|² = 2 c·p + k, by least squares. Any centre makes a shell, so
 * rounding does no harm here. Undefined where they lie in a plane or nearly so.
 */
function fitCentre(positions: Float32Array): Float64Array | undefined {
  const count = positions.length / 3;
  const mean = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let v = k; v < positions.length; v += 3) sum += positions[v];
    return sum / count;
  });
  let size = 0;
  const sums = new Float64Array(20); // rows of (x, y, z, 1, |p|²) without the last
  for (let v = 0; v < positions.length; v += 3) {
    const x = positions[v] - mean[0];
    const y = positions[v + 1] - mean[1];
    const z = positions[v + 2] - mean[2];
    const row = [x, y, z, 1, x * x + y * y + z * z];
    size = Math.max(size, row[4]);
    for (let i = 0; i < 4; i++) for (let j = 0; j < 5; j++) sums[5 * i + j] += row[i] * row[j];
  }
  for (let i = 0; i < 4; i++) {
    let pivot = i;
    for (let j = i + 1; j < 4; j++) if (Math.abs(sums[5 * j + i]) > Math.abs(sums[5 * pivot + i])) pivot = j;
    for (let k = 0; k < 5; k++) {
      [sums[5 * i + k], sums[5 * pivot + k]] = [sums[5 * pivot + k], sums[5 * i + k]];
    }
    for (let j = 0; j < 4; j++) {
      if (j === i) continue;
      const by = sums[5 * j + i] / sums[5 * i + i];
      for (let k = i; k < 5; k++) sums[5 * j + k] -= by * sums[5 * i + k];
    }
  }
  const centre = Float64Array.from(mean, (at, i) => at + (0.5 * sums[5 * i + 4]) / sums[6 * i]);
  const away = Math.hypot(...centre.map((at, k) => at - mean[k]));
  return away < FLAT * Math.sqrt(size) ? centre : undefined;
}
