/**
 * Points and shapes asked about in a scene, against the same questions about every object of it, one after the other.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { least, runs } from '../../../../../test/budget.js';
import { distanceSqPointTriangle } from '../../../src/geometry/distance/point-triangle.js';
import {
  closestPoint,
  closestPoints,
  type Mesh,
  meetsShape,
  meetsSpheres,
  objectsInShape,
  type Pose,
  pointInMesh,
  pointsInMesh,
  Scene,
  type SceneObject,
  type Shape,
  shapeDistance,
  signedDistance,
  signedDistances,
  sweepShape,
  trianglesInShape,
} from '../../../src/index.js';
import { posePoint } from '../../../src/math/pose.js';
import { ball, cube, mesh, torus } from '../solid/solids.js';

const meshes = [cube(1), ball(0.7, 4), mesh(torus(1, 0.3, 12, 8))];
const grid = fc.integer({ min: -4, max: 4 });
const triple = fc.tuple(grid, grid, grid);
const place = fc.tuple(triple, fc.double({ min: 0, max: 3, noNaN: true }), fc.boolean()).map(
  // on the grid or turned
  ([translation, a, turned]) =>
    turned ? { translation, rotation: [Math.sin(a), 0, 0, Math.cos(a)] } : { translation },
);
const even: fc.Arbitrary<Pose> = fc.oneof(
  place,
  fc.tuple(place, fc.constantFrom(1, 2, 0.5, -1)).map(([pose, scale]) => ({ ...pose, scale })),
);
const uneven: fc.Arbitrary<Pose> = fc
  .tuple(triple, fc.double({ min: -1, max: 1, noNaN: true }))
  // biome-ignore format: a column-major matrix
  .map(([[x, y, z], s]) => [1, 0, 0, 0, s, 1, 0, 0, 0.25, -s, 1.5, 0, x, y, z, 1]);

type PlacedParts = (readonly [number, Pose])[];
const thingsOf = (pose: fc.Arbitrary<Pose>): fc.Arbitrary<PlacedParts> =>
  fc.array(fc.tuple(fc.nat(2), pose), { minLength: 1, maxLength: 12 });

/** A scene, and its objects with the poses they were given. */
function sceneOf(things: PlacedParts): { scene: Scene; placed: { object: SceneObject; pose: Pose }[] } {
  const scene = new Scene();
  return {
    scene,
    placed: things.map(([shape, pose]) => ({ object: scene.add(meshes[shape], { pose }), pose })),
  };
}

/** The least of the objects' answers, the earliest of equal ones. */
function leastOf<One>(
  { placed }: ReturnType<typeof sceneOf>,
  ask: (mesh: Mesh, pose: Pose) => One | undefined,
  key: (one: Omit<One, 'object'>) => readonly number[],
): (Omit<One, 'object'> & { object: SceneObject }) | undefined {
  let best: (Omit<One, 'object'> & { object: SceneObject }) | undefined;
  for (const { object, pose } of placed) {
    const found = ask(object.mesh, pose);
    if (!found) continue;
    if (best) {
      const [k, l] = [key(found), key(best)];
      const at = k.findIndex((x, i) => x !== l[i]);
      if (at < 0 || k[at] > l[at]) continue;
    }
    best = { ...found, object };
  }
  return best;
}

const unround = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -5, max: 5, noNaN: true })));
const point = fc.oneof(triple, unround);
const asNumbers = (list: readonly (readonly number[])[]) => list.flat();
/** The objects' meshes with their poses baked in; whoever asks for them frees them. */
const bakedOf = ({ placed }: ReturnType<typeof sceneOf>) =>
  placed.map(({ object, pose }) => object.mesh.transformed(matrixOf(pose)));

