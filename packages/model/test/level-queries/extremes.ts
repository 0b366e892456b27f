/**
 * Where levels and originals are farthest from each other, and probes put there: what shows a bound that is too small.
 */
import { Mesh, within } from 'impinge';
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import type { LevelsTarget } from '../../src/index.js';
import type { Shape } from '../levels/families.js';
import { type StoredLevels, together } from '../levels/stored.js';

/** A point of one mesh that is far from another, and the direction away from that. */
export interface Extreme {
  readonly point: Float64Array;
  readonly away: readonly number[];
  readonly apart: number;
}

/** How far a point is from the nearest triangle. */
export function distanceTo(triangles: Float64Array, point: Float64Array): number {
  let least = Infinity;
  for (let t = 0; t < triangles.length; t += 9) {
    least = Math.min(least, distanceSqPointTriangle(point, 0, triangles, t));
  }
  return Math.sqrt(least);
}

/**
 * Of the points of `from`, given as weights of the corners of its triangles, those farthest from `to`, if they are not
 * on it.
 */
export function extremesOf(
  from: Float64Array,
  to: Float64Array,
  weightsOf: readonly (readonly number[])[],
  count: number,
): Extreme[] {
  const points = new Map<string, Float64Array>();
  for (let t = 0; t < from.length; t += 9) {
    for (const weights of weightsOf) {
      const point = Float64Array.from([0, 1, 2], (k) =>
        weights.reduce((sum, w, corner) => sum + w * from[t + 3 * corner + k], 0),
      );
      points.set(point.join(), point);
    }
  }
  const far = [...points.values()].map((point) => ({ point, apart: distanceTo(to, point) }));
  far.sort((p, q) => q.apart - p.apart);
  return far
    .filter(({ apart }) => apart > 1e-9)
    .slice(0, count)
    .map(({ point, apart }) => ({ point, apart, away: gradient(to, point, apart) }));
}

export const CORNERS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** Middles of edges and of the triangle. */
export const MIDDLES = [
  [0.5, 0.5, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [1 / 3, 1 / 3, 1 / 3],
];

/** The unit vector along which the distance from `to` grows. */
function gradient(to: Float64Array, point: Float64Array, apart: number): number[] {
  const step = 1e-3 * apart;
  const slopes = [0, 1, 2].map((k) => {
    const moved = point.slice();
    moved[k] += step;
    return distanceTo(to, moved) - apart;
  });
  const length = Math.hypot(...slopes) || 1;
  return slopes.map((slope) => slope / length);
}

/** A pose that puts the tip of the probe at a point, the rest of it in the direction given. */
export function probePose(tip: readonly number[], direction: readonly number[]) {
  const across = Math.abs(direction[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const right = normalised(cross(across, direction));
  const up = cross(direction, right);
  // columns: where x, y and z go
  const rotation = [0, 1, 2].flatMap((k) => [right[k], up[k], direction[k]]);
  return { rotation, translation: tip };
}

/** A thin triangle that hangs at the origin and goes up. Its first corner is not the tip. */
export function probe(size: number): Shape {
  return {
    positions: Float32Array.of(0, 0, 0, 0.01 * size, 0, size, -0.01 * size, 0, size),
    indices: Uint32Array.of(1, 2, 0),
  };
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function normalised(v: readonly number[]): number[] {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}

/** Levels may use up one part of the error in so many, where pairs are asked for, and where the distance is. */
export const PAIRS_PARTS = 8 / 3;
export const DISTANCE_PARTS = 4 / 3;

/** An error at which levels of that error are used for pairs, and hardly any larger. */
export function errorFor(level: number, sides: number): number {
  return PAIRS_PARTS * sides * level * 2 ** (1 / 8) * (1 + 1e-9);
}

/**
 * What stands for the first shape when an target is asked with an error: whatever a question about everything names.
 */
export async function frontUsed(
  target: LevelsTarget,
  { pieces }: StoredLevels,
  error: number,
): Promise<Shape> {
  const mesh = Mesh.from(probe(1));
  const found = await within(target, mesh, { distance: 1e6, error });
  mesh.dispose();
  return together([...new Set(found.pieces.filter((_, i) => i % 2 === 0))].map((piece) => pieces[piece]));
}
