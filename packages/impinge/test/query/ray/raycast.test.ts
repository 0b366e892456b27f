/** Rays against meshes: brute force with exact predicates, and everything that is to hold of a hit. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  icosphere,
  randomDirection,
  randomRotation,
  seededRandom,
} from '../../../../../lab/scenes/index.mjs';
import { FAST, full, runs } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import { hitRayTriangle } from '../../../src/geometry/intersect/ray-hit.js';
import { intersectsSegmentTriangle } from '../../../src/geometry/intersect/segment-triangle.js';
import { buildHierarchy } from '../../../src/hierarchy/index.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import type { RayHit } from '../../../src/query/ray/cast-mesh.js';
import { raycast, raycastMany } from '../../../src/query/ray/raycast.js';
import { treeBoxes } from '../../../src/query/ray/tree-boxes.js';
import { closestPoint } from '../../../src/query/scene/ask-points.js';
import { ball, cube, mesh, sphere, torus } from '../solid/solids.js';

type Triple = [number, number, number];

const small = fc.integer({ min: -4, max: 4 });
const point = fc.tuple(small, small, small);
/** Few places, so that rays meet edges, corners, planes, and triangles that are segments or points. */
const soup = fc.array(fc.tuple(point, point, point), { minLength: 1, maxLength: 40 });
const direction = point.filter((d) => d.some((x) => x !== 0));
const scale = fc.constantFrom(1, 2 ** -20, 2 ** 20);

function meshOf(triangles: readonly (readonly Triple[])[], by: number): Mesh {
  return Mesh.from({ positions: triangles.flat(2).map((x) => x * by) });
}

/** Which triangles a long segment meets, by the exact predicates of other queries. */
function metBySegment({ positions }: Mesh, origin: Triple, toward: Triple, by: number): number[] {
  const segment = Float64Array.from([...origin, ...origin.map((x, k) => x + 64 * toward[k])], (x) => x * by);
  const corners = Float64Array.from(positions);
  const all = Array.from({ length: positions.length / 9 }, (_, t) => t);
  return all.filter((t) => intersectsSegmentTriangle(segment, 0, 3, corners, 9 * t));
}

const triangles = (hits: readonly RayHit[]) => hits.map(({ triangle }) => triangle).sort((a, b) => a - b);

function expectOnRay(hit: RayHit, { origin, direction: d }: { origin: Triple; direction: Triple }): void {
  const length = Math.hypot(...d);
  const size = Math.max(...origin.map(Math.abs), hit.distance);
  hit.point.forEach((x, k) => {
    expect(Math.abs(origin[k] + (hit.distance / length) * d[k] - x)).toBeLessThanOrEqual(1e-13 * size);
  });
}

describe('rays through few places', () => {
  test('meet what exact predicates say, in all modes (seed 1701)', () => {
    fc.assert(
      fc.property(soup, point, direction, scale, (shape, from, toward, by) => {
        const model = meshOf(shape as Triple[][], by);
        const origin = from.map((x) => x * by) as Triple;
        const ray = { origin, direction: toward };
        const all = raycast(model, ray, { mode: 'all' });
        expect(triangles(all)).toEqual(metBySegment(model, from, toward, by));
        for (const hit of all) expectOnRay(hit, ray);
        for (let i = 1; i < all.length; i++) {
          const order = all[i - 1].distance - all[i].distance || all[i - 1].triangle - all[i].triangle;
          expect(order).toBeLessThan(0);
        }
        expect(raycast(model, ray)).toEqual(all[0]);
        const any = raycast(model, ray, { mode: 'any' });
        expect(any === undefined ? all.length === 0 : triangles(all).includes(any.triangle)).toBe(true);
        model.dispose();
      }),
      { numRuns: runs(1500), seed: 1701 },
    );
  });

  test('without kernels they meet the same (seed 1702)', () => {
    const draw = fc.sample(fc.tuple(soup, point, direction), { numRuns: runs(200), seed: 1702 });
    const ask = (model: Mesh, origin: Triple, toward: Triple) => {
      const ray = { origin, direction: toward };
      return [
        raycast(model, ray, { mode: 'all' }),
        raycast(model, ray),
        raycast(model, ray, { mode: 'any' }) !== undefined,
      ];
    };
    const models = draw.map(([shape]) => meshOf(shape as Triple[][], 1));
    const expected = draw.map(([, from, toward], i) => ask(models[i], from as Triple, toward as Triple));
    vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    draw.forEach(([, from, toward], i) => {
      const got = ask(models[i], from as Triple, toward as Triple);
      expect(triangles(got[0] as RayHit[])).toEqual(triangles(expected[i][0] as RayHit[]));
      const [first, other] = [got[1] as RayHit, expected[i][1] as RayHit];
      expect(Math.abs((first?.distance ?? 0) - (other?.distance ?? 0))).toBeLessThan(1e-12);
      expect(got[2]).toBe(expected[i][2]);
    });
    vi.restoreAllMocks();
  });
});