describe('points in a scene', () => {
  const atMosts = fc.constantFrom(Infinity, 1.53, 0);

  test('have the closest points of the objects, rigid ones to the last bit (seed 1741)', () => {
    fc.assert(
      fc.property(thingsOf(place), fc.array(point), atMosts, (things, points, atMost) => {
        const all = sceneOf(things);
        const many = closestPoints(all.scene, asNumbers(points), { atMost });
        points.forEach((at, i) => {
          const expected = leastOf(
            all,
            (own, pose) => closestPoint(own, at, { pose, atMost }),
            (one) => [one.distance],
          );
          expect(closestPoint(all.scene, at, { atMost })).toEqual(expected);
          expect(many.objects[i]).toBe(expected?.object);
          expect(many.distances[i]).toBe(expected?.distance ?? Infinity);
          expect(many.triangles[i]).toBe(expected?.triangle ?? -1);
          expect(Array.from(many.points.subarray(3 * i, 3 * i + 3))).toEqual(
            expected?.point ?? [NaN, NaN, NaN],
          );
        });
      }),
      { seed: 1741, numRuns: runs(150) },
    );
  });

  test('have them of scaled, sheared and mirrored objects as if that were baked in (seed 1742)', () => {
    let near = 0;
    fc.assert(
      fc.property(thingsOf(fc.oneof(even, uneven)), unround, atMosts, (things, at, atMost) => {
        const all = sceneOf(things);
        const baked = bakedOf(all);
        const expected = Math.min(...baked.map((own) => closestPoint(own, at)!.distance));
        const found = closestPoint(all.scene, at, { atMost });
        // what is baked in is rounded to float32
        if (Math.abs(expected - atMost) > 1e-5) expect(found === undefined).toBe(expected > atMost);
        if (found) {
          near++;
          expect(Math.abs(found.distance - expected)).toBeLessThan(1e-5);
          expect(Math.hypot(...found.point.map((x, k) => x - at[k]))).toBeCloseTo(found.distance, 6);
          const own = baked[all.placed.findIndex(({ object }) => object === found.object)];
          const { positions, indices, origin } = own;
          for (let k = 0; k < 3; k++) {
            const x = found.barycentrics.reduce(
              (sum, weight, c) =>
                sum + weight * (positions[3 * indices[3 * found.triangle + c] + k] + origin[k]),
              0,
            );
            expect(x).toBeCloseTo(found.point[k], 4);
          }
          const there = closestPoint(own, found.point)!;
          if (there.triangle === found.triangle)
            for (let k = 0; k < 3; k++) expect(found.normal[k]).toBeCloseTo(there.normal[k], 4);
        }
        for (const own of baked) own.dispose();
      }),
      { seed: 1742, numRuns: runs(200) },
    );
    expect(near).toBeGreaterThan(least(40));
  });

  test('have them of an unevenly stretched object as the nearest of its triangles in the world (seed 1744)', () => {
    const own = ball(0.7, 4);
    const { positions, indices, origin, triangleCount } = own;
    fc.assert(
      fc.property(uneven, unround, (pose, at) => {
        const scene = new Scene();
        const object = scene.add(own, { pose });
        const out = [0, 0, 0];
        const corner = (v: number) => {
          const [x, y, z] = [0, 1, 2].map((k) => positions[3 * v + k] + origin[k]);
          posePoint(object.pose, x, y, z, out, 0);
          return out.slice();
        };
        let nearest = Infinity;
        for (let t = 0; t < triangleCount; t++) {
          const corners = Float64Array.from([0, 1, 2].flatMap((c) => corner(indices[3 * t + c])));
          nearest = Math.min(nearest, distanceSqPointTriangle(Float64Array.from(at), 0, corners, 0));
        }
        expect(closestPoint(scene, at)?.distance).toBeCloseTo(Math.sqrt(nearest), 12);
      }),
      { seed: 1744, numRuns: runs(60) },
    );
    own.dispose();
  });

  test('are inside, and as deep, as the objects say (seed 1743)', () => {
    const count = { inside: 0 };
    fc.assert(
      fc.property(thingsOf(fc.oneof(even, uneven)), fc.array(point, { minLength: 5 }), (things, points) => {
        const all = sceneOf(things);
        const baked = bakedOf(all);
        const sides = pointsInMesh(all.scene, asNumbers(points));
        const depths = signedDistances(all.scene, asNumbers(points));
        points.forEach((at, i) => {
          const own = baked.map((one) => signedDistance(one, at));
          const expected = Math.min(Infinity, ...own);
          if (expected === Infinity) expect(depths[i]).toBe(Infinity);
          else expect(Math.abs(depths[i] - expected)).toBeLessThan(1e-5);
          expect(signedDistance(all.scene, at)).toBe(depths[i]);
          // what is baked in is rounded to float32: on the surface it may be on either side
          if (own.every((x) => Math.abs(x) > 1e-5)) expect(sides[i]).toBe(expected < 0 ? 1 : -1);
          expect(pointInMesh(all.scene, at as [number, number, number])).toBe(
            ['outside', 'on', 'inside'][sides[i] + 1],
          );
          if (sides[i] > 0) count.inside++;
        });
        for (const own of baked) own.dispose();
      }),
      { seed: 1743, numRuns: runs(100) },
    );
    expect(count.inside).toBeGreaterThan(least(10));
  });
});

