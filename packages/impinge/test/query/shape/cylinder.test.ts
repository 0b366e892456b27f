/** Cylinders against triangles one by one, whose nearest point is looked for by golden sections. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { least, runs } from '../../../../../test/budget.js';
import {
  Mesh,
  meetsShape,
  type Pose,
  shapeDistance,
  sweepShape,
  trianglesInShape,
} from '../../../src/index.js';
import { readLinearPose } from '../../../src/math/linear-map.js';
import { farthestOfPoints, gapOfConvex } from '../../../src/query/shape/convex-gap.js';
import { farthestOfCylinder } from '../../../src/query/shape/cylinder.js';
import { ball, cube, mesh, torus } from '../solid/solids.js';

const meshes = [cube(1), ball(0.7, 1), mesh(torus(1, 0.3, 5, 4))];
const real = (size: number) => fc.double({ min: -size, max: size, noNaN: true });
const triple = fc.tuple(real(1.5), real(1.5), real(1.5));
const cylinders = fc
  .record({ bottom: triple, top: triple, radius: fc.double({ min: 0.05, max: 1, noNaN: true }) })
  .filter(({ bottom, top }) => Math.hypot(...bottom.map((x, k) => top[k] - x)) > 0.05);
type Cylinder = { readonly bottom: number[]; readonly top: number[]; readonly radius: number };

/** How far points are from a cylinder; three numbers, so that nothing is allocated for each of millions. */
function gapFrom({ bottom: [bx, by, bz], top: [tx, ty, tz], radius }: Cylinder) {
  const length = Math.hypot(tx - bx, ty - by, tz - bz);
  const [ux, uy, uz] = [(tx - bx) / length, (ty - by) / length, (tz - bz) / length];
  return (x: number, y: number, z: number) => {
    const along = (x - bx) * ux + (y - by) * uy + (z - bz) * uz;
    const [px, py, pz] = [x - bx - along * ux, y - by - along * uy, z - bz - along * uz];
    const beside = Math.max(0, Math.sqrt(px * px + py * py + pz * pz) - radius);
    const beyond = Math.max(0, -along, along - length);
    return Math.sqrt(beside * beside + beyond * beyond);
  };
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The least of a convex function on 0 … 1, by golden sections. */
function leastOf(f: (x: number) => number): number {
  let [from, to] = [0, 1];
  let [a, b] = [1 - GOLDEN, GOLDEN];
  let [atA, atB] = [f(a), f(b)];
  for (let i = 0; i < 40; i++) {
    if (atA <= atB) {
      [to, b, atB] = [b, a, atA];
      a = to - GOLDEN * (to - from);
      atA = f(a);
    } else {
      [from, a, atA] = [a, b, atB];
      b = from + GOLDEN * (to - from);
      atB = f(b);
    }
  }
  return Math.min(atA, atB, f(0), f(1));
}

function gapOfTriangle(cylinder: Cylinder, [a, b, c]: readonly number[][]): number {
  const gap = gapFrom(cylinder);
  return leastOf((s) =>
    leastOf((t) => {
      const [u, v] = [s * (1 - t), s * t];
      const at = (k: number) => a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]);
      return gap(at(0), at(1), at(2));
    }),
  );
}

function trianglesOf({ positions, indices, triangleCount }: Mesh, pose: Pose): number[][][] {
  const m = new Float64Array(12);
  readLinearPose(pose, m);
  const at = (v: number) => {
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
    return [0, 1, 2].map((k) => m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z + m[9 + k]);
  };
  return Array.from({ length: triangleCount }, (_, t) => [0, 1, 2].map((c) => at(indices[3 * t + c])));
}

