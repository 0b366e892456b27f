/** Pairs of triangles on the CPU: against brute force, on threads, in little memory. */
import { arena } from 'impinge/internal/base/arena.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { nodePool } from 'impinge/node';
import { afterAll, expect, test } from 'vitest';
import { every, FAST, least, runs } from '../../../test/budget.js';
import { CpuBackend } from '../src/cpu/cpu-backend.js';
import { groupsPerLevel } from '../src/cpu/object-table.js';
import {
  disposeWorld,
  meetingPairs,
  pairsOf,
  requestOf,
  slotsOf,
  worldOf,
  worldOfLevel,
} from './cpu-world.js';
import { type Level, soup } from './level-items.js';

const backend = new CpuBackend();
const pools = every([0, 1, 2, 4], 2).map((size) => nodePool(size));
afterAll(async () => {
  backend.dispose();
  await Promise.all(pools.map((pool) => pool.dispose()));
});

test.each([16, 64])('equal those of brute force, parts of %d, seed 51', async (partSize) => {
  const random = new SeededRandom(51);
  let meetings = 0;
  for (let round = 0; round < runs(24); round++) {
    const level = soup(random, 2 + (round % 7), 1 + 3 * (round % 11), [0.1, 0.5, 1.5][round % 3]);
    const world = worldOfLevel(level, partSize);
    const expected = meetingPairs(level, partSize);
    meetings += expected.length;
    const found = await backend.ask(world, requestOf({}));
    const certain = pairsOf({ meeting: found.meeting, doubtful: new Uint32Array(0) });
    const all = new Set(pairsOf(found));
    expect(all.size).toBe((found.meeting.length + found.doubtful.length) / 2);
    for (const pair of certain) expect(expected).toContain(pair);
    for (const pair of expected) expect(all).toContain(pair);
    // what was left open is little
    expect(found.candidates).toBeGreaterThanOrEqual(all.size);
    disposeWorld(world);
  }
  expect(meetings).toBeGreaterThan(least(400));
});

/** Pairs of triangles of different objects whose boxes, enlarged by the margins, are at most `slack` apart. */
function boxPairs(level: Level, slack: number): Set<string> {
  const slots = slotsOf(level);
  const found = new Set<string>();
  const side = (i: number, k: number, pick: (...numbers: number[]) => number) =>
    pick(level.data[9 * i + k], level.data[9 * i + 3 + k], level.data[9 * i + 6 + k]);
  level.objects.forEach((a, i) => {
    level.objects.forEach((b, j) => {
      if (a >= b) return;
      const reach = level.margins[a] + level.margins[b] + slack;
      const meet = [0, 1, 2].every(
        (k) =>
          side(i, k, Math.min) <= side(j, k, Math.max) + reach &&
          side(j, k, Math.min) <= side(i, k, Math.max) + reach,
      );
      if (meet) found.add(`${slots[i]} ${slots[j]}`);
    });
  });
  return found;
}

test('kernels find some of the pairs of near boxes, within a distance, seed 53', async () => {
  const random = new SeededRandom(53);
  for (let round = 0; round < 12; round++) {
    const level = soup(random, 2 + round, 9, 0.8);
    const wide = { ...level, margins: level.margins.map(() => 0.02) };
    const world = worldOfLevel(wide);
    const all = boxPairs(wide, 1e-9);
    const found = await backend.ask(world, requestOf({ distance: 0.04 }));
    expect(found.meeting.length).toBe(0);
    const near = new Set(pairsOf(found));
    for (const pair of near) expect(all).toContain(pair);
    // pairs that meet are among them
    for (const pair of pairsOf(await backend.ask(world, requestOf({})))) expect(near).toContain(pair);
    expect(near.size).toBeLessThan(all.size);
    disposeWorld(world);
  }
});

