/** Two small meshes without trees, against brute force and against the same question to trees. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, runs, some } from '../../../../../test/budget.js';
import { ImpingeError } from '../../../src/base/errors.js';
import { buildHierarchy } from '../../../src/hierarchy/build.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { type PoseOptions, readPlacement } from '../../../src/query/pair/context.js';
import { TREE_PAYS_AFTER, useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { keysToPairs } from '../../../src/query/pair/pair-list.js';
import { findSmallPairs } from '../../../src/query/pair/small-pair.js';
import { within } from '../../../src/query/pair/within.js';
import { Scene, type SceneObject } from '../../../src/scene/scene.js';
import { grid, randomPose, soup } from '../../hierarchy/fixtures.js';
import { expectPairs, Truth } from '../support/brute-force.js';
import { cube, quaternionPose, SCENES, scaled } from '../support/scenes.js';

const UNLIMITED = 0xffffffff;

const copyOf = (mesh: Mesh) => Mesh.fromBytes(mesh.toBytes());

function withTree(mesh: Mesh): Mesh {
  const copy = copyOf(mesh);
  useHierarchy(buildHierarchy(copy));
  return copy;
}

/** Asks about copies that nobody has asked about before. */
function search(a: Mesh, b: Mesh, options: PoseOptions, limit = UNLIMITED, bound?: number) {
  const { bToA } = readPlacement(options);
  const found = findSmallPairs(copyOf(a), copyOf(b), bToA, {
    limit,
    ...(bound === undefined ? {} : { bound }),
  });
  return found && { ...found, pairs: Array.from(keysToPairs(found.keys.sort())) };
}

function swapped(pairs: readonly number[]): number[] {
  const turned: [number, number][] = [];
  for (let i = 0; i < pairs.length; i += 2) turned.push([pairs[i + 1], pairs[i]]);
  return turned.sort((p, q) => p[0] - q[0] || p[1] - q[1]).flat();
}

/** Holds what is found without trees to the truth; returns how often the search was not given up. */
function expectTruth(a: Mesh, b: Mesh, options: PoseOptions, truth = new Truth(a, b, options)): number {
  let answered = 0;
  const all = search(a, b, options);
  if (all) {
    answered++;
    expectPairs(all.pairs, truth.pairs);
    expect(all.complete).toBe(true);
    expect(all.stats.volumeTests).toBeGreaterThan(0);
    expect(all.stats.exactTests).toBeLessThanOrEqual(all.stats.triangleTests);
  }
  const known = new Set<string>();
  for (let i = 0; i < truth.pairs.length; i += 2) known.add(`${truth.pairs[i]} ${truth.pairs[i + 1]}`);
  for (const limit of [1, 5, known.size + 1]) {
    const some = search(a, b, options, limit);
    if (!some) continue;
    answered++;
    expect(some.pairs.length / 2).toBeGreaterThanOrEqual(Math.min(limit, known.size));
    for (let i = 0; i < some.pairs.length; i += 2) {
      const pair: string = `${some.pairs[i]} ${some.pairs[i + 1]}`;
      if (!known.has(pair)) expect.fail(`${pair} do not meet`);
    }
    if (some.pairs.length / 2 < known.size) expect(some.complete).toBe(false);
    if (known.size < limit) expect(some.complete).toBe(true);
  }
  for (const reach of truth.reaches) {
    if (reach === 0) continue;
    const near = search(a, b, options, UNLIMITED, reach);
    if (!near) continue;
    answered++;
    truth.expectWithin(reach, near.pairs);
  }
  return answered;
}

