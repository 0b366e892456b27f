/** Rays through a scene against the same rays and every object of it, one after the other. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { randomDirection, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../../test/budget.js';
import type { Pose } from '../../../src/math/pose.js';
import { Asked } from '../../../src/query/ray/asked.js';
import { castMesh, type RayHit } from '../../../src/query/ray/cast-mesh.js';
import { castStretched } from '../../../src/query/ray/cast-stretched.js';
import { Mode } from '../../../src/query/ray/layout.generated.js';
import { type Ray, readRayOptions, WORLD, writeOne } from '../../../src/query/ray/ray-input.js';
import { raycast, raycastMany } from '../../../src/query/ray/raycast.js';
import { Scene, type SlotObject } from '../../../src/scene/scene.js';
import { ball, cube, mesh, torus } from '../solid/solids.js';

const meshes = [cube(1), ball(0.7, 4), mesh(torus(1, 0.3, 12, 8))];
// on a grid, so that boxes touch, rays run along faces and distances are equal
const grid = fc.integer({ min: -4, max: 4 });
const triple = fc.tuple(grid, grid, grid);
const pose: fc.Arbitrary<Pose> = fc.oneof(
  triple.map((translation) => ({ translation })),
  fc.tuple(triple, fc.constantFrom(1, 2, 0.5, -1)).map(([translation, scale]) => ({ translation, scale })),
  fc
    .tuple(triple, fc.double({ min: -1, max: 1, noNaN: true }))
    // biome-ignore format: a column-major matrix
    .map(([[x, y, z], s]) => [1, 0, 0, 0, s, 1, 0, 0, 0.25, -s, 1.5, 0, x, y, z, 1]),
  fc
    .tuple(triple, fc.double({ min: 0, max: 3, noNaN: true }))
    .map(([translation, a]) => ({ translation, rotation: [Math.sin(a), 0, 0, Math.cos(a)] })),
);
const objects = fc.array(fc.tuple(fc.nat(2), pose), { maxLength: 40 });
const rays = fc.array(
  fc.tuple(triple, triple, fc.boolean()).filter(([p, q]) => p.some((x, k) => x !== q[k])),
  { minLength: 1, maxLength: 6 },
);
const options = fc.record({
  faces: fc.constantFrom('both', 'front', 'back'),
  atLeast: fc.constantFrom(0, 0.5),
  atMost: fc.constantFrom(Infinity, 3, 7),
});

function everyObject(scene: Scene, ray: Ray, asked: object) {
  const ask = { ...readRayOptions('raycast', asked, new Asked()), mode: Mode.all };
  const numbers = new Float64Array(8);
  writeOne(ray, ask, WORLD.local, WORLD.origin, numbers, 0);
  const hits: (RayHit<Scene> & { object: SlotObject })[] = [];
  for (const object of scene.objects() as SlotObject[]) {
    const found = object.stretch.rigid
      ? castMesh(object.mesh, ray, ask, object.pose)
      : castStretched(
          object.mesh,
          numbers,
          { ...ask, atMost: Math.min(ask.atMost, numbers[7]) },
          object.pose,
        );
    hits.push(...found.map((hit) => ({ ...hit, object })));
  }
  return hits.sort(
    (p, q) => p.distance - q.distance || p.object.slot - q.object.slot || p.triangle - q.triangle,
  );
}

test('rays through a scene meet what they meet of each object, singly and together (seed 1731)', () => {
  fc.assert(
    fc.property(
      objects,
      rays,
      options,
      fc.array(fc.tuple(fc.nat(39), pose)),
      (things, lines, asked, moves) => {
        const scene = new Scene();
        for (const [shape, at] of things) scene.add(meshes[shape], { pose: at });
        for (let round = 0; round < 2; round++) {
          for (const segments of [false, true]) {
            const some = lines.filter(([, , isSegment]) => isSegment === segments);
            const from = some.flatMap(([p]) => p);
            const to = some.flatMap(([p, q]) => (segments ? q : q.map((x, k) => x - p[k])));
            const many = segments ? { from, to } : { origins: from, directions: to };
            const one = (i: number): Ray =>
              segments
                ? { from: from.slice(3 * i, 3 * i + 3), to: to.slice(3 * i, 3 * i + 3) }
                : { origin: from.slice(3 * i, 3 * i + 3), direction: to.slice(3 * i, 3 * i + 3) };
            const first = raycastMany(scene, many, asked);
            const any = raycastMany(scene, many, { ...asked, mode: 'any' });
            const all = raycastMany(scene, many, { ...asked, mode: 'all' });
            for (let i = 0; i < some.length; i++) {
              const expected = everyObject(scene, one(i), asked);
              expect(raycast(scene, one(i), { ...asked, mode: 'all' })).toEqual(expected);
              expect(raycast(scene, one(i), asked)).toEqual(expected[0]);
              const met = raycast(scene, one(i), { ...asked, mode: 'any' });
              if (expected.length === 0) expect(met).toBe(undefined);
              else expect(expected).toContainEqual(met);
              expect([first.objects[i], first.triangles[i], first.distances[i]]).toEqual(
                expected.length > 0
                  ? [expected[0].object, expected[0].triangle, expected[0].distance]
                  : [undefined, -1, Infinity],
              );
              expect(Array.from(first.weights.subarray(2 * i, 2 * i + 2))).toEqual(
                expected[0]?.barycentrics.slice(1) ?? [0, 0],
              );
              expect(any.triangles[i] >= 0).toBe(expected.length > 0);
              const own = [all.starts[i], all.starts[i + 1]] as const;
              expect(all.objects.slice(...own)).toEqual(expected.map(({ object }) => object));
              expect(Array.from(all.triangles.slice(...own))).toEqual(
                expected.map(({ triangle }) => triangle),
              );
              expect(Array.from(all.distances.slice(...own))).toEqual(
                expected.map(({ distance }) => distance),
              );
            }
            expect(all.count).toBe(all.triangles.length);
            expect(first.count).toBe(first.objects.filter((object) => object !== undefined).length);
          }
          for (const [at, next] of moves) scene.objects()[at]?.move(next);
        }
      },
    ),
    { seed: 1731, numRuns: runs(150) },
  );
});

test('a ray asks about no more objects than lie along it, and a batch is empty where there are no rays', () => {
  const scene = new Scene();
  for (let i = 0; i < 4096; i++)
    scene.add(meshes[0], { pose: { translation: [2 * (i % 16), 2 * (i >> 8), 2 * ((i >> 4) % 16)] } });
  const ray = { origin: [0.3, 0.1, -9], direction: [0, 0, 1] };
  expect(raycast(scene, ray)?.object).toBe(scene.objects()[0]);
  const asked = vi.spyOn(scene, 'objectAt');
  expect(raycast(scene, ray, { mode: 'all' }).length).toBe(32);
  expect(asked.mock.calls.length).toBe(16);
  asked.mockClear();
  expect(raycast(scene, ray)?.distance).toBe(8.5);
  expect(asked.mock.calls.length).toBe(1);
  const none = raycastMany(scene, { origins: [], directions: [] }, { mode: 'all' });
  expect([none.count, none.starts.length, none.objects.length]).toEqual([0, 1, 0]);
});

const random = seededRandom(1721);
const ray = (reach: number) => {
  const origin = randomDirection(random).map((x) => reach * x);
  const to = randomDirection(random).map((x) => 0.4 * reach * x);
  return { origin, direction: to.map((x, k) => x - origin[k]) };
};

test('objects that are scaled, stretched, sheared or mirrored are met as if that were baked in', () => {
  const shapes = [ball(1, 5), mesh(torus(1, 0.4, 16, 10))];
  // biome-ignore format: column-major matrices
  const poses = [
    [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 0, 1],
    [2, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1],
    [1, 0, 0, 0, 0.5, 1, 0, 0, 0.25, -0.5, 1.5, 0, 0, 0, 1, 1],
    [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0, 0, 1],
  ];
  let met = 0;
  for (const [i, pose] of poses.entries()) {
    const scene = new Scene();
    const shape = shapes[i % 2];
    scene.add(shape, { pose });
    const baked = shape.transformed(pose);
    for (let k = 0; k < runs(60); k++) {
      const line = ray(6);
      for (const faces of ['both', 'front', 'back'] as const) {
        const expected = raycast(baked, line, { mode: 'all', faces });
        const all = raycast(scene, line, { mode: 'all', faces });
        expect(all.map(({ triangle, back }) => [triangle, back])).toEqual(
          expected.map(({ triangle, back }) => [triangle, back]),
        );
        all.forEach(({ distance, point, normal }, h) => {
          expect(Math.abs(distance - expected[h].distance)).toBeLessThan(1e-4);
          for (let c = 0; c < 3; c++) {
            expect(Math.abs(point[c] - expected[h].point[c])).toBeLessThan(1e-4);
            expect(Math.abs(normal[c] - expected[h].normal[c])).toBeLessThan(1e-4);
          }
        });
        const first = raycast(scene, line, { faces });
        expect(first?.distance).toBe(all[0]?.distance);
        met += all.length;
      }
    }
  }
  expect(met).toBeGreaterThan(least(0));
});
