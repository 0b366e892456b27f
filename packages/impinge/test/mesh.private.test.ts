/**
 * Memory that is not shared, as in a page without cross-origin isolation: growing it detaches every view. A file of
 * its own, because a process has one arena.
 */
import { beforeAll, expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { arena } from '../src/base/arena.js';
import {
  closestPoint,
  collide,
  collideAll,
  contacts,
  contains,
  distance,
  meetsShape,
  pointInMesh,
  raycast,
  Scene,
  section,
  selfIntersect,
  within,
} from '../src/index.js';
import { Mesh } from '../src/mesh/mesh.js';
import { gridBox } from './query/solid/solids.js';

beforeAll(() => {
  Object.assign(globalThis, { crossOriginIsolated: false });
  expect(arena().shared).toBe(false);
});

/** Compared as bytes: matchers take a second with these. */
function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** n triangles in a row, each crossing the plane z = 0. */
function comb(n: number): { positions: Float32Array; indices: Uint32Array } {
  const positions = new Float32Array(9 * n);
  for (let i = 0; i < n; i++) positions.set([i, 0, -1, i, 1, 1, i, -1, 1], 9 * i);
  return { positions, indices: Uint32Array.from({ length: 3 * n }, (_, i) => i) };
}

full('a mesh made from views of another keeps its contents while the memory grows', () => {
  const source = Mesh.from(comb(5000));
  for (let size = arena().memory.buffer.byteLength; size === arena().memory.buffer.byteLength; ) {
    const copy = Mesh.from({ positions: source.positions, indices: source.indices });
    expect(Buffer.compare(bytesOf(copy.positions), bytesOf(source.positions))).toBe(0);
    expect(Buffer.compare(bytesOf(copy.indices), bytesOf(source.indices))).toBe(0);
  }
});

test('so does a transformed mesh', () => {
  const source = Mesh.from(comb(5000));
  for (let size = arena().memory.buffer.byteLength; size === arena().memory.buffer.byteLength; ) {
    const mirrored = source.transformed([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]);
    expect(Buffer.compare(bytesOf(mirrored.indices), bytesOf(source.indices))).toBe(0);
    expect(mirrored.positions[2]).toBe(1);
  }
});

test('queries give the answers they give on shared memory, also when building trees makes it grow', () => {
  const plane = Mesh.from({ positions: [-1, -9, 0, 1e5, -9, 0, -1, 9, 0] });
  let grown = 0;
  for (let n = 1000; n < 64_000; n *= 2) {
    const size = arena().memory.buffer.byteLength;
    const mesh = Mesh.from(comb(n));
    const { pairs, complete } = collide(plane, mesh);
    expect(complete).toBe(true);
    expect(pairs).toEqual(Uint32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? 0 : i >> 1)));
    if (arena().memory.buffer.byteLength > size) grown++;
  }
  expect(grown).toBeGreaterThan(1);
});

test('meshes that wait outside a crowded memory answer as those inside do', () => {
  const box = (at: number) => Mesh.from(gridBox([at, at, at], [24, 24, 24], 1 / 24));
  const make = (): [Mesh, Mesh] => [box(0), box(0.37)];
  const plane = { normal: [0, 0, 1], offset: 0.4 } as const;
  const sphere = { centre: [1, 1, 1], radius: 0.1 } as const;
  const questions: Record<string, (a: Mesh, b: Mesh) => unknown> = {
    collide: (a, b) => collide(a, b).pairs,
    within: (a, b) => within(a, b, { distance: 0.05, poseB: { translation: [1.02, 0, 0] } }).count,
    distance: (a, b) => distance(a, b, { poseB: { translation: [1.02, 0, 0] } }).distance,
    contains: (a, b) => contains(a, b).relation,
    contacts: (a, b) => contacts(a, b).regions.length,
    raycast: (a) => raycast(a, { origin: [0.3, 0.2, 9], direction: [0, 0, -1] })?.distance,
    closestPoint: (a) => closestPoint(a, [0.3, 0.2, 9])?.distance,
    pointInMesh: (a) => pointInMesh(a, [0.3, 0.2, 0.5]),
    meetsShape: (a) => meetsShape(a, sphere),
    section: (a) => section(a, plane).length,
    selfIntersect: (a) => selfIntersect(a).count,
    collideAll: (a, b) => {
      const scene = new Scene();
      scene.add(a);
      scene.add(b);
      return collideAll(scene, { mode: 'any' }).count;
    },
  };
  const inside = Object.entries(questions).map(([name, ask]) => [name, ask(...make())]);
  const filler = arena().alloc(2 ** 30);
  const outside = Object.entries(questions).map(([name, ask]) => {
    const used = arena().usedBytes;
    const meshes = make();
    expect(arena().usedBytes).toBeLessThanOrEqual(used);
    return [name, ask(...meshes)];
  });
  arena().free(filler);
  expect(outside).toEqual(inside);
});
