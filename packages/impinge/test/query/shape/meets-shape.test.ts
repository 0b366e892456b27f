/** Shapes against meshes: brute force with exact predicates, in all modes, poses and sizes. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { randomDirection, randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, runs } from '../../../../../test/budget.js';
import { distanceSqSegmentTriangle } from '../../../src/geometry/distance/segment-triangle.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { meetsShape, trianglesInShape } from '../../../src/query/shape/meets-shape.js';
import { meetsSpheres } from '../../../src/query/shape/meets-spheres.js';
import type { Shape } from '../../../src/query/shape/shape-input.js';
import { cube, sphere } from '../solid/solids.js';
import { meetsHull } from './hull-oracle.js';

type Triple = [number, number, number];

const small = fc.integer({ min: -4, max: 4 });
const point = fc.tuple(small, small, small);
/** Few places, so that shapes touch corners, edges and planes, and triangles that are segments or points. */
const soup = fc.array(fc.tuple(point, point, point), { minLength: 1, maxLength: 40 });
const scale = fc.constantFrom(1, 2 ** -20, 2 ** 20);
const hull = fc.array(point, { minLength: 1, maxLength: 6 });

function meshOf(triangles: readonly (readonly Triple[])[], by: number): Mesh {
  return Mesh.from({ positions: triangles.flat(2).map((x) => x * by) });
}

function cornersOf({ positions, indices }: Mesh, t: number): Float64Array {
  return Float64Array.from(
    { length: 9 },
    (_, k) => positions[3 * indices[3 * t + Math.floor(k / 3)] + (k % 3)],
  );
}

function brute(mesh: Mesh, meets: (triangle: Float64Array) => boolean): number[] {
  return Array.from({ length: mesh.triangleCount }, (_, t) => t).filter((t) => meets(cornersOf(mesh, t)));
}

/** All, and any. */
function expectMet(mesh: Mesh, shape: Shape, expected: readonly number[]): void {
  expect([...trianglesInShape(mesh, shape)]).toEqual(expected);
  expect(meetsShape(mesh, shape)).toBe(expected.length > 0);
}

const boxCorners = (min: readonly number[], max: readonly number[]) =>
  Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? max : min)[i % 3]);

