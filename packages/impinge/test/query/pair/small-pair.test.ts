/** Two small meshes without trees, against brute force. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, runs, some } from '../../../../../test/budget.js';
import { ImpingeError } from '../../../src/base/errors.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { type PoseOptions, readPlacement } from '../../../src/query/pair/context.js';
import { TREE_PAYS_AFTER } from '../../../src/query/pair/hierarchy-of.js';
import { keysToPairs } from '../../../src/query/pair/pair-list.js';
import { findSmallPairs } from '../../../src/query/pair/small-pair.js';
import { grid, randomPose, soup } from '../../hierarchy/fixtures.js';
import { expectPairs, Truth } from '../support/brute-force.js';
import { cube, SCENES, scaled } from '../support/scenes.js';

const UNLIMITED = 0xffffffff;

const copyOf = (mesh: Mesh) => Mesh.fromBytes(mesh.toBytes());

/** Asks about copies that nobody has asked about before. */
function search(a: Mesh, b: Mesh, options: PoseOptions, limit = UNLIMITED, bound?: number) {
  const { bToA } = readPlacement(options);
  const found = findSmallPairs(copyOf(a), copyOf(b), bToA, {
    limit,
    ...(bound === undefined ? {} : { bound }),
  });
  return found && { ...found, pairs: Array.from(keysToPairs(found.keys.sort())) };
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
});

/** The corners of all triangles, one after the other. */
function cornersOf({ positions, indices }: Mesh): Float32Array {
  return Float32Array.from([...indices].flatMap((i) => [...positions.subarray(3 * i, 3 * i + 3)]));
}
