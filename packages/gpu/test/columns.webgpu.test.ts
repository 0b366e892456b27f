/** Pairs that the WebGPU device puts in order: the same, to the bit, as those that the host sorts. */
import { beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import type { CullingRequest } from '../src/backend.js';
import { VisibilityCuller } from '../src/culler.js';
import type { CulledPairs, CullingDevice } from '../src/types.js';
import { makeViews } from '../src/views.js';
import { BufferStore } from '../src/webgpu/device-buffer.js';
import { Head, MOST_PARTNERS } from '../src/webgpu/layout.js';
import { Lists } from '../src/webgpu/lists.js';
import { WebGpuBackend } from '../src/webgpu/webgpu-backend.js';
import { countBuffers, describeOnNodeGpu } from './devices.js';
import { asDevice } from './fake-backends.js';

const REQUEST: CullingRequest = {
  kind: 'pairs',
  distance: 0,
  method: 'split-tree',
  stages: [],
  resolution: 64,
  rounds: 1,
  views: makeViews(0, 1),
  now: () => 0,
};

/** Long upright triangles, one behind the other along x or y: each meets all of the other comb. */
function comb(teeth: number, along: 'x' | 'y', random: () => number): number[] {
  const positions: number[] = [];
  for (let i = 0; i < teeth; i++) {
    const at = (i + 0.8 * random()) / teeth;
    const corners: [number, number][] = [
      [-0.5, 0],
      [1.5, 0],
      [0.5, 1 + random()],
    ];
    for (const [p, z] of corners) positions.push(...(along === 'x' ? [at, p, z] : [p, at, z]));
  }
  return positions;
}

/** Two triangles that touch in one point, which no float32 arithmetic can tell; at height z. */
const touching = (z: number): [number[], number[]] => [
  [0.1, 0.1, z, 0.9, 0.1, z, 0.1, 0.9, z],
  [0.2, 0.2, z, 0.2, 0.3, z + 0.1, 0.3, 0.2, z + 0.1],
];

function expectSame(found: CulledPairs, expected: CulledPairs): void {
  expect(found.count).toBe(expected.count);
  expect([...found.objects]).toEqual([...expected.objects]);
  expect([...found.triangles]).toEqual([...expected.triangles]);
}

/** A culler with these objects, of which it is told by arrays; those without are removed again. */
function cullerOf(device: CullingDevice, shapes: readonly (readonly number[])[], removed: readonly number[]) {
  const culler = new VisibilityCuller(device, { partSize: 16, resolution: 64, onFallback: fail });
  const objects = shapes.map((positions) => culler.add({ positions: Float32Array.from(positions) }));
  for (const id of removed) objects[id].remove();
  return culler;
}

function fail(message: string): never {
  throw new Error(message);
}

await describeOnNodeGpu('pairs in columns', ({ shared }) => {
  let device: GPUDevice;
  beforeAll(async () => {
    device = await shared();
  });

  test('many pairs, ids with gaps, doubts before, between and after them, seed 1', async () => {
    const random = seededRandom(1);
    const [first, last] = [touching(-3), touching(5)];
    const shapes = [
      first[0],
      [9, 9, 9, 9, 9, 9, 9, 9, 9],
      first[1],
      comb(70, 'x', random),
      comb(70, 'y', random),
      ...touching(3),
      comb(20, 'x', random),
      last[0],
      comb(3, 'y', random),
      last[1],
    ];
    const culler = cullerOf(device, shapes, [1, 9]);
    const slow = cullerOf('cpu', shapes, [1, 9]);
    const expected = await slow.collide();
    expect(expected.count).toBeGreaterThan(70 * 70);
    // the first answer is too long for the first guess, the second is not; a set in between changes nothing
    for (let i = 0; i < 3; i++) {
      const found = await culler.collide();
      expect(found.stats.doubts).toBeGreaterThanOrEqual(3);
      expectSame(found, expected);
      const { objects } = found;
      expect([...objects.subarray(0, 2)]).toEqual([0, 2]);
      expect([...objects.subarray(objects.length - 2)]).toEqual([8, 10]);
      if (i === 1) await culler.potentiallyCollidingSet();
    }
    const { distance, objects } = (await culler.distance({ atMost: 1 }))!;
    expect([distance, ...objects]).toEqual([0, 0, 2]);
    expectSame(await culler.within({ distance: 0.01 }), await slow.within({ distance: 0.01 }));
    culler.dispose();
    slow.dispose();
  });

  test('a triangle with as many partners as the device sorts, and with more, seed 2', async () => {
    const random = seededRandom(2);
    const needles = (count: number) => {
      const positions: number[] = [];
      for (let i = 0; i < count; i++) {
        const [x, y] = [1 + 4 * random(), 1 + 4 * random()];
        positions.push(x, y, -1, x + 0.01, y, 1, x, y + 0.01, 1);
      }
      return positions;
    };
    const floor = [0, 0, 0, 20, 0, 0, 0, 20, 0];
    for (const count of [300, MOST_PARTNERS, MOST_PARTNERS + 1]) {
      const shapes = [floor, needles(count), comb(30, 'x', random), comb(10, 'y', random)];
      const backend = new WebGpuBackend(device);
      const sorted: boolean[] = [];
      const ask = backend.ask.bind(backend);
      backend.ask = async (input, request) => {
        const found = await ask(input, request);
        sorted.push(found.columns !== undefined);
        return found;
      };
      const culler = cullerOf(asDevice(backend), shapes.slice(0, 2), []);
      const slow = cullerOf('cpu', shapes.slice(0, 2), []);
      const found = await culler.collide();
      expect(found.count).toBe(count);
      expectSame(found, await slow.collide());
      for (const one of [culler, slow]) {
        for (const positions of shapes.slice(2)) one.add({ positions: Float32Array.from(positions) });
      }
      expectSame(await culler.collide(), await slow.collide());
      expect(sorted[0]).toBe(count <= MOST_PARTNERS);
      culler.dispose();
      slow.dispose();
      backend.dispose();
    }
  });

  test('requests of all kinds in turn make no buffers', async () => {
    const random = seededRandom(3);
    const counted = countBuffers(device);
    const shapes = [comb(60, 'x', random), comb(60, 'y', random), comb(10, 'x', random)];
    const culler = cullerOf(counted.device, shapes, []);
    const made: number[] = [];
    for (let i = 0; i < 3; i++) {
      await culler.potentiallyCollidingSet();
      await culler.collide();
      await culler.within({ distance: 0.001 });
      made.push(counted.counts.made);
    }
    expect(made[0]).toBeGreaterThan(10);
    expect(made.slice(1)).toEqual([made[0], made[0]]);
    culler.dispose();
  });

  test('a request takes note of the lists that it fills, and of no others', () => {
    const store = new BufferStore(device);
    const lists = new Lists(store, 2048, {});
    const head = new Uint32Array(64);
    head[Head.candidates] = 50_000;
    expect(lists.groups('candidates', 64)).toBe(2048);
    expect(lists.grow(head, REQUEST)).toBe(false);
    const groups = lists.groups('candidates', 64);
    expect(groups).toBeGreaterThan(50_000 / 64);
    expect(groups).toBeLessThan(2048);
    head[Head.candidates] = 0;
    head[Head.mostTasks] = 700;
    lists.grow(head, { ...REQUEST, kind: 'objects', stages: ['triangles'] });
    expect(lists.groups('candidates', 64)).toBe(groups);
    const tasks = lists.groups('tasks', 1);
    expect(tasks).toBeGreaterThan(700);
    head[Head.mostTasks] = 0;
    lists.grow(head, REQUEST);
    expect(lists.groups('tasks', 1)).toBe(tasks);
    store.dispose();
  });
});
