/** Poses that scale, stretch, shear and mirror, against every pair of triangles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { icosphere, randomRotation, seededRandom, torus } from '../../../../../lab/scenes/index.mjs';
import { full, least, runs } from '../../../../../test/budget.js';
import { distanceSqTriangleTriangle } from '../../../src/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from '../../../src/geometry/intersect/triangle-triangle.js';
import { nearestRotation } from '../../../src/math/linear-map.js';
import { posePoint } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { within } from '../../../src/query/pair/within.js';

type Random = () => number;

/** A rotation times what a kind of pose does to lengths; nine entries, row by row. */
const KINDS: Record<string, (random: Random) => number[]> = {
  similarity: (random) => Array(3).fill(10 ** (2 * random() - 1)),
  mirror: () => [-1, -1, -1],
  uneven: (random) => [0, 1, 2].map(() => 10 ** (1.4 * random() - 0.7)),
  'uneven mirror': (random) => [-0.5 - random(), 2 * random() + 0.2, 1],
};

function linear(kind: string, random: Random): number[] {
  const [r, s] = [randomRotation(random), randomRotation(random)];
  const sizes = KINDS[kind](random);
  const out: number[] = [];
  for (let i = 0; i < 3; i++) {
    // uneven along axes of its own, so that it shears along the others
    for (let j = 0; j < 3; j++)
      out.push([0, 1, 2].reduce((sum, k) => sum + r[3 * i + k] * sizes[k] * s[3 * j + k], 0));
  }
  return out;
}

const matrixOf = (m: number[], t: number[]) => [
  ...[0, 1, 2].flatMap((j) => [m[j], m[3 + j], m[6 + j], 0]),
  ...t,
  1,
];
const twelve = (matrix: number[]) =>
  Float64Array.from([0, 4, 8, 1, 5, 9, 2, 6, 10, 12, 13, 14].map((i) => matrix[i]));

/** Corners of all triangles in the world. */
function cornersOf(mesh: Mesh, pose: Float64Array): Float64Array {
  const out = new Float64Array(9 * mesh.triangleCount);
  const { positions, indices } = mesh;
  for (const [i, v] of indices.entries()) {
    posePoint(pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], out, 3 * i);
  }
  return out;
}

function bruteForce(a: Float64Array, b: Float64Array, far: number) {
  let closest = Infinity;
  const met: string[] = [];
  const near: string[] = [];
  for (let i = 0; i < a.length; i += 9) {
    for (let j = 0; j < b.length; j += 9) {
      const meets = intersectsTriangleTriangle(a, i, b, j);
      const d = meets ? 0 : Math.sqrt(distanceSqTriangleTriangle(a, i, b, j));
      closest = Math.min(closest, d);
      if (meets) met.push(`${i / 9} ${j / 9}`);
      if (d <= far) near.push(`${i / 9} ${j / 9}`);
    }
  }
  return { met, near, closest };
}

const listed = ({ pairs }: { pairs: Uint32Array }) =>
  Array.from({ length: pairs.length / 2 }, (_, i) => `${pairs[2 * i]} ${pairs[2 * i + 1]}`);

const IDENTITY = matrixOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]);
const shapes = [
  Mesh.from(icosphere(3, 1)),
  Mesh.from(torus(1, 0.3, 10, 7)),
  Mesh.from({ positions: Array.from({ length: 180 }, seededRandom(9)) }),
];

