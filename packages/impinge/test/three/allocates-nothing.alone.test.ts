/** What answers cost that are written into objects of the caller: no object, as sampled by the engine itself. */
import { Session } from 'node:inspector/promises';
import * as three from 'three';
import { expect, test } from 'vitest';
import { closestPoint, Mesh, raycast } from '../../src/index.js';

const CALLS = 20_000;
/** Less than half of an answer: engines may box some numbers, 16 bytes each, and more of them on a busy machine. */
const NOISE = 128;

const mesh = Mesh.from(new three.TorusKnotGeometry(1, 0.3, 100, 16));
const place = new three.Vector3();
const ray = new three.Ray(new three.Vector3(0.7, 0.7, 5), new three.Vector3(0, 0, -1));
const pose = new three.Object3D();
const into = {
  ...{ distance: 0.5, triangle: 0, back: false },
  ...{ point: new three.Vector3(), normal: new three.Vector3(), barycentrics: new three.Vector3() },
};

async function bytesOf(ask: (i: number) => unknown): Promise<number> {
  for (let i = 0; i < 2 * CALLS; i++) ask(i);
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.enable');
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 64,
    includeObjectsCollectedByMinorGC: true,
    includeObjectsCollectedByMajorGC: true,
  });
  for (let i = 0; i < CALLS; i++) ask(i);
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  const sizeOf = (node: typeof profile.head): number =>
    node.children.reduce((sum, child) => sum + sizeOf(child), node.selfSize);
  return sizeOf(profile.head) / CALLS;
}

test.each([
  ['as it lies', { into }],
  ['where an object is', { into, pose }],
])('rays and closest points of a mesh, %s', async (_, options) => {
  const asked = {
    raycast: (i: number) => {
      ray.origin.x = 0.5 + (i % 100) / 300;
      return raycast(mesh, ray, options);
    },
    closestPoint: (i: number) => {
      place.set(i % 7, (i % 11) / 3, 1.5);
      return closestPoint(mesh, place, options);
    },
  };
  expect(asked.raycast(1)).toBe(into);
  for (const ask of Object.values(asked)) expect(await bytesOf(ask)).toBeLessThan(NOISE);
});

test('a new answer is seen by the same measure', async () => {
  const kept: unknown[] = [];
  const bytes = await bytesOf((i) => {
    place.set(i % 7, (i % 11) / 3, 1.5);
    kept[i % 10] = closestPoint(mesh, place);
  });
  expect(bytes).toBeGreaterThan(200);
});
