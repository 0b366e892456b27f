/**
 * Triangles from a metre down to a millimetre at constant density, as many of each size.
 *
 * Idea: towers of lying triangles, each half as large as the one beneath it and in a slab of its own, so that nothing
 * meets at the start. In the step all rise or sink by up to half their size: large ones sweep through the small ones
 * above. Four towers make a cluster of its own orientation.
 */
import { Random, seedOf } from '../random.js';
import { cellOf, cubeSide } from './cells.js';
import type { MovingMesh } from './growth.js';
import { circlePoint, randomPose } from './turning.js';

const SIZES = 11;
/** 1000^(1/10): ten steps from the largest to the smallest. */
const RATIO = 1.9952623149688795;
const TOWERS = 4;
const CLUSTER_TRIANGLES = SIZES * TOWERS;
// in sizes
const RADIUS = 0.45;
const THICKNESS = 0.2;
const CLEARANCE = 0.1;
const MOTION = 0.5;
/**
 * Largest offset of a triangle from the one beneath; the sum of all offsets keeps towers, a metre apart, from meeting.
 */
const ASIDE = 0.4;
/** Metres between clusters: no two of them meet. */
const CELL = 4.4;

/** n triangles without common vertices, in clusters of 44. */
export function mixedSizes(n: number, seed = 1): MovingMesh {
  const positionsT0 = new Float32Array(9 * n);
  const positionsT1 = new Float32Array(9 * n);
  const columns = cubeSide(Math.ceil(n / CLUSTER_TRIANGLES));
  for (let cluster = 0; cluster * CLUSTER_TRIANGLES < n; cluster++) {
    const random = new Random(seedOf(seed, cluster));
    const [x, y, z] = cellOf(cluster, columns).map((c) => (c - (columns - 1) / 2) * CELL);
    const pose = randomPose(random, x, y, z);
    const local = clusterCorners(random);
    const count = Math.min(CLUSTER_TRIANGLES, n - cluster * CLUSTER_TRIANGLES);
    for (let i = 0, at = 9 * cluster * CLUSTER_TRIANGLES; i < 3 * count; i++) {
      for (let k = 0; k < 3; k++, at++) {
        const place =
          pose[3 * k] * local.corners[3 * i] +
          pose[3 * k + 1] * local.corners[3 * i + 1] +
          pose[3 * k + 2] * local.corners[3 * i + 2] +
          pose[9 + k];
        positionsT0[at] = place;
        positionsT1[at] = place + pose[3 * k + 1] * local.rises[Math.floor(i / 3)];
      }
    }
  }
  return {
    name: `mixed sizes ${n}`,
    indices: new Uint32Array(3 * n).map((_, i) => i),
    positionsT0,
    positionsT1,
  };
}

/** The corners of all triangles of a cluster, and each triangle's rise in the step. */
function clusterCorners(random: Random): { corners: number[]; rises: number[] } {
  const corners: number[] = [];
  const rises: number[] = [];
  for (let tower = 0; tower < TOWERS; tower++) {
    let x = (tower & 1) - 0.5;
    let z = (tower >> 1) - 0.5;
    let height = 0;
    for (let i = 0, size = 1; i < SIZES; i++, size /= RATIO) {
      const first = random.next();
      for (let corner = 0; corner < 3; corner++) {
        const [c, s] = circlePoint(first + corner / 3);
        corners.push(x + RADIUS * size * c, height + THICKNESS * size * random.next(), z + RADIUS * size * s);
      }
      rises.push((random.next() - 0.5) * 2 * MOTION * size);
      height += (THICKNESS + CLEARANCE) * size;
      const [c, s] = circlePoint(random.next());
      x += ((ASIDE * size) / RATIO) * c;
      z += ((ASIDE * size) / RATIO) * s;
    }
  }
  return { corners, rises };
}