test.each([true, false])(
  'of triangles at the same distance the lower number is first (kernels: %s)',
  (kernels) => {
    const model = Mesh.from({
      positions: Array.from({ length: 40 }, () => [0, 0, 0, 2, 0, 0, 0, 2, 0]).flat(),
    });
    if (!kernels) vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    // inside, and at a corner, of which floating point cannot tell
    for (const x of [0.5, 0]) {
      const ray = { origin: [x, x, 3], direction: [0, 0, -1] };
      expect(raycast(model, ray)?.triangle).toBe(0);
      expect(raycastMany(model, { origins: ray.origin, directions: ray.direction }).triangles[0]).toBe(0);
      expect(raycast(model, ray, { mode: 'all' }).map(({ triangle }) => triangle)).toEqual([
        ...Array(40).keys(),
      ]);
    }
  },
);

describe('rays anywhere', () => {
  const { positions, indices } = sphere(1, 12);
  const random = seededRandom(1703);
  const bumpy = Float32Array.from(positions, (x) => x * (1 + 0.1 * random()));

  /** At corners and edges as rounded, and past them; from near and far. */
  function aimed(size: number, far: number): { origin: Triple; direction: Triple } {
    const t = 3 * Math.floor((random() * indices.length) / 3);
    const corner = (k: number, axis: number) => size * bumpy[3 * indices[t + k] + axis];
    const u = random() < 0.3 ? 0 : random();
    const v = random() < 0.3 ? 0 : (1 - u) * random();
    const at = [0, 1, 2].map((k) => (1 - u - v) * corner(0, k) + u * corner(1, k) + v * corner(2, k));
    const from = randomDirection(random).map((x) => size * far * x) as Triple;
    return { origin: from, direction: at.map((x, k) => x - from[k]) as Triple };
  }

  full.each([
    [1, 0.1],
    [1, 3],
    [1, 1e6],
    [1e-6, 2],
    [1e6, 2],
    [1e-6, 1e9],
  ])('of size %d from %d sizes away meet what is decided without rounding', (size, far) => {
    const model = Mesh.from({ positions: bumpy.map((x) => x * size), indices });
    const corners = new Float64Array(9 * model.triangleCount);
    model.indices.forEach((v, i) => {
      for (let k = 0; k < 3; k++) corners[3 * i + k] = model.positions[3 * v + k];
    });
    const out = new Float64Array(3);
    for (let i = 0; i < runs(15); i++) {
      const ray = aimed(size, far);
      const numbers = Float64Array.from([...ray.origin, ...ray.direction]);
      const expected: number[] = [];
      for (let t = 0; t < model.triangleCount; t++) {
        if (hitRayTriangle(numbers, 0, corners, 9 * t, 0, 0, out)) expected.push(t);
      }
      const all = raycast(model, ray, { mode: 'all' });
      expect(triangles(all)).toEqual(expected);
      for (const hit of all) expectOnRay(hit, ray);
      expect(raycast(model, ray)).toEqual(all[0]);
    }
    model.dispose();
  });

  full('in batches they get the same answers, bit for bit', () => {
    const model = Mesh.from({ positions: bumpy, indices });
    const rays = Array.from({ length: 2600 }, (_, i) => aimed(1, i % 2 ? 0.1 : 3));
    const many = {
      origins: Float64Array.from(rays.flatMap(({ origin }) => origin)),
      directions: Float64Array.from(rays.flatMap((ray) => ray.direction)),
    };
    const first = raycastMany(model, many);
    const all = raycastMany(model, many, { mode: 'all' });
    let hits = 0;
    rays.forEach((ray, i) => {
      const one = raycast(model, ray);
      hits += one ? 1 : 0;
      expect(first.triangles[i]).toBe(one?.triangle ?? -1);
      expect(first.distances[i]).toBe(one?.distance ?? Infinity);
      expect([...first.weights.subarray(2 * i, 2 * i + 2)]).toEqual(one?.barycentrics.slice(1) ?? [0, 0]);
      const each = raycast(model, ray, { mode: 'all' });
      const [from, to] = all.starts.subarray(i, i + 2);
      expect([...all.triangles.subarray(from, to)]).toEqual(each.map(({ triangle }) => triangle));
      expect([...all.distances.subarray(from, to)]).toEqual(each.map(({ distance }) => distance));
    });
    expect(first.count).toBe(hits);
    expect(hits).toBeGreaterThan(2000);
    expect(all.count).toBe(all.starts[rays.length]);
  });
});

