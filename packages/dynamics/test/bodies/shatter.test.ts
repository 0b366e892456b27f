import fc from 'fast-check';
import { isClosed, orientationOf } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { signedVolumeTimes6 } from 'impinge/internal/mesh/signed-volume.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { selfIntersect } from 'impinge/internal/query/pair/self-intersect.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/solids.mjs';
import { full, runs } from '../../../../test/budget.js';
import { type Fracture, shatter } from '../../src/bodies/shatter.js';
import { triangulateLoops } from '../../src/bodies/triangulate-loops.js';
import { hashOf } from './model-runs.js';

/** A ball with a ball-shaped hollow. */
function shell() {
  const [outer, inner] = [icosphere(4, 1), icosphere(3, 0.6)];
  const offset = outer.positions.length / 3;
  const turned = inner.indices.map(
    (_, i) => inner.indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1] + offset,
  );
  return {
    positions: Float32Array.from([...outer.positions, ...inner.positions]),
    indices: Uint32Array.from([...outer.indices, ...turned]),
  };
}

const SOLIDS = { box: box(1, 0.5, 0.3), ball: icosphere(4, 1), torus: torus(1, 0.4, 20, 12), shell: shell() };

function expectSound(fracture: Fracture, apart: boolean): void {
  const meshes = fracture.pieces.map((piece) => Mesh.from(piece));
  for (const mesh of meshes) {
    expect(isClosed(mesh)).toBe(true);
    expect(orientationOf(mesh)).toBe(1);
    expect(selfIntersect(mesh).count).toBe(0);
  }
  if (apart) {
    for (let i = 0; i < meshes.length; i++) {
      for (let j = 0; j < i; j++)
        expect(collide(meshes[i], meshes[j], { mode: 'any' }).colliding).toBe(false);
    }
  }
  for (const mesh of meshes) mesh.dispose();
}

const volumes = ({ pieces }: Fracture) =>
  pieces.reduce((sum, { positions, indices }) => sum + signedVolumeTimes6(positions, indices), 0);

describe.each(Object.entries(SOLIDS))('shatter: a %s', (_, solid) => {
  const whole = signedVolumeTimes6(solid.positions, solid.indices);

  full.each([2, 9])('in %i pieces: closed, sound, apart', (pieces) => {
    const fracture = shatter(solid, { pieces, seed: 3 });
    expect(fracture.pieceCount).toBeGreaterThanOrEqual(pieces);
    expectSound(fracture, true);
    expect(volumes(fracture)).toBeLessThan(whole);
    expect(volumes(fracture)).toBeGreaterThan(0.95 * whole);
    for (const { positions } of fracture.pieces)
      expect(positions.every((x) => x === Math.fround(x))).toBe(true);
  });

  test('without a gap: the volumes add up to that of the whole', () => {
    const fracture = shatter(solid, { pieces: 7, seed: 5, gap: 0 });
    expectSound(fracture, false);
    expect(Math.abs(volumes(fracture) / whole - 1)).toBeLessThan(1e-6);
  });
});

describe('shatter', () => {
  test('is sound for any seed, seed 7', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 2, max: 12 }), (seed, pieces) => {
        expectSound(shatter(SOLIDS.box, { pieces, seed }), true);
      }),
      { seed: 7, numRuns: runs(12) },
    );
  });

  test('cuts through vertices and along faces', () => {
    // sites lie on the faces of a cube of 2 × 2 × 2 squares a side, so planes pass near and through its vertices
    const positions: number[] = [];
    const cube = box(2);
    cube.positions.forEach((x) => {
      positions.push(x);
    });
    for (let seed = 0; seed < 6; seed++)
      expectSound(shatter({ ...cube, positions }, { pieces: 6, seed }), true);
  });

  test('equal seeds give equal pieces, others not', () => {
    const hash = (seed: number) => hashOf(shatter(SOLIDS.ball, { pieces: 6, seed }).positions);
    expect(hash(1)).toBe(hash(1));
    expect(hash(1)).not.toBe(hash(2));
  });

  test('one piece is the whole', () => {
    const { pieces } = shatter(SOLIDS.torus, { pieces: 1 });
    expect(pieces).toHaveLength(1);
    expect(pieces[0].indices.length).toBe(SOLIDS.torus.indices.length);
  });

  test('refuses open meshes, meshes that meet themselves, and nonsense', () => {
    const { positions, indices } = SOLIDS.box;
    expect(() => shatter({ positions, indices: indices.subarray(3), name: 'slab' }, { pieces: 2 })).toThrow(
      /"slab" has no inside/,
    );
    const crossing = {
      positions: Float32Array.from([...positions, ...positions.map((x) => x + 0.1)]),
      indices: Uint32Array.from([...indices, ...indices.map((i) => i + 8)]),
      name: 'two slabs',
    };
    expect(() => shatter(crossing, { pieces: 2 })).toThrow(/two slabs meets itself/);
    expect(() => shatter(SOLIDS.box, { pieces: 0 })).toThrow(/pieces is 0/);
    expect(() => shatter(SOLIDS.box, { pieces: 2, gap: -1 })).toThrow(/gap is -1/);
  });
});