describe('shapes at few places', () => {
  test('hulls of points, flat ones among them (seed 1731)', () => {
    fc.assert(
      fc.property(soup, hull, scale, (shape, places, by) => {
        const model = meshOf(shape as Triple[][], by);
        const points = Float64Array.from(places.flat(), (x) => x * by);
        expectMet(
          model,
          { points },
          brute(model, (t) => meetsHull(points, t)),
        );
        model.dispose();
      }),
      { numRuns: runs(300), seed: 1731 },
    );
  });

  test('boxes, flat ones among them (seed 1732)', () => {
    fc.assert(
      fc.property(soup, point, point, scale, (shape, p, q, by) => {
        const model = meshOf(shape as Triple[][], by);
        const min = p.map((x, k) => by * Math.min(x, q[k]));
        const max = p.map((x, k) => by * Math.max(x, q[k]));
        const expected = brute(model, (t) => meetsHull(boxCorners(min, max), t));
        expectMet(model, { min, max }, expected);
        model.dispose();
      }),
      { numRuns: runs(150), seed: 1732 },
    );
  });

  test('half-spaces (seed 1733)', () => {
    const normal = point.filter((n) => n.some((x) => x !== 0));
    fc.assert(
      fc.property(soup, normal, fc.integer({ min: -20, max: 20 }), scale, (shape, n, offset, by) => {
        const model = meshOf(shape as Triple[][], by);
        const below = (t: Float64Array) =>
          [0, 3, 6].some((at) => n[0] * t[at] + n[1] * t[at + 1] + n[2] * t[at + 2] <= offset * by);
        expectMet(model, { normal: n, offset: offset * by }, brute(model, below));
        model.dispose();
      }),
      { numRuns: runs(300), seed: 1733 },
    );
  });

  test('spheres and capsules: touching counts (seed 1734)', () => {
    fc.assert(
      fc.property(soup, point, point, fc.integer({ min: 1, max: 5 }), scale, (shape, p, q, radius, by) => {
        const model = meshOf(shape as Triple[][], by);
        const ends = (a: readonly number[], b: readonly number[]) =>
          Float64Array.from([...a, ...b], (x) => x * by);
        // numbers are so few that what is off by rounding is equal
        const near = (axis: Float64Array) => (t: Float64Array) =>
          Math.sqrt(distanceSqSegmentTriangle(axis, 0, 3, t, 0)) <= radius * by * (1 + 1e-12);
        const [centre, to] = [p, q].map((x) => x.map((c) => c * by));
        expectMet(model, { centre, radius: radius * by }, brute(model, near(ends(p, p))));
        expectMet(model, { from: centre, to, radius: radius * by }, brute(model, near(ends(p, q))));
        const many = meetsSpheres(model, { centres: [...centre, ...to], radii: radius * by });
        expect([...many]).toEqual(
          [near(ends(p, p)), near(ends(q, q))].map((f) => +(brute(model, f).length > 0)),
        );
        model.dispose();
      }),
      { numRuns: runs(400), seed: 1734 },
    );
  });

  test('without a radius they are points and segments, exactly (seed 1735)', () => {
    fc.assert(
      fc.property(soup, point, point, (shape, p, q) => {
        const model = meshOf(shape as Triple[][], 1);
        const expected = brute(model, (t) => meetsHull(Float64Array.from([...p, ...q]), t));
        expectMet(model, { from: p, to: q, radius: 0 }, expected);
        const at = brute(model, (t) => meetsHull(Float64Array.from(p), t));
        expectMet(model, { centre: p, radius: 0 }, at);
        expect([...meetsSpheres(model, { centres: p, radii: [0] })]).toEqual([+(at.length > 0)]);
        model.dispose();
      }),
      { numRuns: runs(200), seed: 1735 },
    );
  });

  /** Poses after which all numbers are still exact. */
  const pose = fc.constantFrom(
    { rotation: [0, -1, 0, 1, 0, 0, 0, 0, 1], translation: [1, -2, 3] },
    { scale: 2, translation: [0, 1, 0] },
    { scale: [1, 2, 4] },
    { scale: [-1, 1, 1], translation: [1, 0, 0] },
    [1, 0, 0, 0, 1, 1, 0, 0, 0, 2, 1, 0, 1, 2, 3, 1],
  );
  test('meshes with poses, stretched and mirrored (seed 1736)', () => {
    fc.assert(
      fc.property(soup, pose, point, point, (shape, where, p, q) => {
        const model = meshOf(shape as Triple[][], 1);
        const baked = model.transformed(matrixOf(where));
        const min = p.map((x, k) => Math.min(x, q[k]));
        const max = p.map((x, k) => Math.max(x, q[k]));
        const shapes: Shape[] = [
          { min, max },
          { points: [...p, ...q, 1, 2, 3, 0, 0, 4] },
          { normal: [1, 2, -1], offset: 3 },
          { centre: p, radius: 2.3 },
          { from: p, to: q, radius: 1.7 },
          { min: [0, 0, 0], max: [2, 1, 1], pose: { rotation: [0, 0, 1, 1, 0, 0, 0, 1, 0], translation: p } },
        ];
        for (const each of shapes) {
          const expected = [...trianglesInShape(baked, each)];
          expect([...trianglesInShape(model, each, { pose: where })]).toEqual(expected);
          expect(meetsShape(model, each, { pose: where })).toBe(expected.length > 0);
        }
        const centres = [...p, ...q];
        expect(meetsSpheres(model, { centres, radii: [1.5, 2.5] }, { pose: where })).toEqual(
          meetsSpheres(baked, { centres, radii: [1.5, 2.5] }),
        );
        model.dispose();
        baked.dispose();
      }),
      { numRuns: runs(150), seed: 1736 },
    );
  });

  function matrixOf(where: unknown): number[] {
    if (Array.isArray(where)) return where;
    const {
      rotation: r = [1, 0, 0, 0, 1, 0, 0, 0, 1],
      translation: t = [0, 0, 0],
      scale: s = 1,
    } = where as {
      rotation?: number[];
      translation?: number[];
      scale?: number | number[];
    };
    const by = (k: number) => (typeof s === 'number' ? s : s[k]);
    return [0, 1, 2].flatMap((c) => [r[c] * by(c), r[3 + c] * by(c), r[6 + c] * by(c), 0]).concat([...t, 1]);
  }
});