test.skipIf(FAST)(
  'rays that are put in another order get the same answers as few of them, bit for bit',
  () => {
    const { positions, indices } = icosphere(41, 1);
    const model = Mesh.from({ positions, indices });
    expect(model.triangleCount).toBeGreaterThan(30_000);
    const random = seededRandom(1709);
    const count = 131_500; // more than are put in order together
    const origins = new Float64Array(3 * count);
    const directions = new Float64Array(3 * count);
    for (let i = 0; i < count; i++) {
      const corner = 3 * Math.floor((random() * positions.length) / 3);
      const from = randomDirection(random).map((x) => 3 * x);
      // one in 200 at a corner, of which floating point cannot tell
      const to = i % 200 === 0 ? positions.subarray(corner, corner + 3) : randomDirection(random);
      origins.set(from, 3 * i);
      directions.set(
        from.map((x, k) => to[k] - x),
        3 * i,
      );
    }
    const all = raycastMany(model, { origins, directions });
    let met = 0;
    const few = 1000;
    for (let from = 0; from < count; from += few) {
      const some = raycastMany(model, {
        origins: origins.subarray(3 * from, 3 * (from + few)),
        directions: directions.subarray(3 * from, 3 * (from + few)),
      });
      met += some.count;
      expect(all.distances.subarray(from, from + few)).toEqual(some.distances);
      expect(all.triangles.subarray(from, from + few)).toEqual(some.triangles);
      expect(all.weights.subarray(2 * from, 2 * (from + few))).toEqual(some.weights);
    }
    expect(all.count).toBe(met);
    expect(met).toBeGreaterThan(0.9 * count);
    model.dispose();
  },
);

describe('closed surfaces', () => {
  full('let no ray out, not even at edges and corners', () => {
    const random = seededRandom(1704);
    for (const solid of [cube(1), ball(1, 10), mesh(torus(1, 0.4, 40, 20))]) {
      const { positions, indices } = solid;
      const inside: Triple = solid.triangleCount === 12 ? [0.1, 0.2, 0.3] : [0, 0, 0];
      if (solid.triangleCount === 1600) inside[0] = 1;
      const count = runs(36_000);
      const directions = new Float64Array(3 * count);
      for (let i = 0; i < count; i++) {
        const t = 3 * Math.floor((random() * indices.length) / 3);
        // a corner, a point of an edge, any direction
        const kind = i % 12;
        const u = kind === 0 ? 0 : random();
        const away = randomDirection(random);
        for (let k = 0; k < 3; k++) {
          const [a, b] = [positions[3 * indices[t] + k], positions[3 * indices[t + 1] + k]];
          directions[3 * i + k] = kind > 1 ? away[k] : a + u * (b - a) - inside[k];
        }
      }
      const origins = Float64Array.from(directions, (_, i) => inside[i % 3]);
      expect(raycastMany(solid, { origins, directions }, { mode: 'any' }).count).toBe(count);
      expect(raycastMany(solid, { origins, directions }).count).toBe(count);
    }
  });

  test('in their planes rays meet faces from the rim on', () => {
    const plate = Mesh.from({ positions: [0, 0, 0, 2, 0, 0, 0, 2, 0] });
    const ray = { origin: [-1, 0.5, 0], direction: [1, 0, 0] };
    expect(raycast(plate, ray)).toMatchObject({ distance: 1, point: [0, 0.5, 0], back: false });
    expect(raycast(plate, { ...ray, origin: [0.5, 0.5, 0] })).toMatchObject({
      distance: 0,
      barycentrics: [0.5, 0.25, 0.25],
    });
    expect(raycast(plate, ray, { atLeast: 2 })).toMatchObject({ distance: 2, point: [1, 0.5, 0] });
    expect(raycast(plate, ray, { atLeast: 2.75 })).toBe(undefined);
    expect(raycast(plate, ray, { faces: 'front' })).toBe(undefined);
  });
});

