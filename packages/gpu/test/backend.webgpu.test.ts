/** The WebGPU backend by itself: what it calls certain is right, what it drops does not meet. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import type { BackendResult, CullingRequest, World } from '../src/backend.js';
import type { CullingLevel } from '../src/types.js';
import { makeViews } from '../src/views.js';
import { planBatches } from '../src/webgpu/split-tree.js';
import { WebGpuBackend } from '../src/webgpu/webgpu-backend.js';
import { WorldTables } from '../src/world.js';
import { countBuffers, describeOnNodeGpu, overlaid } from './devices.js';
import type { Random } from './shapes.js';

const REQUEST: CullingRequest = {
  kind: 'pairs',
  distance: 0,
  method: 'split-tree',
  levels: [],
  resolution: 64,
  rounds: 2,
  views: makeViews(0, 1),
  now: () => performance.now(),
};

/** Objects as meshes in place, and the world they make. */
class Scene {
  readonly meshes: Mesh[];
  readonly tables: WorldTables;
  readonly selves: readonly boolean[];

  constructor(meshes: Mesh[], selves: readonly boolean[] = [], partSize = 16) {
    this.meshes = meshes;
    this.selves = selves;
    this.tables = new WorldTables(partSize);
    this.layOut();
  }

  layOut(): void {
    const pose = IDENTITY as RigidPose;
    this.tables.layOut(this.meshes.map((mesh, id) => ({ id, mesh, pose, self: this.selves[id] ?? false })));
  }

  world(distance = 0): { world: World; distance: number } {
    const poses = new Float64Array(12 * this.meshes.length);
    for (let o = 0; o < this.meshes.length; o++) poses.set(IDENTITY, 12 * o);
    const deviations = new Float64Array(this.meshes.length);
    const { world, frame } = this.tables.take({ poses, deviations }, distance, true);
    return { world, distance: frame.distance };
  }

  /** Keys of the pairs for which `decide` says so, by brute force. */
  pairs(world: World, decide: (p: Float64Array, q: Float64Array) => boolean): Set<string> {
    const keys = new Set<string>();
    const corners = this.meshes.map(cornersOf);
    for (let a = 0; a < this.meshes.length; a++) {
      for (let b = a; b < this.meshes.length; b++) {
        if (a === b && !this.selves[a]) continue;
        corners[a].forEach((p, i) => {
          corners[b].forEach((q, j) => {
            if (a === b && (j <= i || shareCorner(p, q))) return;
            if (decide(p, q)) keys.add(keyOf(slotOf(world, a, i), slotOf(world, b, j)));
          });
        });
      }
    }
    return keys;
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh.dispose();
  }
}

const slotOf = (world: World, object: number, triangle: number) =>
  world.partSize * world.partBase[object] + triangle;
const keyOf = (a: number, b: number) => `${a},${b}`;
const meet = (p: Float64Array, q: Float64Array) => intersectsTriangleTriangle(p, 0, q, 0);

function cornersOf({ positions, indices, origin }: Mesh): Float64Array[] {
  return Array.from({ length: indices.length / 3 }, (_, t) =>
    Float64Array.from(
      { length: 9 },
      (_, i) => positions[3 * indices[3 * t + Math.floor(i / 3)] + (i % 3)] + origin[i % 3],
    ),
  );
}

function shareCorner(p: Float64Array, q: Float64Array): boolean {
  return [0, 3, 6].some((i) =>
    [0, 3, 6].some((j) => p[i] === q[j] && p[i + 1] === q[j + 1] && p[i + 2] === q[j + 2]),
  );
}

function keysOf(pairs: Uint32Array): Set<string> {
  const keys = new Set<string>();
  for (let i = 0; i < pairs.length; i += 2) {
    expect(pairs[i]).toBeLessThan(pairs[i + 1]);
    keys.add(keyOf(pairs[i], pairs[i + 1]));
  }
  expect(2 * keys.size).toBe(pairs.length);
  return keys;
}