describe('shapes anywhere', () => {
  const { positions, indices } = sphere(1, 8);
  const random = seededRandom(1737);
  const bumpy = Float32Array.from(positions, (x) => x * (1 + 0.1 * random()));

  function shapesAt(size: number, away: number): Shape[] {
    const at = () => randomDirection(random).map((x) => size * (x * away + 0.05 * random())) as Triple;
    const some = size * (0.02 + 0.5 * random());
    const rotation = Array.from(randomRotation(random));
    const corner = 3 * Math.floor((random() * bumpy.length) / 3);
    const vertex = Array.from(bumpy.subarray(corner, corner + 3), (x) => x * size);
    return [
      { centre: at(), radius: some },
      { from: at(), to: at(), radius: 0.5 * some },
      {
        min: [-some, -some, -0.3 * some],
        max: [some, 2 * some, some],
        pose: { rotation, translation: at() },
      },
      { min: vertex, max: vertex.map((x) => x + some) },
      { points: Array.from({ length: 12 }, () => at().map((x) => 0.4 * x)).flat() },
      { normal: randomDirection(random), offset: size * (2 * random() - 1) },
    ];
  }

  full.each([
    [1, 1],
    [1e-6, 1],
    [1e6, 1],
    [1, 0.2],
    [1, 1e5],
  ])('of size %d, %d sizes away, meet what is decided without kernels', (size, away) => {
    const model = Mesh.from({ positions: bumpy.map((x) => x * size), indices });
    const shapes = Array.from({ length: runs(8) }, () => shapesAt(size, away)).flat();
    const found = shapes.map((shape) => [...trianglesInShape(model, shape)]);
    const any = shapes.map((shape) => meetsShape(model, shape));
    vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    shapes.forEach((shape, i) => {
      expect(found[i]).toEqual([...trianglesInShape(model, shape)]);
      expect(any[i]).toBe(found[i].length > 0);
    });
    vi.restoreAllMocks();
    model.dispose();
  });

  test('in batches spheres get the same answers; far from zero, too', () => {
    const at = [4_500_000, 3_200_000, 100];
    const model = Mesh.from({ positions: Float64Array.from(bumpy, (x, i) => x + at[i % 3]), indices });
    const centres = Float64Array.from({ length: 3 * 1100 }, (_, i) => at[i % 3] + 3 * random() - 1.5);
    const radii = Float64Array.from({ length: 1100 }, () => 0.3 * random());
    const many = meetsSpheres(model, { centres, radii });
    for (let i = 0; i < 1100; i++) {
      const shape = { centre: centres.subarray(3 * i, 3 * i + 3), radius: radii[i] };
      expect(many[i]).toBe(+meetsShape(model, shape));
    }
    expect(many.filter((x) => x).length).toBeGreaterThan(100);
  });
});

test('what is inside a shape meets it; more triangles than there is room for make room', () => {
  const { positions, indices } = sphere(1, 12);
  const model = Mesh.from({ positions, indices });
  const all = Array.from({ length: model.triangleCount }, (_, t) => t);
  const matrix = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -1.02, -1, 0, 0, 3.8, 4.1]; // seen from z = 4.1
  const shapes: Shape[] = [
    { centre: [0, 0, 0], radius: 2 },
    { from: [0, 0, -1], to: [0, 0, 1], radius: 1.5 },
    { min: [-2, -2, -2], max: [2, 2, 2] },
    { normal: [0, 0, 1], offset: 5 },
    { points: [-9, -9, -9, 9, -9, -9, 0, 9, -9, 0, 0, 20] },
    { projection: matrix },
  ];
  for (const shape of shapes) expect([...trianglesInShape(model, shape)]).toEqual(all);
  const solid = cube(2);
  expect(meetsShape(solid, { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] })).toBe(false);
  expect(meetsShape(solid, { centre: [0, 0, 0], radius: 0.999 })).toBe(false);
  expect(meetsShape(solid, { centre: [0, 0, 0], radius: 1 })).toBe(true);
});
