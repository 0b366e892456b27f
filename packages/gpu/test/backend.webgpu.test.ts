/** The WebGPU backend: what stages, images and lists do beside what the no-miss tests ask of all answers. */
import { beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import { turn } from '../../../test/budget.js';
import { type CullerOptions, type CullingStage, VisibilityCuller } from '../src/index.js';
import { planBatches } from '../src/webgpu/split-tree.js';
import { describeOnNodeGpu, overlaid } from './devices.js';
import { asDevice, EveryPair } from './fake-backends.js';
import { meetingRows, objectsIn, rowsOf } from './oracle.js';
import type { Random } from './shapes.js';

/** Triangles about points near each other: clusters. */
function cluster(random: Random, triangles: number, spread: number, size: number): Float32Array {
  const centre = [0, 1, 2].map(() => spread * (random() - 0.5));
  const positions = new Float32Array(9 * triangles);
  for (let t = 0; t < triangles; t++) {
    const middle = centre.map((c) => c + 1.5 * size * (random() - 0.5));
    for (let i = 0; i < 9; i++) positions[9 * t + i] = middle[i % 3] + size * (random() - 0.5);
  }
  return positions;
}

/** A point, to hold the frame. */
const corner = (x: number) => new Float32Array(9).fill(x);

await describeOnNodeGpu('the WebGPU backend', ({ shared }) => {
  let device: GPUDevice;
  beforeAll(async () => {
    device = await shared();
  });

  function cullerOf(shapes: readonly Float32Array[], options: CullerOptions, on = device): VisibilityCuller {
    const onFallback = (message: string) => expect.fail(message);
    const settings = { resolution: 64, partSize: 16, onFallback, ...options };
    const culler = new VisibilityCuller(on, settings);
    for (const positions of shapes) culler.add({ positions });
    return culler;
  }

  /** Asks for pairs and holds them to brute force. */
  async function examined(culler: VisibilityCuller) {
    const found = await culler.collide();
    const expected = meetingRows(culler.objects.map(({ mesh }) => ({ mesh, pose: {}, self: false })));
    expect(rowsOf(found)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(2);
    return { found, expected };
  }

  test('boxes alone leave little, of which nearly all is decided on the device, seed 1', async () => {
    const random = seededRandom(1);
    const culler = cullerOf(
      Array.from({ length: 5 }, () => cluster(random, 37, 0.1, 0.9)),
      {},
    );
    const { found } = await examined(culler);
    expect(found.stats.doubts).toBeLessThan(0.02 * found.stats.candidates);
    // within a distance, all that is near is left open, and not much more
    const { count, stats } = await culler.within({ distance: 0.02 });
    expect(count).toBeGreaterThan(found.count + 10);
    expect(stats.doubts).toBeLessThan(2 * count + 20);
    culler.dispose();
  });

  const STAGES: CullingStage[][] = [
    ...turn<CullingStage[]>([['boxes'], ['objects'], ['parts'], ['triangles']]),
    ['boxes', 'objects', 'parts', 'triangles'],
  ];
  test.each(
    (['split-tree', 'queries'] as const).flatMap((method) => STAGES.map((stages) => ({ method, stages }))),
  )('$method, stages $stages: what is apart is dropped, seed 8', async ({ method, stages }) => {
    // more objects than colours
    const random = seededRandom(8);
    const shapes = Array.from({ length: 11 }, () => cluster(random, 21, 1.25, 0.2));
    const culler = cullerOf(shapes, { method, stages });
    const { found, expected } = await examined(culler);
    expect(found.stats.stages.map(({ stage }) => stage)).toEqual(stages);
    for (const { kept, of } of found.stats.stages) expect(kept).toBeLessThanOrEqual(of);
    // what boxes tell is dropped before the stages; triangles show more
    const shown = found.stats.stages.filter(({ stage }) => stage === 'objects' || stage === 'triangles');
    if (shown.length > 0) expect(shown.some(({ kept, of }) => kept < of)).toBe(true);
    const { objects } = await culler.potentiallyCollidingSet();
    expect(objectsIn(expected).filter((o) => !objects.includes(o))).toEqual([]);
    expect(objects.length).toBeLessThan(11);
    culler.dispose();
  });

  test('images that hold one view at a time, seed 3', async () => {
    const random = seededRandom(3);
    // small ones, near each other in a large frame: software is slow
    const clusters = Array.from({ length: 2 }, () => cluster(random, 15, 0.005, 0.03));
    const resolution = 2600;
    expect(planBatches(4, 3, resolution, device.limits.maxStorageBufferBindingSize).length).toBe(12);
    const options = { stages: ['triangles'], resolution, rounds: 1 } as const;
    const culler = cullerOf([...clusters, corner(-1), corner(1)], options);
    const [{ kept, of }] = (await examined(culler)).found.stats.stages;
    expect(of).toBeLessThan(32);
    expect(kept).toBeLessThan(of);
    culler.dispose();
  });

  test('what images held before does not count, past the last generation too, seed 4', async () => {
    const random = seededRandom(4);
    // sixteen rounds a query: the images are wiped once
    const options = { stages: ['triangles'], rounds: 16 } as const;
    const first: Float32Array[] = [corner(-1.5), corner(1.5)];
    for (let o = 0; o < 9; o++) first.push(cluster(random, 12, 1.2, 0.4));
    const shapes = [...first];
    const used = cullerOf(first, options);
    let dropped = 0;
    for (let frame = 0; frame < 21; frame++) {
      used.objects.slice(2).forEach((object, i) => {
        shapes[i + 2] = shapes[i + 2].map((x) => x + 0.05 * (random() - 0.5));
        object.deform(shapes[i + 2]);
      });
      const { stages } = (await used.potentiallyCollidingSet()).stats;
      dropped += stages[0].of - stages[0].kept;
      if (frame % 7 !== 6) continue;
      // with the same origins: they are those of the first positions
      const fresh = cullerOf(first, options);
      fresh.objects.forEach((object, o) => {
        object.deform(shapes[o]);
      });
      expect((await fresh.potentiallyCollidingSet()).stats.stages).toEqual(stages);
      fresh.dispose();
    }
    expect(dropped).toBeGreaterThan(21);
    used.dispose();
  });

  test('more queries than a set holds, seed 9', async () => {
    // 300 objects of a triangle each take 4 800 slots; of every four the last two touch in a corner
    const random = seededRandom(9);
    const shapes = Array.from({ length: 300 }, () => cluster(random, 1, 1.8, 0.2));
    for (let o = 3; o < 300; o += 4) shapes[o].set(shapes[o - 1].subarray(6, 9));
    const culler = cullerOf(shapes, { method: 'queries', stages: ['triangles'], rounds: 1 });
    const { found, expected } = await examined(culler);
    expect(expected.some(([a, , b]) => a >= 256 && b === a + 1)).toBe(true);
    expect(found.stats.stages[0].kept).toBeLessThan(found.stats.stages[0].of);
    culler.dispose();
  });

  test('a second backend of a device compiles nothing', async () => {
    let compiled = 0;
    const counted = overlaid(device, {
      createComputePipeline(descriptor: GPUComputePipelineDescriptor) {
        compiled++;
        return device.createComputePipeline(descriptor);
      },
      createRenderPipeline(descriptor: GPURenderPipelineDescriptor) {
        compiled++;
        return device.createRenderPipeline(descriptor);
      },
    });
    const random = seededRandom(9);
    const shapes = [cluster(random, 15, 0.1, 0.9), cluster(random, 15, 0.1, 0.9)];
    const compiledBy: number[] = [];
    for (let i = 0; i < 2; i++) {
      for (const method of ['split-tree', 'queries'] as const) {
        const culler = cullerOf(shapes, { method, stages: ['boxes'] }, counted);
        await examined(culler);
        culler.dispose();
      }
      compiledBy.push(compiled);
    }
    expect(compiledBy[0]).toBeGreaterThan(10);
    expect(compiledBy[1]).toBe(compiledBy[0]);
  });

  test.each([
    ['split-tree', /8192 × 8192 pixels.*maxStorageBufferBindingSize/],
    ['queries', /images of 4096 pixels/],
  ] as const)('images too large for %s are refused', async (method, message) => {
    const { limits } = device;
    const small = overlaid(device, {
      limits: {
        maxTextureDimension2D: 4096,
        maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
        maxBufferSize: limits.maxBufferSize,
        maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
        maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
      },
    });
    const said: string[] = [];
    const culler = new VisibilityCuller([small, asDevice(new EveryPair())], {
      ...{ method, stages: ['boxes'], resolution: 8192 },
      onFallback: (why) => said.push(why),
    });
    for (let i = 0; i < 2; i++) culler.add({ positions: cluster(seededRandom(i), 3, 0.1, 0.3) });
    await culler.collide();
    expect(said).toEqual([expect.stringMatching(message)]);
    culler.dispose();
  });
});