describe('two small meshes without trees', () => {
  // a soup has no order, and may be given up
  it.each(some(Object.entries(SCENES)))('%s: brute force', (name, { a: makeA, b: makeB, poses }) => {
    const a = makeA();
    const b = makeB();
    let answered = 0;
    for (const pose of poses) answered += expectTruth(a, b, pose);
    if (/cube|grid|one against|touches/.test(name)) {
      expect(answered).toBeGreaterThanOrEqual(4 * poses.length);
    }
  });

  it('the same answers as trees give, whichever side is first (seed 301)', () => {
    const random = seededRandom(301);
    const shapes = [cube(5), grid(12, (x, y) => 0.3 * Math.sin(5 * x + 3 * y)), soup(302, 60, 0.25)];
    for (let round = 0; round < runs(60); round++) {
      const [a, b] = [shapes[round % 3], shapes[Math.floor(3 * random())]];
      const p = randomPose(
        random,
        3 * random(),
        [0, 1, 2].map(() => 1.4 * random() - 0.7),
      );
      const options = { pose: { rotation: p.slice(0, 9), translation: p.slice(9) } };
      const pairs = Array.from(collide(withTree(a), withTree(b), options).pairs);
      const found = search(a, b, options);
      if (found) expectPairs(found.pairs, pairs);
      const near = within(withTree(a), withTree(b), { ...options, distance: 0.03, mode: 'all' });
      expectPairs(
        within(copyOf(a), copyOf(b), { ...options, distance: 0.03, mode: 'all' }).pairs,
        near.pairs,
      );
      const any = within(copyOf(a), copyOf(b), { ...options, distance: 0.03 });
      expect(any.within).toBe(near.within);
      if (round % 2 === 0) continue; // posed the other way round, numbers round differently: exact poses only
      const shift = [0, 1, 2].map(() => Math.round(8 * random() - 4) / 8);
      const forth = search(a, b, { pose: { translation: shift } });
      const back = search(b, a, { pose: { translation: shift.map((x) => -x) } });
      if (forth && back && a !== shapes[2] && b !== shapes[2])
        expect(swapped(back.pairs)).toEqual(forth.pairs);
    }
  });

  const lattice = fc
    .array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 9, maxLength: 9 }), {
      minLength: 1,
      maxLength: 30,
    })
    .map((triangles) => Float32Array.from(triangles.flat()));
  const place = fc.record({
    seed: fc.integer(),
    angle: fc.constantFrom(0, 0, 0.4, 1.5, 3),
    far: fc.constantFrom(0, 0, 1000, 2 ** 20),
    shift: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 }),
  });

  it('lattices that touch, lie in one plane, degenerate, turned and far away (seed 303)', () => {
    fc.assert(
      fc.property(lattice, lattice, place, (p, q, { seed, angle, far, shift }) => {
        const a = Mesh.from({ positions: p.map((x) => x + far) });
        const b = Mesh.from({ positions: q });
        const pose = randomPose(seededRandom(seed), angle, [0, 0, 0]);
        const translation = shift.map((x) => x + far);
        expectTruth(a, b, { pose: { rotation: pose.slice(0, 9), translation } });
      }),
      { seed: 303, numRuns: runs(150) },
    );
  });

  full('goes on where the room for pairs, and for doubts, is used up', () => {
    const sheet = grid(14);
    const flat = search(sheet, sheet, {}); // in one plane: every pair is a doubt
    expectPairs(flat!.pairs, new Truth(sheet, sheet, {}).pairs);
    expect(flat!.stats.adaptiveTests).toBeGreaterThan(1024);
    const [a, b] = [grid(20), scaled(grid(20), 1, [0.5, 0, 0.001])];
    const near = search(a, b, {}, UNLIMITED, 0.01);
    expect(near!.pairs.length / 2).toBeGreaterThan(2048);
    new Truth(a, b, {}).expectWithin(0.01, near!.pairs);
  });

  it('has room for the largest', () => {
    const sheet = grid(32, (x, y) => 0.1 * Math.sin(9 * x + y)); // 2 048 triangles
    const loose = Mesh.from({ positions: cornersOf(sheet) }); // no two share a vertex
    for (const [a, b] of [
      [sheet, cube(3, [0.7, 0.7, -0.1], 0.25)],
      [cube(3, [0.7, 0.7, -0.1], 0.25), loose],
    ]) {
      expectPairs(search(a, b, {})!.pairs, new Truth(a, b, {}).pairs);
    }
  });

  it('gives up where triangles have no order, and trees find the same', () => {
    const [a, b] = [soup(304, 500, 0.5), soup(305, 500, 0.5)];
    expect(search(a, b, {})).toBeUndefined();
    const { pairs } = new Truth(a, b, {});
    expect(Array.from(collide(copyOf(a), copyOf(b)).pairs)).toEqual(pairs);
    expect(pairs.length).toBeGreaterThan(1000);
  });

  it('leaves large meshes, and numbers that float32 cannot square, to trees', () => {
    const large = grid(33); // 2 178 triangles
    expect(search(large, cube(2), {})).toBeUndefined();
    expect(search(cube(2), large, {})).toBeUndefined();
    expect(search(cube(2), cube(2), { pose: { translation: [1e30, 0, 0] } })).toBeUndefined();
    expect(search(scaled(cube(2), 1e-25), scaled(cube(2), 1e-25), {})).toBeUndefined();
    expect(() => collide(cube(2), cube(2), { pose: { translation: [1e30, 0, 0] } })).toThrowError(
      ImpingeError,
    );
  });

  it('builds trees for meshes that are asked about again and again', () => {
    const [a, b] = [cube(3), cube(2)];
    const { bToA } = readPlacement({});
    for (let i = 0; i < TREE_PAYS_AFTER; i++) {
      expect(findSmallPairs(a, b, bToA, { limit: UNLIMITED })).toBeDefined();
    }
    expect(findSmallPairs(a, b, bToA, { limit: UNLIMITED })).toBeUndefined();
    expect(findSmallPairs(a, cube(2), bToA, { limit: UNLIMITED })).toBeDefined();
    expect(Array.from(collide(a, b).pairs)).toEqual(new Truth(a, b, {}).pairs);
  });

  it('sees vertices that have moved, and meshes that are gone', () => {
    const [a, b] = [cube(3), cube(2, [3, 0, 0])];
    expect(collide(a, b).colliding).toBe(false);
    b.setPositions(b.positions.map((x, i) => (i % 3 === 0 ? x - 2.5 : x)));
    expect(Array.from(collide(a, b).pairs)).toEqual(new Truth(a, b, {}).pairs);
    expect(collide(a, b).colliding).toBe(true);
    b.dispose();
    expect(() => collide(a, b)).toThrowError(/disposed/);
  });

  it('a pose that is not quite rigid loses nothing', () => {
    // a strip, stretched until its tip reaches into a triangle beyond its box
    const strip = Mesh.from({
      positions: grid(6).positions.map((x, i) => [2 * x - 1, 1e-4 * (x - 0.5), x][i % 3]),
      indices: Uint32Array.from(grid(6).indices),
    });
    const speck = Mesh.from({
      positions: Float32Array.of(1 + 41 * 2 ** -23, 0, 0, 1.001, 0.001, 0, 1.001, -0.001, 0),
    });
    const stretch = { pose: { rotation: [1.0000049, 0, 0, 0, 1.0000049, 0, 0, 0, 1.0000049] } };
    expect(expectTruth(speck, strip, stretch)).toBeGreaterThanOrEqual(4);
    expect(search(speck, strip, stretch)!.pairs.length).toBeGreaterThan(0);
    const [a, b] = [cube(4), cube(4)];
    const rotation = [1.000004, 0, 0, 0, 0.999996, 3e-6, 0, 0, 1.000002];
    for (const x of [1, 1.0000005, 0.999999, 1.000003]) {
      expectTruth(a, b, { pose: { rotation, translation: [x, 0.001, 0] } });
      expectTruth(b, a, { poseA: { rotation, translation: [x, 0.001, 0] }, ...quaternionPoseB(306) });
    }
  });
});