describe('cylinders', () => {
  test('meet the triangles that they should, and are as far (seed 1781)', () => {
    let [met, apart] = [0, 0];
    const scales = fc.constantFrom<number | number[]>(1, 2, 0.5, [1, 2, 0.5]);
    fc.assert(
      fc.property(cylinders, fc.nat(2), triple, scales, (cylinder, i, translation, scale) => {
        const pose = { translation, scale: scale as number, rotation: [0.5, 0.5, 0.5, 0.5] };
        const gaps = trianglesOf(meshes[i], pose).map((triangle) => gapOfTriangle(cylinder, triangle));
        const found = new Set(trianglesInShape(meshes[i], cylinder, { pose }));
        gaps.forEach((gap, t) => {
          if (found.has(t)) expect(gap).toBeLessThan(1e-7);
          else expect(gap).toBeGreaterThan(0);
        });
        met += found.size;
        expect(meetsShape(meshes[i], cylinder, { pose })).toBe(found.size > 0);
        if (Array.isArray(scale)) return;
        const { distance, triangle, points } = shapeDistance(meshes[i], cylinder, { pose })!;
        expect(Math.abs(distance - Math.min(...gaps))).toBeLessThan(1e-7);
        expect(gaps[triangle]).toBeLessThan(distance + 1e-7);
        // closer than rounding tells, touching is as right as not
        if (found.size > 0 || distance < 1e-12) {
          expect(points === undefined).toBe(distance === 0);
          return;
        }
        apart++;
        expect(gapFrom(cylinder)(...points![0])).toBeCloseTo(distance, 12);
        expect(gapFrom(cylinder)(...points![1])).toBeLessThan(1e-12);
        expect(Math.hypot(...points![0].map((x, k) => x - points![1][k]))).toBeCloseTo(distance, 12);
        expect(shapeDistance(meshes[i], cylinder, { pose, atMost: 0.999 * distance })).toBe(undefined);
        expect(shapeDistance(meshes[i], cylinder, { pose, atMost: 1.001 * distance })).toEqual({
          distance,
          triangle,
          points,
        });
      }),
      { seed: 1781, numRuns: runs(100) },
    );
    expect(met).toBeGreaterThan(least(100));
    expect(apart).toBeGreaterThan(least(5));
  });

  test('are as far from points over their ends as these are high (seed 1782)', () => {
    fc.assert(
      fc.property(cylinders, triple, (cylinder, point) => {
        const { bottom, top, radius } = cylinder;
        const solid = { form: 'cylinder', axis: [...bottom, ...top], radius } as const;
        const { distance } = gapOfConvex(farthestOfCylinder(solid), farthestOfPoints(point), 4);
        expect(Math.abs(distance - gapFrom(cylinder)(...point))).toBeLessThan(1e-12);
      }),
      { seed: 1782, numRuns: runs(2000) },
    );
  });

  test.each([1, 2 ** -20, 2 ** 20])('at what they touch, and a little beside it, at scale %d', (by) => {
    const sized = (numbers: number[]) => numbers.map((x) => x * by);
    const cylinder = { bottom: sized([0, 0, -1]), top: sized([0, 0, 2]), radius: 3 * by };
    // a triangle over the top, below the bottom, beside the side, through the middle, around all, and at the rim
    const places: [number[], boolean, number][] = [
      [[-9, -9, 2, 9, -9, 2, 0, 9, 2], true, 0],
      [[-9, -9, 2.5, 9, -9, 2.5, 0, 9, 2.5], false, 0.5],
      [[-9, -9, -1, 9, -9, -1, 0, 9, -1], true, 0],
      [[3, -1, -9, 3, 1, -9, 3, 0, 9], true, 0],
      [[4, -1, -9, 4, 1, -9, 4, 0, 9], false, 1],
      [[0, 0, 0.5, 0.25, 0, 0.5, 0, 0.25, 0.5], true, 0],
      [[3, 0, 2, 5, 0, 5, 5, 1, 5], true, 0],
      [[6, -9, 6, 6, 9, 6, 9, 0, 9], false, 5],
      [[3.5, 0, 2.5, 4, 0, 3, 3.5, 0, 3], false, Math.SQRT1_2],
    ];
    for (const [positions, meets, distance] of places) {
      const model = Mesh.from({ positions: sized(positions) });
      expect(meetsShape(model, cylinder)).toBe(meets);
      expect(shapeDistance(model, cylinder)!.distance / by).toBeCloseTo(distance, 6);
      model.dispose();
    }
    expect(() => sweepShape(meshes[0], cylinder, [1, 0, 0])).toThrowError(/cylinders are not supported/);
  });
});