/** Pairs that meet for certain, as slots. */
function meetingSlots({ meeting, columns }: BackendResult, world: World): Uint32Array {
  if (!columns) return meeting;
  expect(meeting.length).toBe(0);
  expect([columns.objects.length, columns.triangles.length]).toEqual([2 * columns.count, 2 * columns.count]);
  const places = new Map(world.objects.map(({ id }, place) => [id, place]));
  const slots = columns.objects.map((id, i) => slotOf(world, places.get(id)!, columns.triangles[i]));
  for (let i = 2; i < slots.length; i += 2) {
    const [a, b, c, d] = slots.subarray(i - 2, i + 2);
    expect(a < c || (a === c && b < d)).toBe(true);
  }
  return slots;
}

/** Nothing true is missing, nothing certain is false. */
function examine(found: BackendResult, world: World, expected: Set<string>): void {
  const meeting = keysOf(meetingSlots(found, world));
  const doubtful = keysOf(found.doubtful);
  expect([...expected].filter((key) => !meeting.has(key) && !doubtful.has(key))).toEqual([]);
  expect([...meeting].filter((key) => !expected.has(key) || doubtful.has(key))).toEqual([]);
}

/** Triangles about points near each other: clusters. */
function cluster(random: Random, triangles: number, spread: number, size: number): Mesh {
  const centre = [0, 1, 2].map(() => spread * (random() - 0.5));
  const positions = new Float32Array(9 * triangles);
  for (let t = 0; t < triangles; t++) {
    const middle = centre.map((c) => c + 1.5 * size * (random() - 0.5));
    for (let i = 0; i < 9; i++) positions[9 * t + i] = middle[i % 3] + size * (random() - 0.5);
  }
  return Mesh.from({ positions });
}

