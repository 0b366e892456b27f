/** Culling by colours and generations of images, through the culler: the pairs are those of the CPU's engine. */
import { beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import { VisibilityCuller } from '../src/culler.js';
import type { CulledPairs, CullerOptions, CullingLevel } from '../src/types.js';
import { describeOnNodeGpu } from './devices.js';
import { type Random, scatter } from './shapes.js';

const LEVELS: readonly CullingLevel[][] = [['objects'], ['boxes', 'parts', 'triangles']];

const keysOf = ({ objects, triangles }: CulledPairs): string[] =>
  Array.from({ length: objects.length }, (_, i) => `${objects[i]}.${triangles[i]}`);

/** Scattered triangles about a place. */
function place(random: Random, spread: number, count: number): Float32Array {
  const at = [0, 1, 2].map(() => spread * (random() - 0.5));
  return Float32Array.from(scatter(random, count, 0.3).positions, (x, i) => x + at[i % 3]);
}

await describeOnNodeGpu('split-tree on WebGPU', ({ shared }) => {
  let device: GPUDevice;
  beforeAll(async () => {
    device = await shared();
  });

  const culler = (options: CullerOptions) =>
    new VisibilityCuller(device, { method: 'split-tree', resolution: 32, partSize: 16, ...options });

  /** Some are all partners of each other: more than there are colours; the others have a few. */
  test.each([
    [12, 0.4, 1],
    [16, 1.2, 2],
    [30, 1.8, 3],
  ])('%d objects within %d: pairs, and who may collide, seed %d', async (count, spread, seed) => {
    const random = seededRandom(seed);
    const shapes = Array.from({ length: count }, () => place(random, spread, 16));
    const reference = new VisibilityCuller('cpu', { levels: [] });
    for (const positions of shapes) reference.add({ positions });
    const expected = await reference.collide();
    expect(expected.count).toBeGreaterThan(3);
    const colliding = new Set(expected.objects);
    for (const levels of LEVELS) {
      const tested = culler({ levels });
      for (const positions of shapes) tested.add({ positions });
      expect(keysOf(await tested.collide())).toEqual(keysOf(expected));
      const { objects, stats } = await tested.potentiallyCollidingSet();
      expect([...colliding].filter((id) => !objects.includes(id))).toEqual([]);
      expect(stats.backend).toBe('webgpu');
      tested.dispose();
    }
    reference.dispose();
  });

  test('what images held before does not count, past the last generation too, seed 4', async () => {
    const random = seededRandom(4);
    // sixteen rounds a query: the images are wiped once
    const used = culler({ levels: ['triangles'], rounds: 16, resolution: 64 });
    // two that stay hold the frame
    const first: Float32Array[] = [-1.5, 1.5].map((x) => new Float32Array(9).fill(x));
    for (let o = 0; o < 9; o++) first.push(place(random, 1.2, 12));
    const shapes = [...first];
    const objects = first.map((positions) => used.add({ positions }));
    let dropped = 0;
    for (let frame = 0; frame < 21; frame++) {
      objects.forEach((object, o) => {
        if (o < 2) return;
        shapes[o] = shapes[o].map((x) => x + 0.05 * (random() - 0.5));
        object.deform(shapes[o]);
      });
      const { levels } = (await used.potentiallyCollidingSet()).stats;
      dropped += levels[0].of - levels[0].kept;
      if (frame % 7 !== 6) continue;
      const fresh = culler({ levels: ['triangles'], rounds: 16, resolution: 64 });
      // with the same origins: they are those of the first positions
      first.forEach((positions, o) => void fresh.add({ positions }).deform(shapes[o]));
      expect((await fresh.potentiallyCollidingSet()).stats.levels).toEqual(levels);
      fresh.dispose();
    }
    expect(dropped).toBeGreaterThan(21);
    used.dispose();
  });
});