/** A sheet of n × n squares, wavy; as a soup if asked. */
function sheet(n: number, height: (x: number, y: number) => number, asSoup = false): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) {
      const x = (1.6 * i) / n - 0.8;
      const y = (1.6 * j) / n - 0.8;
      positions.push(Math.fround(x), Math.fround(y), Math.fround(height(x, y)));
    }
  }
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const v = j * (n + 1) + i;
      indices.push(v, v + 1, v + n + 1, v + 1, v + n + 2, v + n + 1);
    }
  }
  if (!asSoup) return Mesh.from({ positions: Float32Array.from(positions), indices });
  return Mesh.from({
    positions: Float32Array.from(indices.flatMap((v) => positions.slice(3 * v, 3 * v + 3))),
  });
}

/** Slots of the pairs of one mesh that meet and share no corner. */
function ownPairs(mesh: Mesh, byPlace: boolean): string[] {
  const { positions, indices, triangleCount } = mesh;
  const data = new Float64Array(9 * triangleCount);
  indices.forEach((v, i) => {
    for (let k = 0; k < 3; k++) data[3 * i + k] = positions[3 * v + k];
  });
  const nameOf = (i: number) => (byPlace ? data.slice(3 * i, 3 * i + 3).join() : `${indices[i]}`);
  const names = Array.from({ length: 3 * triangleCount }, (_, i) => nameOf(i));
  const found: string[] = [];
  for (let s = 0; s < triangleCount; s++) {
    for (let t = s + 1; t < triangleCount; t++) {
      const shared = names
        .slice(3 * s, 3 * s + 3)
        .some((name) => names.slice(3 * t, 3 * t + 3).includes(name));
      if (!shared && intersectsTriangleTriangle(data, 9 * s, data, 9 * t)) found.push(`${s} ${t}`);
    }
  }
  return found.sort();
}

test.each([false, true])('an object against itself, as a soup: %s', async (asSoup) => {
  // folded over: x ↦ |x| nearly, so that both halves cross along waves
  const flat = sheet(12, (x, y) => 0.1 * Math.sin(9 * x + 4 * y), asSoup);
  const folded = Float64Array.from(flat.positions, (c, i) => (i % 3 === 0 ? Math.abs(c) - 0.01 : c));
  flat.setPositions(folded);
  const other = sheet(2, () => 0.9);
  const world = worldOf([flat, other], [1e-6, 1e-6], { self: [0] });
  const request = requestOf({});
  const found = await backend.ask(world, request);
  const expected = ownPairs(flat, true);
  expect(expected.length).toBeGreaterThan(50);
  const all = pairsOf(found);
  for (const pair of expected) expect(all).toContain(pair);
  for (const pair of pairsOf({ ...found, doubtful: new Uint32Array(0) })) expect(expected).toContain(pair);
  expect(found.objects).toEqual(Uint32Array.of(0));
  // within a distance neighbours by place are left to whoever decides
  const near = await backend.ask(world, { ...request, distance: 1e-9 });
  const open = new Set(pairsOf(near));
  for (const pair of ownPairs(flat, false)) expect(open).toContain(pair);
  for (const pair of all) expect(open).toContain(pair);
  disposeWorld(world);
});

const crossing = () => [
  sheet(FAST ? 40 : 70, (x, y) => 0.2 * Math.sin(5 * x) * Math.cos(4 * y)),
  sheet(FAST ? 45 : 80, (x, y) => 0.2 * Math.cos(6 * x + y)),
  sheet(3, (x) => 0.3 * x),
];

test('the same for any number of threads', async () => {
  const world = worldOf(crossing(), [1e-6, 1e-6, 1e-6], { self: [1] });
  const request = requestOf({});
  const alone = await backend.ask(world, request);
  expect(alone.meeting.length).toBeGreaterThan(FAST ? 300 : 1000);
  for (const pool of pools) {
    const threads = new CpuBackend(pool);
    for (let time = 0; time < 2; time++) {
      const found = await threads.ask(world, request);
      expect(pairsOf(found)).toEqual(pairsOf(alone));
      expect(found.candidates).toBe(alone.candidates);
      expect(found.objects).toEqual(alone.objects);
    }
    threads.dispose();
  }
  disposeWorld(world);
});

