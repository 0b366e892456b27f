import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { HullBuilder } from 'impinge/internal/geometry/hull/hull-builder.js';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { facePlanes, staysOut } from '../../src/contact-levels/hull-clearance.js';
import { sideOf } from '../../src/contact-levels/side.js';

/** Points of a small grid, so that many lie in one plane, on one line or at one place. */
function gridPoints(random: SeededRandom, count: number, size: readonly number[]): Float64Array {
  return Float64Array.from({ length: 3 * count }, (_, i) => Math.floor(random.next() * size[i % 3]));
}

const hull = new HullBuilder();

describe('the hull of points on a grid (seed 3)', () => {
  const random = new SeededRandom(3);

  test('has all points below its faces, and an edge across every edge', () => {
    for (let run = 0; run < runs(200); run++) {
      const count = 4 + Math.floor(20 * random.next());
      const x = gridPoints(random, count, [4, 4, 4]);
      hull.build(x, [...Array(count).keys()], count);
      if (hull.dimension < 3) continue;
      const corners = [...hull.corners.subarray(0, 3 * hull.faceCount)];
      const edges = new Set<string>();
      let above = 0;
      corners.forEach((v, h) => {
        edges.add(`${v} ${corners[h % 3 === 2 ? h - 2 : h + 1]}`);
      });
      for (let f = 0; f < corners.length; f += 3) {
        for (let v = 0; v < count; v++) {
          if (sideOf(x, corners[f], corners[f + 1], corners[f + 2], v) > 0) above++;
        }
      }
      expect(above).toBe(0);
      expect(edges.size).toBe(corners.length);
      expect([...edges].every((edge) => edges.has(edge.split(' ').reverse().join(' ')))).toBe(true);
      // Euler: a triangulated ball
      expect(hull.faceCount).toBe(2 * hull.vertexCount - 4);
      expect(new Set(corners).size).toBe(hull.vertexCount);
    }
  });

  test('is a polygon, a segment or a point where they span no more', () => {
    for (const [size, dimension, vertices] of [
      [[5, 5, 1], 2, 4],
      [[1, 5, 1], 1, 2],
      [[1, 1, 1], 0, 1],
    ] as const) {
      const all = Float64Array.from({ length: 75 }, (_, i) => {
        const n = Math.floor(i / 3);
        return [n % size[0], Math.floor(n / 5) % size[1], 0][i % 3];
      });
      hull.build(all, [...Array(25).keys()], 25);
      expect([hull.dimension, hull.vertexCount]).toEqual([dimension, vertices]);
    }
  });
});

type Point = readonly [bigint, bigint, bigint, bigint];

/** det(b − a, c − a, p − a) times the fourth coordinate of p, by whole numbers. */
function height(x: Float64Array, a: number, b: number, c: number, p: Point): bigint {
  const at = (v: number, k: number): bigint => BigInt(x[3 * v + k]);
  const [u, v] = [b, c].map((w) => [0, 1, 2].map((k) => at(w, k) - at(a, k)));
  const w = [0, 1, 2].map((k) => p[k] - at(a, k) * p[3]);
  const cross = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
  return cross.reduce((sum, value, k) => sum + value * w[k], 0n);
}

/** Whether a triangle enters: what is left of it within all faces has its middle strictly below them. */
function enters(x: Float64Array, faces: Int32Array, triangle: readonly number[]): boolean {
  let polygon: Point[] = triangle.map((v) => [
    BigInt(x[3 * v]),
    BigInt(x[3 * v + 1]),
    BigInt(x[3 * v + 2]),
    1n,
  ]);
  for (let f = 0; f < faces.length; f += 3) {
    const next: Point[] = [];
    polygon.forEach((p, i) => {
      const q = polygon[(i + 1) % polygon.length];
      const [hp, hq] = [p, q].map((point) => height(x, faces[f], faces[f + 1], faces[f + 2], point));
      if (hp <= 0n) next.push(p);
      if ((hp < 0n && hq > 0n) || (hp > 0n && hq < 0n)) {
        const [s, t] = hp > 0n ? [-hq, hp] : [hq, -hp];
        // where the edge meets the plane: heights are scaled by the points' own fourth coordinates
        next.push([0, 1, 2, 3].map((k) => p[k] * s + q[k] * t) as unknown as Point);
      }
    });
    polygon = next;
    if (polygon.length === 0) return false;
  }
  const scale = polygon.reduce((product, p) => product * p[3], 1n);
  const middle = [0, 1, 2, 3].map((k) => polygon.reduce((sum, p) => sum + (p[k] * scale) / p[3], 0n));
  for (let f = 0; f < faces.length; f += 3) {
    if (height(x, faces[f], faces[f + 1], faces[f + 2], middle as unknown as Point) >= 0n) return false;
  }
  return true;
}

test('a triangle that enters a hull is never said to stay out, and most others are (seed 9)', () => {
  const random = new SeededRandom(9);
  const counts = { enters: 0, out: 0, refused: 0 };
  for (let run = 0; run < runs(400); run++) {
    const x = gridPoints(random, 11, [5, 5, 5]);
    hull.build(x, [0, 1, 2, 3, 4, 5, 6, 7], 8);
    if (hull.dimension < 3) continue;
    const faces = hull.corners.slice(0, 3 * hull.faceCount);
    const solid = {
      vertices: hull.vertices.slice(0, hull.vertexCount),
      faces,
      planes: facePlanes(x, faces, 8),
    };
    // apart from the hull, or with one or two of its vertices
    const triangle = [run % 3 === 0 ? 8 : solid.vertices[0], run % 3 === 2 ? solid.vertices[1] : 9, 10];
    const truth = enters(x, faces, triangle);
    const out = staysOut(x, solid, triangle[0], triangle[1], triangle[2]);
    if (truth) {
      counts.enters++;
      expect(out).toBe(false);
    } else if (out) counts.out++;
    else counts.refused++;
  }
  expect(counts.enters).toBeGreaterThan(0);
  expect(counts.refused).toBeLessThanOrEqual(counts.out / 10);
});