/** A pose as sixteen column-major numbers. */
function matrixOf(pose: Pose): ArrayLike<number> {
  const [object] = sceneOf([[0, pose]]).scene.objects();
  const p = object.pose;
  return [p[0], p[3], p[6], 0, p[1], p[4], p[7], 0, p[2], p[5], p[8], 0, p[9], p[10], p[11], 1];
}

const radius = fc.constantFrom(0, 0.5, 1, 2.5);
const shape: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({ centre: triple, radius }),
  fc.record({ from: triple, to: triple, radius }),
  fc.tuple(triple, triple, fc.option(place, { nil: undefined })).map(([min, size, pose]) => ({
    min,
    max: min.map((x, k) => x + Math.abs(size[k]) / 2),
    ...(pose ? { pose } : {}),
  })),
  fc.record({ points: fc.array(triple, { minLength: 1, maxLength: 8 }).map((list) => list.flat()) }),
);
const halfSpace: fc.Arbitrary<Shape> = fc.record({
  normal: triple.filter((n) => n.some((x) => x !== 0)),
  offset: fc.integer({ min: -12, max: 12 }),
});

describe('shapes in a scene', () => {
  test('meet what they meet of the objects (seed 1744)', () => {
    let met = 0;
    fc.assert(
      fc.property(thingsOf(fc.oneof(even, uneven)), fc.oneof(shape, halfSpace), (things, body) => {
        const { scene, placed } = sceneOf(things);
        const expected = placed
          .map(({ object, pose }) => ({ object, triangles: trianglesInShape(object.mesh, body, { pose }) }))
          .filter(({ triangles }) => triangles.length > 0);
        expect(trianglesInShape(scene, body)).toEqual(expected);
        expect(objectsInShape(scene, body)).toEqual(expected.map(({ object }) => object));
        expect(meetsShape(scene, body)).toBe(expected.length > 0);
        met += expected.length;
      }),
      { seed: 1744, numRuns: runs(200) },
    );
    expect(met).toBeGreaterThan(least(200));
  });

  test('of spheres many at once (seed 1745)', () => {
    fc.assert(
      fc.property(thingsOf(fc.oneof(even, uneven)), fc.array(fc.tuple(triple, radius)), (things, balls) => {
        const { scene } = sceneOf(things);
        const spheres = { centres: balls.flatMap(([at]) => at), radii: balls.map(([, r]) => r) };
        const expected = balls.map(([centre, r]) => Number(meetsShape(scene, { centre, radius: r })));
        expect(Array.from(meetsSpheres(scene, spheres))).toEqual(expected);
      }),
      { seed: 1745, numRuns: runs(60) },
    );
  });

  test('are as far as from the nearest object (seed 1746)', () => {
    let apart = 0;
    fc.assert(
      fc.property(
        thingsOf(even),
        fc.oneof(shape, halfSpace),
        fc.constantFrom(Infinity, 1),
        (things, body, atMost) => {
          const all = sceneOf(things);
          const expected = leastOf(
            all,
            (own, pose) => shapeDistance(own, body, { pose, atMost }),
            (one) => [one.distance],
          );
          const found = shapeDistance(all.scene, body, { atMost });
          expect(found && { ...found, triangle: 0, object: found.object.id }).toEqual(
            // where it meets several triangles, one of them is named
            expected && { ...expected, triangle: 0, object: expected.object.id },
          );
          if (found && found.distance > 0) {
            expect(found.triangle).toBe(expected!.triangle);
            apart++;
          }
        },
      ),
      { seed: 1746, numRuns: runs(200) },
    );
    expect(apart).toBeGreaterThan(least(40));
  });

  test('that move touch first what they touch first of the objects (seed 1747)', () => {
    let touched = 0;
    fc.assert(
      fc.property(thingsOf(even), shape, triple, (things, body, by) => {
        const all = sceneOf(things);
        const expected = leastOf(
          all,
          (own, pose) => sweepShape(own, body, by, { pose }),
          (one) => [one.time, -one.depth],
        );
        expect(sweepShape(all.scene, body, by)).toEqual(expected);
        if (expected) touched++;
      }),
      { seed: 1747, numRuns: runs(200) },
    );
    expect(touched).toBeGreaterThan(least(40));
  });

  test('ask about no more objects than are near, and refuse what has no answer', () => {
    const scene = new Scene();
    for (let i = 0; i < 1000; i++) scene.add(meshes[0], { pose: { translation: [3 * i, 0, 0] } });
    closestPoint(scene, [0, 0, 0]);
    const asked = vi.spyOn(scene, 'objectAt');
    const calls = (ask: () => unknown) => {
      asked.mockClear();
      ask();
      return asked.mock.calls.length;
    };
    expect(calls(() => closestPoint(scene, [301, 0, 0]))).toBe(1);
    expect(calls(() => signedDistance(scene, [300.1, 0, 0]))).toBe(1);
    expect(calls(() => pointInMesh(scene, [301, 0, 0]))).toBe(0);
    expect(calls(() => meetsShape(scene, { centre: [301, 0, 0], radius: 0.7 }))).toBe(1);
    expect(calls(() => trianglesInShape(scene, { normal: [1, 0, 0], offset: 8 }))).toBe(3);
    expect(calls(() => shapeDistance(scene, { min: [301, 2, 0], max: [301.2, 3, 1] }))).toBe(1);
    expect(calls(() => sweepShape(scene, { centre: [301, 0, 0], radius: 0.2 }, [900, 0, 0]))).toBe(1);
    expect(calls(() => sweepShape(scene, { centre: [301, 0, 0], radius: 0.2 }, [0, 0, 9]))).toBe(0);

    const code = (name: string) => expect.objectContaining({ code: name });
    const pose = { pose: {} } as never;
    expect(() => closestPoint(scene, [0, 0, 0], pose)).toThrowError(code('bad-option'));
    expect(() => meetsShape(scene, { centre: [0, 0, 0], radius: 1 }, pose)).toThrowError(code('bad-option'));
    expect(() => sweepShape(scene, { normal: [0, 0, 1], offset: 0 }, [1, 0, 0])).toThrowError(
      code('bad-input'),
    );
    expect(() => objectsInShape(meshes[0] as never, { centre: [0, 0, 0], radius: 1 })).toThrowError(
      code('bad-input'),
    );
    scene.add(meshes[0], { pose: { scale: [1, 2, 1], translation: [0, 50, 0] } });
    const open = new Scene();
    open.add(mesh({ positions: [0, 0, 0, 2, 0, 0, 0, 2, 2], indices: [0, 1, 2] }));
    expect(() => pointInMesh(open, [0.5, 0.5, 0.5])).toThrowError(code('bad-input'));
    expect(pointInMesh(open, [9, 0, 0])).toBe('outside');
    expect(signedDistance(open, [0, 0, -1])).toBe(1);
    open.objects()[0].move({ scale: -1 });
    expect(signedDistance(open, [0, 0, -1])).toBeCloseTo(Math.SQRT1_2, 12);
    expect([closestPoint(new Scene(), [0, 0, 0]), signedDistance(new Scene(), [0, 0, 0])]).toEqual([
      undefined,
      Infinity,
    ]);
  });
});