test('more pairs than lists have room for', async () => {
  const fan = (n: number, turn: boolean) => {
    const positions = Array.from({ length: n }, (_, i) => {
      const a = (0.001 * i) / n;
      return turn ? [a, -0.5, -0.5, a, 0.5, 0.1, a, -0.5, 0.5] : [-0.5, a, -0.5, 0.5, a, 0.1, -0.5, a, 0.5];
    });
    return Mesh.from({ positions: Float32Array.from(positions.flat()) });
  };
  const world = worldOf([fan(300, false), fan(300, true)], [1e-6, 1e-6]);
  const found = await backend.ask(world, requestOf({}));
  expect(new Set(pairsOf(found)).size).toBe(300 * 300);
  disposeWorld(world);
});

/** The same triangles in another order: the one numbered t is now at places[t]. */
function shuffledMesh(mesh: Mesh, random: SeededRandom): { mesh: Mesh; places: Uint32Array } {
  const { indices, positions, triangleCount } = mesh;
  const order = Uint32Array.from({ length: triangleCount }, (_, t) => t);
  for (let i = triangleCount - 1; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  const places = new Uint32Array(triangleCount);
  order.forEach((t, place) => {
    places[t] = place;
  });
  const turned = [...order].flatMap((t) => [...indices.subarray(3 * t, 3 * t + 3)]);
  return { mesh: Mesh.from({ positions: positions.slice(), indices: turned }), places };
}

test('triangles in no order are put in order, and keep their numbers, seed 54', async () => {
  const random = new SeededRandom(54);
  const own = new CpuBackend();
  const before = arena().usedBytes;
  const meshes = crossing();
  const shuffles = meshes.map((mesh) => shuffledMesh(mesh, random));
  const margins = [1e-6, 1e-6, 1e-6];
  const ordered = worldOf(meshes, margins, { self: [1] });
  const scattered = worldOf(
    shuffles.map(({ mesh }) => mesh),
    margins,
    { self: [1] },
  );
  const renamed = (slots: Uint32Array) => {
    const names = Array.from(slots, (slot) => {
      const o = ordered.partBase.findIndex((_, i) => slot < 16 * ordered.partBase[i + 1]);
      return 16 * ordered.partBase[o] + shuffles[o].places[slot - 16 * ordered.partBase[o]];
    });
    return names.map((name, i) =>
      i % 2 === 0 ? Math.min(name, names[i + 1]) : Math.max(name, names[i - 1]),
    );
  };
  for (let time = 0; time < 2; time++) {
    const expected = await backend.ask(ordered, requestOf({}));
    const found = await own.ask(scattered, requestOf({}));
    expect(pairsOf(found)).toEqual(
      pairsOf({
        meeting: Uint32Array.from(renamed(expected.meeting)),
        doubtful: Uint32Array.from(renamed(expected.doubtful)),
      }),
    );
  }
  own.dispose();
  disposeWorld(ordered);
  disposeWorld(scattered);
  expect(arena().usedBytes).toBeLessThanOrEqual(before);
});

test('memory is used again, and given back', async () => {
  const own = new CpuBackend();
  const before = arena().usedBytes;
  const world = worldOf(crossing(), [1e-6, 1e-6, 1e-6]);
  const request = requestOf({});
  await own.ask(world, request);
  const during = arena().usedBytes;
  for (let time = 0; time < 5; time++) await own.ask(world, request);
  expect(arena().usedBytes).toBeLessThanOrEqual(during);
  own.dispose();
  disposeWorld(world);
  expect(arena().usedBytes).toBeLessThanOrEqual(before);
});

test('nothing, one object, and one triangle', async () => {
  const request = requestOf({});
  const none = await backend.ask(worldOf([], []), request);
  expect([none.objects.length, none.meeting.length, none.doubtful.length]).toEqual([0, 0, 0]);
  const one = worldOf([Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] })], [1e-6]);
  expect((await backend.ask(one, request)).objects.length).toBe(0);
  expect((await backend.ask(one, { ...request, kind: 'objects' })).objects.length).toBe(0);
  disposeWorld(one);
});

test('groups of each level', () => {
  expect(groupsPerLevel(1)).toEqual([1, 1]);
  expect(groupsPerLevel(16)).toEqual([4, 1, 1]);
  expect(groupsPerLevel(17)).toEqual([5, 2, 1, 1]);
});
