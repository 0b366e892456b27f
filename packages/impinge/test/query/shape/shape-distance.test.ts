/** Distances of shapes from meshes, against all triangles and analytic answers. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { randomDirection, randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { runs } from '../../../../../test/budget.js';
import { distanceSqSegmentTriangle } from '../../../src/geometry/distance/segment-triangle.js';
import { distanceSqTriangleTriangle } from '../../../src/geometry/distance/triangle-triangle.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { meetsShape } from '../../../src/query/shape/meets-shape.js';
import { shapeDistance } from '../../../src/query/shape/shape-distance.js';
import type { Shape } from '../../../src/query/shape/shape-input.js';
import { cube, sphere } from '../solid/solids.js';

const small = fc.integer({ min: -4, max: 4 });
const point = fc.tuple(small, small, small);
const away = fc.tuple(fc.integer({ min: 3, max: 12 }), small, small);
const soup = fc.array(fc.tuple(point, point, point), { minLength: 1, maxLength: 30 });

/** The least over all triangles of three of the points: where the hull meets nothing, that is its distance. */
function hullDistance(points: Float64Array, { positions, triangleCount }: Mesh): number {
  const mesh = Float64Array.from(positions);
  const n = points.length / 3;
  let best = Infinity;
  const corners = new Float64Array(9);
  for (let i = 0; i < n; i++)
    for (let j = i; j < n; j++)
      for (let k = j; k < n; k++) {
        [i, j, k].forEach((v, at) => {
          corners.set(points.subarray(3 * v, 3 * v + 3), 3 * at);
        });
        for (let t = 0; t < triangleCount; t++)
          best = Math.min(best, distanceSqTriangleTriangle(corners, 0, mesh, 9 * t));
      }
  return Math.sqrt(best);
}

function expectDistance(model: Mesh, shape: Shape, expected: number, by: number): void {
  const found = shapeDistance(model, shape)!;
  expect(Math.abs(found.distance - expected)).toBeLessThanOrEqual(1e-12 * 20 * by);
  expect(found.distance === 0).toBe(meetsShape(model, shape));
  if (found.points) {
    const [p, q] = found.points;
    expect(Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])).toBeCloseTo(expected, 10 - Math.log10(by));
  }
  expect(shapeDistance(model, shape, { atMost: 1.001 * found.distance })).toEqual(found);
  if (expected > 1e-9 * by) expect(shapeDistance(model, shape, { atMost: 0.999 * expected })).toBe(undefined);
}

describe('the distance of a shape', () => {
  test('from soups (seed 1741)', () => {
    fc.assert(
      fc.property(
        soup,
        fc.array(away, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(1, 1e-6, 1e6),
        (shape, places, by) => {
          const model = Mesh.from({ positions: shape.flat(2).map((x) => x * by) });
          const stored = Float64Array.from(model.positions);
          const points = Float64Array.from(places.flat(), (x) => x * by);
          expectDistance(model, { points }, hullDistance(points, model), by);
          const [from, to] = [points.subarray(0, 3), points.subarray(points.length - 3)];
          const axis = Float64Array.from([...from, ...to]);
          let core = Infinity;
          for (let t = 0; t < model.triangleCount; t++)
            core = Math.min(core, Math.sqrt(distanceSqSegmentTriangle(axis, 0, 3, stored, 9 * t)));
          expectDistance(model, { from, to, radius: by }, Math.max(0, core - by), by);
          const [nx, ny, nz] = [2, 3, 6];
          const offset = -50 * by;
          let least = Infinity;
          for (let v = 0; v < stored.length; v += 3)
            least = Math.min(least, nx * stored[v] + ny * stored[v + 1] + nz * stored[v + 2] - offset);
          expectDistance(model, { normal: [nx, ny, nz], offset }, Math.max(0, least / 7), 10 * by);
          model.dispose();
        },
      ),
      { numRuns: runs(150), seed: 1741 },
    );
  });

  test('from a bumpy ball, near and far, without kernels the same (seed 1742)', () => {
    const random = seededRandom(1742);
    const { positions, indices } = sphere(1, 6);
    const model = Mesh.from({ positions: Array.from(positions, (x) => x * (1 + 0.1 * random())), indices });
    const shapes: Shape[] = Array.from({ length: runs(12) }, (_, i) => {
      const at = randomDirection(random).map((x) => x * [1.2, 3, 1e5][i % 3]);
      const rotation = Array.from(randomRotation(random));
      const to = at.map((x) => x + random());
      return [
        { min: [-0.1, -0.2, -0.3], max: [0.3, 0.2, 0.1], pose: { rotation, translation: at } },
        { centre: at, radius: 0.1 },
        { from: at, to, radius: 0.1 },
      ] as Shape[];
    }).flat();
    const found = shapes.map((shape) => shapeDistance(model, shape)!);
    vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    shapes.forEach((shape, i) => {
      const size = Math.max(1, found[i].distance);
      expect(Math.abs(shapeDistance(model, shape)!.distance - found[i].distance)).toBeLessThan(1e-12 * size);
    });
    vi.restoreAllMocks();
  });

  test('of poses that scale, evenly or not', () => {
    const model = cube(2);
    const pose = { scale: 2, translation: [10, 0, 0] };
    expect(shapeDistance(model, { centre: [0, 0, 0], radius: 1 }, { pose })).toMatchObject({
      distance: 7,
      points: [
        [8, 0, 0],
        [1, 0, 0],
      ],
    });
    expect(shapeDistance(model, { min: [-1, -1, -1], max: [1, 1, 1] }, { pose })?.distance).toBe(7);
    expect(shapeDistance(model, { normal: [2, 0, 0], offset: 4 }, { pose })?.distance).toBeCloseTo(6, 13);
    const uneven = { scale: [1, 2, 3], translation: [10, 0, 0] };
    expect(shapeDistance(model, { centre: [0, 5, 0], radius: 1 }, { pose: uneven })).toMatchObject({
      distance: Math.hypot(9, 3) - 1,
    });
  });
});