describe('stretched meshes', () => {
  for (const [row, kind] of Object.keys(KINDS).entries()) {
    for (const sides of ['b', 'a', 'both'] as const) {
      full(`${kind}, ${sides}: pairs and distances are those of all triangles (seed ${176 + row})`, () => {
        let met = 0;
        let apart = 0;
        fc.assert(
          fc.property(fc.nat(2), fc.nat(2), fc.nat(), fc.constantFrom(1, 1e-6, 1e6), (s, t, seed, size) => {
            const unit = sides === 'both' ? size : 1;
            const random = seededRandom(seed);
            const [a, b] = [shapes[s], shapes[t]];
            const own = (yes: boolean) => {
              const m = yes ? linear(kind, random) : [...randomRotation(random)];
              return matrixOf(
                m.map((x) => x * (yes ? unit : 1)),
                [0, 1, 2].map(() => 2.5 * (random() - 0.5) * unit),
              );
            };
            const poseB = own(sides !== 'a');
            const poseA = sides === 'b' ? IDENTITY : own(true);
            const placed = sides === 'b' ? { pose: poseB } : { poseA, poseB };
            const far = 0.2 * unit;
            const expected = bruteForce(cornersOf(a, twelve(poseA)), cornersOf(b, twelve(poseB)), far);
            const all = collide(a, b, placed);
            expect(listed(all)).toEqual(expected.met);
            expect(all.complete).toBe(true);
            expect(collide(a, b, { ...placed, mode: 'any' }).colliding).toBe(expected.met.length > 0);
            met += expected.met.length;
            if (sides === 'both' && kind.startsWith('uneven')) {
              // by meshes with the stretch baked in, in float32
              const near = distance(a, b, placed).distance;
              expect(Math.abs(near - expected.closest)).toBeLessThan(1e-5 * (unit + 1));
              return;
            }
            const found = distance(a, b, placed);
            expect(Math.abs(found.distance - expected.closest)).toBeLessThan(1e-12 * (unit + 1));
            expect(found.distance === 0).toBe(expected.met.length > 0);
            const gap = Math.hypot(...found.pointA!.map((x, k) => x - found.pointB![k]));
            expect(Math.abs(gap - found.distance)).toBeLessThan(1e-11 * (unit + 1));
            if (found.distance > 0) {
              apart++;
              expect(distance(a, b, { ...placed, atMost: 0.99 * found.distance }).distance).toBe(Infinity);
            }
            expect(listed(within(a, b, { ...placed, distance: far }))).toEqual(expected.near);
          }),
          { seed: 176 + row, numRuns: runs(25) },
        );
        expect(met).toBeGreaterThan(least(10));
        if (!(sides === 'both' && kind.startsWith('uneven'))) expect(apart).toBeGreaterThan(least(2));
      });
    }
  }

  full('large ones answer as if the scale were in the mesh (seed 181)', () => {
    const random = seededRandom(181);
    const a = Mesh.from(icosphere(14, 1));
    const b = Mesh.from(torus(1, 0.3, 60, 40));
    let met = 0;
    for (const scale of [2, [2, 0.5, 4], [-1, 2, 0.25]]) {
      // powers of two: the baked mesh has the very numbers
      const [x, y, z] = [scale].flat().length === 1 ? [2, 2, 2] : (scale as number[]);
      const baked = b.transformed([x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]);
      for (let i = 0; i < runs(6); i++) {
        const translation = [0, 1, 2].map(() => 5 * (random() - 0.5));
        const asked = { pose: { translation, scale } };
        const expected = { pose: { translation } };
        const pairs = collide(a, baked, expected);
        expect(String(collide(a, b, asked).pairs)).toBe(String(pairs.pairs));
        expect(distance(a, b, asked).distance).toBe(distance(a, baked, expected).distance);
        const near = within(a, baked, { ...expected, distance: 0.05 });
        expect(String(within(a, b, { ...asked, distance: 0.05 }).pairs)).toBe(String(near.pairs));
        const limited = collide(a, b, { ...asked, limit: 3 });
        expect([limited.count, limited.complete]).toEqual([Math.min(3, pairs.count), pairs.count <= 3]);
        met += pairs.count;
      }
    }
    expect(met).toBeGreaterThan(least(100));
  });

  it('decide about what touches exactly', () => {
    const cube = Mesh.from({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
      indices: [0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3],
    });
    const at = (x: number, scale: number | number[]) => ({ pose: { translation: [x, 0, 0], scale } });
    expect(collide(cube, cube, at(-2, 2)).colliding).toBe(true);
    expect(collide(cube, cube, at(-2 - 2 ** -50, 2)).colliding).toBe(false);
    expect(collide(cube, cube, at(-3, [3, 0.5, 1])).colliding).toBe(true);
    expect(distance(cube, cube, at(-3.5, [3, 0.5, 1])).distance).toBe(0.5);
    expect(distance(cube, cube, { poseA: { scale: 4 }, poseB: { translation: [-2, 0, 0] } }).distance).toBe(
      1,
    );
    expect(collide(cube, cube, at(2, -1)).colliding).toBe(true);
    // rigid in the mean, and not along x
    expect(collide(cube, cube, at(0, [1.000006, 1.0000035, 1.0000035])).colliding).toBe(true);
  });

  it('are refused where they flatten, are not finite, or the question is about solids', () => {
    const [a] = shapes;
    const code = (expected: string) => expect.objectContaining({ code: expected });
    expect(() => collide(a, a, { pose: { scale: 0 } })).toThrowError(code('bad-pose'));
    expect(() => collide(a, a, { pose: { scale: [1, 1, 1e-9] } })).toThrowError(code('bad-pose'));
    expect(() => collide(a, a, { pose: { scale: Number.NaN } })).toThrowError(code('non-finite'));
    expect(() => collide(a, a, { pose: { scale: [1, 2] } })).toThrowError(code('bad-pose'));
    const rotation = [2, 0, 0, 0, 1, 0, 0, 0, 1];
    expect(() => collide(a, a, { pose: { rotation } })).toThrowError(code('bad-pose'));
  });

  it('have a nearest rotation (seed 180)', () => {
    const random = seededRandom(180);
    for (let i = 0; i < 50; i++) {
      const kind = Object.keys(KINDS)[i % 4];
      const r = nearestRotation(Float64Array.from([...linear(kind, random), 0, 0, 0]));
      for (let j = 0; j < 3; j++) {
        for (let k = 0; k < 3; k++) {
          const dot = r[j] * r[k] + r[3 + j] * r[3 + k] + r[6 + j] * r[6 + k];
          expect(dot).toBeCloseTo(j === k ? 1 : 0, 12);
        }
      }
    }
  });
});