await describeOnNodeGpu('the WebGPU backend', ({ shared, own }) => {
  let device: GPUDevice;
  let backend: WebGpuBackend;
  beforeAll(async () => {
    device = await shared();
    backend = new WebGpuBackend(device);
  });
  afterAll(() => {
    backend?.dispose();
  });

  test('pairs by boxes alone, seed 1', async () => {
    const random = seededRandom(1);
    const scene = new Scene(Array.from({ length: 5 }, () => cluster(random, 37, 0.1, 0.9)));
    const { world } = scene.world();
    const expected = scene.pairs(world, meet);
    const found = await backend.ask(world, REQUEST);
    examine(found, world, expected);
    expect(expected.size).toBeGreaterThan(100);
    expect(found.columns!.count).toBeGreaterThan(0.95 * expected.size); // nearly all for certain
    expect(found.doubtful.length).toBeLessThan(0.02 * found.candidates);
    expect([...found.objects]).toEqual([0, 1, 2, 3, 4]);
    scene.dispose();
  });

  test.each<[CullingLevel[], number, number]>([
    [['boxes'], 64, 0],
    [['objects'], 64, 0],
    [['parts'], 50, 0],
    [['triangles'], 64, 0],
    [['boxes', 'objects', 'parts', 'triangles'], 33, 2],
  ])(
    'split-tree, levels %j at %d pixels and %d random directions, seed 8',
    async (levels, resolution, directions) => {
      const random = seededRandom(8);
      const scene = new Scene(Array.from({ length: 11 }, () => cluster(random, 21, 1.25, 0.2)));
      const { world } = scene.world();
      const expected = scene.pairs(world, meet);
      expect(expected.size).toBeGreaterThan(3);
      const views = makeViews(directions, 1);
      const found = await backend.ask(world, { ...REQUEST, levels, resolution, views });
      examine(found, world, expected);
      expect(found.levels.map(({ level }) => level)).toEqual(levels);
      for (const { kept, of } of found.levels) expect(kept).toBeLessThanOrEqual(of);
      // what boxes tell is dropped before the levels; triangles show more
      const shapes = found.levels.filter(({ level }) => level === 'objects' || level === 'triangles');
      if (shapes.length > 0) expect(shapes.some(({ kept, of }) => kept < of)).toBe(true);
      const colliding = new Set<number>();
      for (const key of expected) {
        for (const slot of key.split(',')) {
          colliding.add(world.partBase.filter((base) => base * world.partSize <= Number(slot)).length - 1);
        }
      }
      const { objects } = await backend.ask(world, {
        ...REQUEST,
        kind: 'objects',
        levels,
        resolution,
        views,
      });
      expect([...colliding].filter((o) => !objects.includes(o))).toEqual([]);
      expect(objects.length).toBeLessThan(11);
      scene.dispose();
    },
  );

  test('images that hold one view at a time, seed 3', async () => {
    const random = seededRandom(3);
    // small ones, near each other in a large frame: software is slow
    const corner = (x: number) => Mesh.from({ positions: [x, x, x, x, x, x, x, x, x] });
    const clusters = Array.from({ length: 2 }, () => cluster(random, 15, 0.005, 0.03));
    const scene = new Scene([...clusters, corner(-1), corner(1)]);
    const { world } = scene.world();
    const expected = scene.pairs(world, meet);
    expect(expected.size).toBeGreaterThan(3);
    const resolution = 2600;
    const batches = planBatches(4, 3, resolution, device.limits.maxStorageBufferBindingSize);
    expect(batches.length).toBe(12);
    const found = await backend.ask(world, { ...REQUEST, levels: ['triangles'], resolution, rounds: 1 });
    examine(found, world, expected);
    expect(found.levels[0].of).toBeLessThan(32);
    expect(found.levels[0].kept).toBeLessThan(found.levels[0].of);
    scene.dispose();
  });

  test('pairs within a distance, seed 12', async () => {
    const random = seededRandom(12);
    const scene = new Scene(Array.from({ length: 4 }, () => cluster(random, 20, 1, 0.25)));
    const asked = 0.05;
    const { world, distance } = scene.world(asked);
    const near = scene.pairs(world, (p, q) => distanceSqTriangleTriangle(p, 0, q, 0) <= asked ** 2);
    expect(near.size).toBeGreaterThan(scene.pairs(world, meet).size + 10);
    for (const levels of [[], ['triangles']] as CullingLevel[][]) {
      const found = await backend.ask(world, { ...REQUEST, levels, distance });
      expect(found.meeting.length).toBe(0);
      expect(found.columns).toBe(undefined);
      const doubtful = keysOf(found.doubtful);
      expect([...near].filter((key) => !doubtful.has(key))).toEqual([]);
      expect(doubtful.size).toBeLessThan(2 * near.size + 20);
    }
    scene.dispose();
  });

  test('an object against itself, dropped or not, seed 5', async () => {
    const random = seededRandom(5);
    const meshes = Array.from({ length: 3 }, () => cluster(random, 40, 3, 0.3));
    // the first as a strip: neighbours share numbers; the others are soups, one with corners in the same places
    const strip = Array.from({ length: 40 * 3 }, (_, i) => Math.floor(i / 3) + (i % 3));
    meshes[0] = Mesh.from({ positions: meshes[0].positions.slice(), indices: strip });
    const soup = strip.flatMap((v) => [...meshes[0].positions.subarray(3 * v, 3 * v + 3)]);
    meshes[1] = Mesh.from({ positions: Float32Array.from(soup, (x) => x + 8) });
    const scene = new Scene(meshes, [true, true, false]);
    const { world } = scene.world();
    const expected = scene.pairs(world, meet);
    expect(expected.size).toBeGreaterThan(30);
    for (const levels of [[], ['boxes', 'triangles']] as CullingLevel[][]) {
      const found = await backend.ask(world, { ...REQUEST, levels });
      examine(found, world, expected);
      expect([...found.objects]).toEqual([0, 1]);
    }
    // within a distance only neighbours by number are left out
    const { world: near, distance } = scene.world(1e-3);
    const { doubtful } = await backend.ask(near, { ...REQUEST, distance });
    const inFirst = keysOf(doubtful.filter((_, i) => doubtful[i - (i % 2) + 1] < slotOf(near, 1, 0)));
    expect(inFirst.size).toBeGreaterThan(0);
    for (const key of inFirst) {
      const [s, t] = key.split(',').map(Number);
      expect(t - s).toBeGreaterThan(2);
    }
    const beside = keyOf(slotOf(near, 1, 0), slotOf(near, 1, 1));
    expect(keysOf(doubtful).has(beside)).toBe(true);
    scene.dispose();
  });

  test('objects come, go, deform and share a mesh; lists grow; nothing leaks, seed 6', async () => {
    const random = seededRandom(6);
    const counted = countBuffers(device);
    const small = new WebGpuBackend(counted.device, {
      objectPairs: 2,
      partItems: 3,
      partPairs: 4,
      candidates: 5,
      meeting: 1,
      doubtful: 1,
      tasks: 1,
    });
    const scene = new Scene([cluster(random, 30, 0.5, 0.6), cluster(random, 20, 0.5, 0.6)]);
    let most = 0;
    for (let frame = 0; frame < 8; frame++) {
      if (frame % 3 === 1) scene.meshes.push(cluster(random, 10 + 5 * frame, 0.5, 0.6));
      if (frame === 3) scene.meshes.splice(0, 1);
      if (frame === 4) scene.meshes.push(scene.meshes[0]);
      if (frame === 6) scene.meshes.splice(1, 2);
      const deformed = scene.meshes[frame % scene.meshes.length];
      deformed.setPositions(Float32Array.from(deformed.positions, (x) => x + 0.1 * (random() - 0.5)));
      scene.layOut();
      const { world } = scene.world();
      const levels: CullingLevel[] = frame % 2 === 0 ? [] : ['triangles'];
      const found = await small.ask(world, { ...REQUEST, levels, resolution: 100 });
      examine(found, world, scene.pairs(world, meet));
      most = Math.max(most, found.columns!.count);
    }
    expect(most).toBeGreaterThan(50);
    small.dispose();
    expect(counted.counts.held).toEqual({ buffers: 0, bytes: 0 });
    scene.dispose();
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
    const scene = new Scene([cluster(random, 3, 0.2, 0.3), cluster(random, 3, 0.2, 0.3)]);
    const { world } = scene.world();
    const compiledBy: number[] = [];
    for (let i = 0; i < 2; i++) {
      const one = new WebGpuBackend(counted);
      for (const method of ['split-tree', 'queries'] as const) {
        const found = await one.ask(world, { ...REQUEST, method, levels: ['boxes'] });
        examine(found, world, scene.pairs(world, meet));
      }
      one.dispose();
      compiledBy.push(compiled);
    }
    expect(compiledBy[0]).toBeGreaterThan(10);
    expect(compiledBy[1]).toBe(compiledBy[0]);
    scene.dispose();
  });

  test('a device too small for the images, or lost, says so', async () => {
    const random = seededRandom(7);
    const scene = new Scene([cluster(random, 3, 1, 0.3), cluster(random, 3, 1, 0.3)]);
    const { world } = scene.world();
    const device = await own();
    const losing = new WebGpuBackend(device);
    await expect(
      losing.ask(world, { ...REQUEST, levels: ['boxes'], resolution: 8192 }),
    ).rejects.toMatchObject({
      code: 'unsupported',
      detail: { limit: 'maxStorageBufferBindingSize' },
    });
    const request: CullingRequest = { ...REQUEST, kind: 'objects' };
    const asked = losing.ask(world, request);
    device.destroy();
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    // the answer may have been quicker than the loss
    if (error !== undefined) expect(error).toMatchObject({ code: 'device-lost' });
    await device.lost;
    await expect(losing.ask(world, request)).rejects.toMatchObject({ code: 'device-lost' });
    losing.dispose();
    await expect(losing.ask(world, request)).rejects.toBeInstanceOf(ImpingeError);
    scene.dispose();
  });
});
