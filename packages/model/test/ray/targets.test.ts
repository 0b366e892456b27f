/** Rays against scenes of posed objects and stored models: what each of their objects alone would say, put together. */
import { arena } from 'impinge/internal/base/arena.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { raycast } from 'impinge/internal/query/ray/raycast.js';
import { Scene } from 'impinge/internal/scene/scene.js';
import { describe, expect, test } from 'vitest';
import { randomDirection, randomRotation, seededRandom } from '../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../test/budget.js';
import { ball, cube, mesh, sphere, torus } from '../../../impinge/test/query/solid/solids.js';
import { StoredEngine } from '../../src/session/stored-engine.js';
import { openStore } from '../../src/store/open.js';
import { moved, named, storeOf } from '../store/fixtures.js';

type Triple = [number, number, number];

const random = seededRandom(1721);
const ray = (reach: number) => {
  const origin = randomDirection(random).map((x) => reach * x) as Triple;
  const to = randomDirection(random).map((x) => 0.4 * reach * x);
  return { origin, direction: to.map((x, k) => x - origin[k]) as Triple };
};

describe('a scene', () => {
  const meshes = [cube(1), ball(0.7, 4), mesh(torus(1, 0.3, 12, 8))];
  const scene = new Scene();
  for (let i = 0; i < 40; i++) {
    const translation = [0, 0, 0].map(() => 10 * random() - 5);
    scene.add(meshes[i % 3], { pose: { rotation: Array.from(randomRotation(random)), translation } });
  }
  scene.objects()[7].remove();
  const posed = (pose: Float64Array) => ({ rotation: pose.subarray(0, 9), translation: pose.subarray(9) });

  test('is met where its objects are (seed 1721)', () => {
    let met = 0;
    for (let i = 0; i < runs(60); i++) {
      const line = ray(12);
      const expected = scene
        .objects()
        .flatMap((object) =>
          raycast(object.mesh, line, { mode: 'all', pose: posed(object.pose) }).map((hit) => ({
            ...hit,
            object,
          })),
        )
        .sort((p, q) => p.distance - q.distance);
      met += expected.length > 0 ? 1 : 0;
      const brief = (hits: readonly { object: { id: number }; triangle: number; distance: number }[]) =>
        hits.map(({ object, triangle, distance }) => [object.id, triangle, distance]);
      expect(brief(raycast(scene, line, { mode: 'all' }))).toEqual(brief(expected));
      const first = raycast(scene, line);
      expect(first?.distance).toBe(expected[0]?.distance);
      expect(first?.object.id).toBe(expected[0]?.object.id);
      expect(raycast(scene, line, { mode: 'any' }) === undefined).toBe(expected.length === 0);
      const near = raycast(scene, line, { atMost: (expected[0]?.distance ?? 1) / 2 });
      expect(near).toBe(undefined);
    }
    expect(met).toBeGreaterThan(least(0));
  });

  test('follows meshes that have changed; takes no pose', () => {
    const own = ball(1, 3);
    const alone = new Scene();
    alone.add(own);
    own.setPositions(Array.from(own.positions, (x) => 5 * x));
    expect(raycast(alone, { origin: [4.5, 0, 0], direction: [1, 0, 0] })?.distance).toBeLessThan(0.6);
    const pose = { translation: [1, 0, 0] };
    expect(() => raycast(alone, { origin: [9, 0, 0], direction: [-1, 0, 0] }, { pose })).toThrow(
      'pose is for',
    );
  });
});

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

describe('a stored model', () => {
  test.each([64, 8192])('in pieces of %i triangles is met where its objects are', async (pieceTriangles) => {
    const { positions, indices } = sphere(1, 12);
    const geometry = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
    const places = [moved(0, 0, 0), moved(3, 0.5, 0), moved(-1, 4, 1)];
    const objects = places.map((pose, i) => named(`ball ${i}`, pose));
    const model = await openStore(await storeOf([{ geometry, objects }], { pieceTriangles }));
    const whole = Mesh.from(geometry);
    {
      await using engine = new StoredEngine(model);
      let met = 0;
      for (let i = 0; i < runs(25); i++) {
        const line = ray(7);
        const expected = places
          .flatMap((place, object) =>
            raycast(whole, line, { mode: 'all', pose: { translation: place.subarray(9) } }).map((hit) => ({
              ...hit,
              object,
            })),
          )
          .sort((p, q) => p.distance - q.distance);
        met += expected.length > 0 ? 1 : 0;
        const all = await raycast(engine, line, { mode: 'all' });
        expect(all.map(({ object }) => object)).toEqual(expected.map(({ object }) => object));
        all.forEach(({ distance }, k) => {
          expect(Math.abs(distance - expected[k].distance)).toBeLessThan(1e-6);
        });
        const first = await raycast(engine, line);
        expect(first?.object).toBe(expected[0]?.object);
        expect(first?.distance).toBe(all[0]?.distance);
        expect(((await raycast(engine, line, { mode: 'any' })) === undefined) === (all.length === 0)).toBe(
          true,
        );
      }
      expect(met).toBeGreaterThan(least(0));
      const down = { origin: [0, 0, 9], direction: [0, 0, -1] };
      await raycast(engine, down); // reads its pieces
      const held = arena().usedBytes;
      await raycast(engine, down);
      expect(arena().usedBytes).toBeLessThanOrEqual(held);
    }
  });
});