describe('triangulateLoops', () => {
  const area = (points: Float64Array, triangles: readonly number[]) => {
    let sum = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((i) => 2 * triangles[t + i]);
      const twice =
        (points[b] - points[a]) * (points[c + 1] - points[a + 1]) -
        (points[c] - points[a]) * (points[b + 1] - points[a + 1]);
      expect(twice).toBeGreaterThan(0);
      sum += twice / 2;
    }
    return sum;
  };

  test('fills a square with a square hole and an island in it', () => {
    const square = (r: number) => [-r, -r, r, -r, r, r, -r, r];
    const points = Float64Array.from([...square(3), ...square(2), ...square(1)]);
    const triangles = triangulateLoops(points, [
      [0, 1, 2, 3],
      [7, 6, 5, 4],
      [8, 9, 10, 11],
    ])!;
    expect(area(points, triangles)).toBeCloseTo(36 - 16 + 4, 12);
    expect(triangles).toHaveLength(3 * (8 + 2));
  });

  test('makes no flat triangles of points along a side', () => {
    const points = Float64Array.of(0, 0, 1, 0, 2, 0, 3, 0, 3, 3, 2, 3, 1, 3, 0, 3);
    const triangles = triangulateLoops(points, [[0, 1, 2, 3, 4, 5, 6, 7]])!;
    expect(area(points, triangles)).toBeCloseTo(9, 12);
  });

  test('fills random star-shaped loops with a hole, seed 11', () => {
    const radii = fc.array(fc.double({ min: 2, max: 4, noNaN: true }), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(radii, fc.integer({ min: 3, max: 12 }), (outer, holeCorners) => {
        const points: number[] = [];
        const ringAt = (count: number, radius: (i: number) => number) => {
          const first = points.length / 2;
          for (let i = 0; i < count; i++) {
            const angle = (2 * Math.PI * i) / count;
            points.push(radius(i) * Math.cos(angle), radius(i) * Math.sin(angle));
          }
          return Array.from({ length: count }, (_, i) => first + i);
        };
        const loop = ringAt(outer.length, (i) => outer[i]);
        const hole = ringAt(holeCorners, () => 0.5).reverse();
        const flat = Float64Array.from(points);
        const triangles = triangulateLoops(flat, [loop, hole])!;
        expect(triangles).toHaveLength(3 * (loop.length + hole.length));
        const ringArea = (count: number, radius: (i: number) => number) =>
          Array.from({ length: count }, (_, i) => radius(i) * radius((i + 1) % count)).reduce(
            (a, b) => a + b,
          ) *
          0.5 *
          Math.sin((2 * Math.PI) / count);
        const expected = ringArea(loop.length, (i) => outer[i]) - ringArea(holeCorners, () => 0.5);
        expect(area(flat, triangles)).toBeCloseTo(expected, 9);
      }),
      { seed: 11, numRuns: runs(60) },
    );
  });

  test('gives up on loops that cross or are flat', () => {
    const bow = Float64Array.of(0, 0, 2, 2, 2, 0, 0, 2);
    expect(triangulateLoops(bow, [[0, 1, 2, 3]])).toBeUndefined();
    expect(triangulateLoops(Float64Array.of(0, 0, 1, 0, 2, 0), [[0, 1, 2]])).toBeUndefined();
  });
});
