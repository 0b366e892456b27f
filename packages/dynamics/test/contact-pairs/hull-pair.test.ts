// Distance and depth of two convex hulls against every triangle and every direction that their vertices span.
import { distance, Mesh } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { afterAll, describe, expect, it } from 'vitest';
import { randomRotation, seededRandom } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { type HullBlock, HullPair } from '../../src/contact-pairs/hull-pair.js';
import { cross, dot, minus, type Vec } from '../vectors.js';

const blocks: number[] = [];
afterAll(() => {
  for (const block of blocks) arena().free(block);
});

function written(points: readonly Vec[]): HullBlock {
  const stride = (points.length + 1) & ~1;
  const at = arena().alloc(12 * stride);
  blocks.push(at);
  let reach = 0;
  for (let i = 0; i < stride; i++) {
    const point = points[Math.min(i, points.length - 1)];
    for (let k = 0; k < 3; k++) arena().f32()[(at >>> 2) + k * stride + i] = point[k];
    reach = Math.max(reach, Math.abs(point[0]) + Math.abs(point[1]) + Math.abs(point[2]));
  }
  return { at, stride, reach };
}

/** Points in a box; some lie in a plane. */
function points(random: () => number, count: number, flat: boolean): Vec[] {
  const size = 1 + 3 * random();
  return Array.from({ length: count }, () => {
    const [x, y, z] = [0, 1, 2].map(() => Math.fround((random() - 0.5) * size));
    return [x, y, flat ? 0 : z];
  });
}

function posed(list: readonly Vec[], m: Float64Array): Vec[] {
  return list.map(
    ([x, y, z]) => [0, 1, 2].map((k) => m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z + m[9 + k]) as Vec,
  );
}

function* triples(list: readonly Vec[]): Generator<[Vec, Vec, Vec]> {
  for (let i = 0; i < list.length; i++) {
    for (let j = i + 1; j < list.length; j++) {
      for (let k = j + 1; k < list.length; k++) yield [list[i], list[j], list[k]];
    }
  }
}

/** All triangles of the points: the distance of two of these is that of the hulls, where they are apart. */
function allTriangles(list: readonly Vec[]): Mesh {
  return Mesh.from({ positions: new Float32Array([...triples(list)].flat(2)) });
}

/** The least way out: one of the normals of faces of the difference, which faces or two edges span. */
function leastWayOut(a: readonly Vec[], b: readonly Vec[]): number {
  let best = Infinity;
  const ask = (normal: Vec) => {
    const length = Math.hypot(...normal);
    if (length < 1e-9) return;
    for (const sign of [1, -1]) {
      const n = normal.map((x) => (sign * x) / length) as Vec;
      best = Math.min(best, Math.max(...a.map((p) => dot(p, n))) - Math.min(...b.map((p) => dot(p, n))));
    }
  };
  const edges = (list: readonly Vec[]) => list.flatMap((p, i) => list.slice(i + 1).map((q) => minus(q, p)));
  for (const list of [a, b]) {
    for (const [p, q, r] of triples(list)) ask(cross(minus(q, p), minus(r, p)));
  }
  for (const u of edges(a)) for (const v of edges(b)) ask(cross(u, v));
  return best;
}

const matrix = (m: Float64Array) => [
  ...[m[0], m[3], m[6], 0, m[1], m[4], m[7], 0],
  ...[m[2], m[5], m[8], 0, m[9], m[10], m[11], 1],
];

describe('two convex hulls', () => {
  it('are as far apart, or as deep in each other, as their vertices say (seed 5)', () => {
    const random = seededRandom(5);
    let [apart, deep] = [0, 0];
    for (let round = 0; round < runs(60); round++) {
      const a = points(random, 3 + Math.floor(8 * random()), random() < 0.2);
      const b = points(random, 3 + Math.floor(7 * random()), random() < 0.2);
      const [hullA, hullB] = [written(a), written(b)];
      const pose = new Float64Array(12);
      pose.set(randomRotation(random));
      for (let k = 0; k < 3; k++) pose[9 + k] = 3 * (random() - 0.5);
      const pair = new HullPair();
      // from where the last answer was, each time
      for (let step = 0; step < 4; step++) {
        pose[9] += 0.3 * (random() - 0.5);
        const { lower, upper, normal, pointA, pointB } = pair.distance(hullA, hullB, pose);
        expect(lower).toBeLessThanOrEqual(upper);
        expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
        const between = minus(pointB as Vec, pointA as Vec);
        if (lower > 0) {
          apart++;
          const exact = distance(allTriangles(a), allTriangles(b), { poseB: matrix(pose) }).distance;
          expect(lower).toBeLessThanOrEqual(exact + 1e-12);
          expect(upper).toBeGreaterThanOrEqual(exact - 1e-12);
          expect(upper - lower).toBeLessThan(1e-9);
          expect(dot(between, normal as Vec)).toBeCloseTo(exact, 9);
        } else {
          deep++;
          const exact = leastWayOut(a, posed(b, pose));
          expect(-upper).toBeCloseTo(exact, 9);
          expect(-lower).toBeCloseTo(exact, 9);
          expect(dot(between, normal as Vec)).toBeCloseTo(-exact, 9);
        }
      }
      pair.dispose();
    }
    expect(Math.min(apart, deep)).toBeGreaterThan(0);
  });

  it('know no more than asked where they are far apart', () => {
    const random = seededRandom(6);
    const [a, b] = [points(random, 8, false), points(random, 8, false)];
    const pair = new HullPair();
    const pose = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 40, 30, 20);
    const { lower, upper } = pair.distance(written(a), written(b), pose, 10);
    const exact = distance(allTriangles(a), allTriangles(b), { poseB: matrix(pose) }).distance;
    expect(lower).toBeGreaterThan(10);
    expect(lower).toBeLessThanOrEqual(exact);
    expect(upper).toBeGreaterThanOrEqual(exact);
    pair.dispose();
  });

  it('touch where one point is in both', () => {
    const corner = written([[0, 0, 0]]);
    const square = written([
      [-1, -1, 0],
      [1, -1, 0],
      [1, 1, 0],
      [-1, 1, 0],
    ]);
    const pair = new HullPair();
    const { lower, upper } = pair.distance(
      square,
      corner,
      Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.25, 0.5, 0),
    );
    expect(lower).toBeLessThanOrEqual(0);
    expect(upper).toBeGreaterThanOrEqual(0);
    expect(upper - lower).toBeLessThan(1e-12);
    pair.dispose();
  });
});