describe('options', () => {
  const solid = cube(2);

  test('faces, distances, and what a hit says', () => {
    const ray = { origin: [0.3, 0.4, 9], direction: [0, 0, -3] };
    const [enter, leave, ...others] = raycast(solid, ray, { mode: 'all' });
    expect(others).toEqual([]);
    expect(enter.normal).toEqual([0, 0, 1]);
    expect([enter.back, leave.back]).toEqual([false, true]);
    expect(leave.distance - enter.distance).toBe(2);
    expect(enter.barycentrics.reduce((sum, x) => sum + x)).toBeCloseTo(1, 15);
    expect(raycast(solid, ray, { faces: 'front' })).toEqual(enter);
    expect(raycast(solid, ray, { faces: 'back' })).toEqual(leave);
    expect(raycast(solid, ray, { atLeast: enter.distance + 0.1 })).toEqual(leave);
    expect(raycast(solid, ray, { atMost: enter.distance })).toEqual(enter);
    expect(raycast(solid, ray, { atMost: enter.distance - 1e-9 })).toBe(undefined);
  });

  test('a segment has both its ends', () => {
    const top = raycast(solid, { origin: [0.1, 0.2, 9], direction: [0, 0, -1] })!.point;
    const above = [0.1, 0.2, 5];
    expect(raycast(solid, { from: above, to: top })?.distance).toBe(4);
    expect(raycast(solid, { from: top, to: above })?.distance).toBe(0);
    expect(raycast(solid, { from: above, to: [0.1, 0.2, top[2] + 1e-9] })).toBe(undefined);
    const { triangles: met } = raycastMany(solid, { from: [...above, ...above], to: [...top, 0.1, 0.2, 4] });
    expect(met[0]).toBeGreaterThanOrEqual(0);
    expect(met[1]).toBe(-1);
  });

  test('a pose moves the mesh (seed 1705)', () => {
    const random = seededRandom(1705);
    const model = ball(1, 8);
    for (let i = 0; i < runs(100); i++) {
      const rotation = Array.from(randomRotation(random));
      const translation = [3 * random(), -random(), 7] as Triple;
      const turn = (p: readonly number[]) =>
        [0, 1, 2].map(
          (k) => rotation[3 * k] * p[0] + rotation[3 * k + 1] * p[1] + rotation[3 * k + 2] * p[2],
        );
      const origin = randomDirection(random).map((x) => 2 * x) as Triple;
      const toward = randomDirection(random).map((x, k) => 0.4 * x - origin[k]) as Triple;
      const still = raycast(model, { origin, direction: toward })!;
      const posed = raycast(
        model,
        { origin: turn(origin).map((x, k) => x + translation[k]), direction: turn(toward) },
        { pose: { rotation, translation } },
      )!;
      expect(posed.triangle).toBe(still.triangle);
      expect(posed.distance).toBeCloseTo(still.distance, 12);
      const moved = turn(still.point).map((x, k) => x + translation[k]);
      moved.forEach((x, k) => {
        expect(posed.point[k]).toBeCloseTo(x, 12);
      });
      turn(still.normal).forEach((x, k) => {
        expect(posed.normal[k]).toBeCloseTo(x, 12);
      });
    }
  });

  test('coordinates far from zero keep their precision', () => {
    const at = [4_500_000, 3_200_000, 100];
    const far = Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0].map((x, i) => x + at[i % 3] + 0.001) });
    const hit = raycast(far, { origin: [at[0] + 0.25, at[1] + 0.25, 0], direction: [0, 0, 1] })!;
    expect(hit.distance).toBeCloseTo(100.001, 6);
    expect(hit.point[0]).toBeCloseTo(at[0] + 0.25, 6);
  });
});