/** The corners of all triangles, one after the other. */
function cornersOf({ positions, indices }: Mesh): Float32Array {
  return Float32Array.from([...indices].flatMap((i) => [...positions.subarray(3 * i, 3 * i + 3)]));
}

function quaternionPoseB(seed: number): PoseOptions {
  const { pose } = quaternionPose(seed, 0.001);
  return { poseB: pose! };
}

describe('pairs of a scene', () => {
  it('found at once and kept up to date are the same (seed 307)', () => {
    const random = seededRandom(307);
    const shape = cube(1, [-0.5, -0.5, -0.5]);
    for (const reach of [0, 0.25]) {
      const scene = new Scene();
      const objects: SceneObject[] = [];
      const somewhere = () => ({ translation: [0, 1, 2].map(() => Math.floor(16 * random()) / 4) });
      for (let i = 0; i < 60; i++) objects.push(scene.add(shape, { pose: somewhere() }));
      for (let i = 0; i < 9; i++) objects.splice(Math.floor(objects.length * random()), 1)[0].remove();
      for (let i = 0; i < 4; i++) scene.add(shape, { pose: somewhere() });
      objects[3].move(somewhere());
      const order = scene.objects();
      const expected: [SceneObject, SceneObject][] = [];
      order.forEach((a, i) => {
        for (const b of order.slice(i + 1)) {
          const [p, q] = [a.pose, b.pose];
          if ([9, 10, 11].every((k) => Math.abs(p[k] - q[k]) <= 1 + reach)) expected.push([a, b]);
        }
      });
      expect(scene.pairs(reach)).toEqual(expected);
      expect(scene.pairs(reach)).toEqual(expected); // nothing has moved: the same answer
      order[5].move({ translation: order[5].pose.subarray(9) }); // one has: by the tree
      expect(scene.pairs(reach)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(20);
    }
  });
});
