/** Closest points, sides and signed distances, against brute force over all triangles and analytic answers. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { randomDirection, randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { runs } from '../../../../../test/budget.js';
import { distanceSqPointTriangle } from '../../../src/geometry/distance/point-triangle.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import {
  closestPoint,
  closestPoints,
  pointInMesh,
  pointsInMesh,
  signedDistance,
  signedDistances,
} from '../../../src/query/scene/ask-points.js';
import { ball, cube, mesh, sphere, torus } from '../solid/solids.js';

type Triple = [number, number, number];

const small = fc.integer({ min: -4, max: 4 });
const place = fc.tuple(small, small, small);
const soup = fc.array(fc.tuple(place, place, place), { minLength: 1, maxLength: 40 });
const offset = fc.tuple(fc.double({ min: -6, max: 6, noNaN: true }), small, small);

function bruteForce({ positions, indices, triangleCount }: Mesh, point: readonly number[]): number {
  const corners = new Float64Array(9);
  let best = Infinity;
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 9; k++) corners[k] = positions[3 * indices[3 * t + Math.floor(k / 3)] + (k % 3)];
    best = Math.min(best, distanceSqPointTriangle(Float64Array.from(point), 0, corners, 0));
  }
  return Math.sqrt(best);
}

function expectClosest(model: Mesh, point: readonly number[]): void {
  const size = Math.max(
    ...model.box.max.map(Math.abs),
    ...model.box.min.map(Math.abs),
    ...point.map(Math.abs),
  );
  const expected = bruteForce(model, point);
  const { distance, point: foot, triangle, barycentrics } = closestPoint(model, point)!;
  expect(Math.abs(distance - expected)).toBeLessThanOrEqual(1e-13 * size);
  expect(Math.abs(Math.hypot(...foot.map((x, k) => x - point[k])) - distance)).toBeLessThanOrEqual(
    1e-12 * size,
  );
  expect(triangle).toBeLessThan(model.triangleCount);
  for (const weight of barycentrics) expect(weight).toBeGreaterThanOrEqual(-1e-12);
  expect(closestPoint(model, point, { atMost: 1.01 * distance })?.triangle).toBe(triangle);
  if (distance > 0) expect(closestPoint(model, point, { atMost: 0.99 * distance })).toBe(undefined);
}

describe('the closest point', () => {
  test('of soups with segments and points among the triangles (seed 1711)', () => {
    fc.assert(
      fc.property(soup, offset, fc.constantFrom(1, 1e-6, 1e6, 1e-25, 1e15), (shape, from, by) => {
        const model = Mesh.from({ positions: shape.flat(2).map((x) => x * by) });
        expectClosest(
          model,
          from.map((x) => x * by),
        );
        model.dispose();
      }),
      { numRuns: runs(1000), seed: 1711 },
    );
  });

  test.each([0.02, 1, 5, 1e4, 1e8])('of a bumpy ball, from %d away (seed 1712)', (away) => {
    const random = seededRandom(1712);
    const { positions, indices } = sphere(1, 12);
    const model = Mesh.from({ positions: Array.from(positions, (x) => x * (1 + 0.1 * random())), indices });
    for (let i = 0; i < runs(40); i++) {
      const [u, v] = [randomDirection(random), randomDirection(random)];
      expectClosest(
        model,
        u.map((x, k) => x + away * v[k]),
      );
    }
    model.dispose();
  });

  test('the lowest of triangles that share it; the same in batches; posed (seed 1713)', () => {
    const random = seededRandom(1713);
    const box = cube(2);
    expect(closestPoint(box, [3, 3, 3])!.point).toEqual([1, 1, 1]);
    const model = mesh(torus(1, 0.4, 40, 20));
    const pose = { rotation: Array.from(randomRotation(random)), translation: [3, -1, 7] };
    const points = Float64Array.from({ length: 3 * 700 }, () => 8 * random() - 2);
    for (const options of [undefined, { pose }, { pose, atMost: 3 }]) {
      const many = closestPoints(model, points, options);
      for (let i = 0; i < 700; i += 7) {
        const one = closestPoint(model, points.subarray(3 * i, 3 * i + 3), options);
        expect(many.distances[i]).toBe(one?.distance ?? Infinity);
        expect(many.triangles[i]).toBe(one?.triangle ?? -1);
        expect([...many.points.subarray(3 * i, 3 * i + 3)]).toEqual(
          one?.point ?? [Number.NaN, Number.NaN, Number.NaN],
        );
      }
      expect(many.triangles.every((t) => t >= 0)).toBe(options?.atMost === undefined);
    }
  });
});

describe('sides', () => {
  test('are those of pointInMesh, also on the surface (seed 1714)', () => {
    const random = seededRandom(1714);
    const names = ['outside', 'on', 'inside'];
    for (const model of [cube(2), ball(1, 5), mesh(torus(1, 0.4, 24, 12))]) {
      const points: Triple[] = [
        [0, 0, 0],
        [1, 0.5, 0.25],
        [1, 1, 1],
        ...Array.from({ length: runs(200) }, () => [0, 0, 0].map(() => 3 * random() - 1.5) as Triple),
      ];
      for (let t = 0; t < 12; t++) {
        const corner = 3 * model.indices[t];
        points.push(Array.from(model.positions.subarray(corner, corner + 3)) as Triple);
      }
      const sides = pointsInMesh(model, Float64Array.from(points.flat()));
      points.forEach((point, i) => {
        expect(names[sides[i] + 1]).toBe(pointInMesh(model, point));
      });
    }
  });

  test('many points in one call, some at grid places that rays through edges leave open', () => {
    const model = cube(2);
    const steps = Array.from({ length: 13 }, (_, i) => (i - 6) / 4);
    const points = steps.flatMap((x) => steps.flatMap((y) => steps.map((z) => [x, y, z])));
    const sides = pointsInMesh(model, points.flat());
    points.forEach((point, i) => {
      expect(sides[i]).toBe(Math.sign(1 - Math.max(...point.map(Math.abs))));
    });
  });
});

describe('signed distances', () => {
  test('of a cube, inside and outside, posed', () => {
    const pose = { translation: [10, 0, 0] };
    expect(signedDistance(cube(2), [0.5, 0, 0])).toBe(-0.5);
    expect(signedDistance(cube(2), [1, 0.3, 0])).toBe(0);
    expect(signedDistance(cube(2), [4, 0, 0])).toBe(3);
    expect([...signedDistances(cube(2), [10.5, 0, 0, 14, 0, 0], { pose })]).toEqual([-0.5, 3]);
  });

  test('of an open box: inside is what it mostly surrounds', () => {
    const { positions, indices } = cube(2);
    const lid = (t: number) => [0, 1, 2].every((k) => positions[3 * indices[3 * t + k] + 2] > 0);
    const kept = Array.from(indices).filter((_, i) => !lid(Math.floor(i / 3)));
    const open = Mesh.from({ positions: Array.from(positions), indices: kept });
    expect(open.triangleCount).toBe(10);
    expect(signedDistance(open, [0, 0, -0.5])).toBe(-0.5);
    expect(signedDistance(open, [0, 0, 3])).toBeGreaterThan(0);
    expect(signedDistance(open, [5, 0, 0])).toBe(4);
  });

  test('without kernels they are the same', () => {
    const model = ball(1, 4);
    const points = [0.1, 0.2, 0.3, 2, 0, 0, 0.9, -0.3, 0.1];
    const [expected, closest] = [signedDistances(model, points), closestPoints(model, points)];
    vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    signedDistances(model, points).forEach((d, i) => {
      expect(Math.abs(d - expected[i])).toBeLessThan(1e-13);
    });
    expect(closestPoints(model, points).triangles).toEqual(closest.triangles);
    expect(() => signedDistance(Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }), [1, 1, 1])).toThrow(
      'needs WebAssembly',
    );
    vi.restoreAllMocks();
  });
});