describe('trees of boxes', () => {
  test('follow vertices that move, and are freed with their mesh', () => {
    const before = arena().usedBytes;
    const model = ball(1, 6);
    const ray = { origin: [0, 0, 9], direction: [0, 0, -1] };
    raycast(model, ray);
    const held = arena().usedBytes;
    model.setPositions(model.positions.map((x) => 2 * x));
    expect(raycast(model, ray)?.distance).toBeCloseTo(7, 6);
    // whose mesh moves, has its indices in the order of the tree
    const moving = arena().usedBytes;
    expect(moving - held).toBeGreaterThanOrEqual(12 * model.triangleCount);
    expect(moving - held).toBeLessThan(12 * model.triangleCount + 256);
    model.setPositions(model.positions.map((x) => 2 * x));
    expect(raycast(model, ray)?.distance).toBeCloseTo(5, 6);
    expect(arena().usedBytes).toBeLessThanOrEqual(moving);
    model.dispose();
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });

  full('have the boxes and corners of where vertices are, with leaves of one to four triangles', () => {
    const random = seededRandom(1710);
    for (let count = 1; count <= 60; count++) {
      const place = () => Float32Array.from({ length: 9 * count }, () => random() - 0.5);
      const positions = place();
      const model = Mesh.from({ positions });
      const boxes = [0, 1, 2, 3, 4].map((depth) => treeBoxes(model, depth));
      // twice as large, all numbers are, and so are the splits of the tree
      model.setPositions(positions.map((x) => 2 * x));
      boxes.forEach((old, depth) => {
        expect(treeBoxes(model, depth)).toEqual(old.map((x) => 2 * x));
      });
      const moved = place();
      model.setPositions(moved);
      const fresh = Mesh.from({ positions: moved });
      for (let i = 0; i < 8; i++) {
        const ray = { origin: randomDirection(random), direction: randomDirection(random) };
        expect(raycast(model, ray, { mode: 'all' })).toEqual(raycast(fresh, ray, { mode: 'all' }));
        const point = randomDirection(random);
        expect(closestPoint(model, point)).toEqual(closestPoint(fresh, point));
      }
      model.dispose();
      fresh.dispose();
    }
  });

  test('are taken over from a tree that is there', () => {
    const model = mesh(torus(1, 0.4, 40, 20));
    const rays = { origins: new Float64Array(300), directions: new Float64Array(300) };
    const random = seededRandom(1706);
    for (let i = 0; i < 100; i++) {
      const origin = randomDirection(random).map((x) => 3 * x);
      rays.origins.set(origin, 3 * i);
      rays.directions.set(
        origin.map((x) => random() - x),
        3 * i,
      );
    }
    const expected = raycastMany(model, rays);
    const other = mesh(torus(1, 0.4, 40, 20));
    useHierarchy(buildHierarchy(other));
    expect(raycastMany(other, rays)).toEqual(expected);
    expect(expected.count).toBeGreaterThan(50);
  });

  test('more hits and doubts than there is room for make room (coplanar stripes)', () => {
    const positions = Array.from({ length: 1500 }, (_, i) => [i, -1, 0, i + 0.5, 1, 0, i, 1, 0]).flat();
    const stripes = Mesh.from({ positions });
    const hits = raycast(stripes, { origin: [-1, 0, 0], direction: [1, 0, 0] }, { mode: 'all' });
    expect(hits.map(({ triangle }) => triangle)).toEqual(Array.from({ length: 1500 }, (_, i) => i));
    const first = raycast(stripes, { origin: [-1, 0, 0], direction: [1, 0, 0] });
    expect(first).toMatchObject({ triangle: 0, distance: 1 });
    const layers = Array.from({ length: 1500 }, (_, i) => [-1, -1, i, 2, -1, i, -1, 2, i]).flat();
    const ray = { origin: [0.2, 0.1, -1], direction: [0, 0, 1] };
    const through = raycast(Mesh.from({ positions: layers }), ray, { mode: 'all' });
    expect(through.length).toBe(1500);
  });
});
