/** Shapes, with contact levels or without, where they are near each other. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { buildContactLevels } from '../../../src/contact-levels/build.js';
import type { ContactLevels } from '../../../src/contact-levels/contact-levels.js';
import { ContactShape, type RigidSurface } from '../../../src/rigid/contact-shape.js';

interface Arrays {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

export function surfaceOf(name: string, { positions, indices }: Arrays): RigidSurface {
  return {
    name,
    positions: Float64Array.from(positions, Math.fround),
    indices: Uint32Array.from(indices),
  };
}

/** Triangles in a frame that is not about their middle. */
export function shapeOf(name: string, arrays: Arrays): ContactShape {
  return new ContactShape(surfaceOf(name, arrays), [0.02, -0.01, 0.03]);
}

export function levelsOf(arrays: Arrays, volumes: 'hulls' | 'boxes' = 'hulls'): ContactLevels {
  const mesh = Mesh.from(arrays);
  try {
    return buildContactLevels(mesh, { volumes });
  } finally {
    mesh.dispose();
  }
}

export function randomPose(random: SeededRandom, spread: number): Float64Array {
  const q = [0, 1, 2, 3].map(() => 2 * random.next() - 1);
  const shift = [0, 1, 2].map(() => spread * (2 * random.next() - 1));
  return poseOf(q, shift);
}

/** Of a quaternion of any length and a shift. */
export function poseOf(quaternion: readonly number[], shift: readonly number[]): Float64Array {
  const [x, y, z, w] = quaternion.map((c) => c / Math.hypot(...quaternion));
  return Float64Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    ...[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    ...[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ...shift,
  );
}

/** How far the surfaces are apart with b's frame at a pose in a's, by the exact query. */
export function distanceAt(a: ContactShape, b: ContactShape, p: Float64Array): number {
  const translation = [0, 1, 2].map(
    (k) =>
      p[9 + k] +
      a.centre[k] -
      (p[3 * k] * b.centre[0] + p[3 * k + 1] * b.centre[1] + p[3 * k + 2] * b.centre[2]),
  );
  return distance(a.mesh, b.mesh, { pose: { rotation: p.subarray(0, 9), translation } }).distance;
}

/** Poses of b at which the surfaces are apart, but by less than `farthest`. */
export function nearPoses(a: ContactShape, b: ContactShape, count: number, seed: number, farthest: number) {
  const random = new SeededRandom(seed);
  const found: { readonly pose: Float64Array; readonly apart: number }[] = [];
  while (found.length < count) {
    const pose = randomPose(random, a.radius + b.radius);
    const apart = distanceAt(a, b, pose);
    if (apart > 0.001 * a.radius && apart < farthest) found.push({ pose, apart });
  }
  return found;
}
