/** Queries inside queries, between queries, and on meshes that move under them. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { FAST, full } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import { walkOf } from '../../../src/hierarchy/traverse.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { selfIntersect } from '../../../src/query/pair/self-intersect.js';
import { within } from '../../../src/query/pair/within.js';
import * as obb from '../../../src/volumes/obb.js';
import { build, grid, poseBetweenTrees, soup } from '../../hierarchy/fixtures.js';
import { expectAllQueries, expectPairs, expectSelf, Truth } from '../support/brute-force.js';
import { quaternionPose, shiftPose } from '../support/scenes.js';

const meshes = [
  soup(121, 130, 0.3),
  soup(122, 700, 0.1),
  grid(20, (x, y) => 0.3 * Math.sin(6 * x + 4 * y)),
  soup(123, 1, 1),
];
const poses = [{}, shiftPose(0.2, 0.1, 0), quaternionPose(124, 0.8, [0.1, 0, 0.1]), shiftPose(3, 0, 0)];

/** One of each kind of query, as text. */
function ask(a: Mesh, b: Mesh, n: number): string {
  const options = poses[n % poses.length];
  switch (n % 5) {
    case 0:
      return collide(a, b, options).pairs.join();
    case 1:
      return String(distance(a, b, options).distance);
    case 2:
      return within(a, b, { ...options, distance: 0.01, mode: 'all' }).pairs.join();
    case 3:
      return selfIntersect(a).pairs.join();
    default:
      return String(collide(a, b, { ...options, mode: 'any' }).colliding);
  }
}

test('generators that ask in turns get what each would get alone', () => {
  function* asking(seed: number) {
    const random = seededRandom(seed);
    for (let i = 0; i < 25; i++) {
      const [a, b] = [meshes[Math.floor(4 * random())], meshes[Math.floor(4 * random())]];
      yield ask(a, b, Math.floor(20 * random()));
    }
  }
  const seeds = [1, 2, 3, 4];
  const alone = seeds.map((seed) => [...asking(seed)]);
  const running = seeds.map((seed) => asking(seed));
  for (let i = 0; i < 25; i++) {
    for (const [k, one] of running.entries()) expect(one.next().value).toBe(alone[k][i]);
  }
});

test('queries inside the visitor of a traversal, inside a query of their own results', () => {
  const [a, b] = [meshes[0], meshes[1]];
  const expected = collide(a, b).pairs;
  const [treeA, treeB] = [build(a), build(b)];
  let calls = 0;
  const visitor = {
    bound: 0,
    leafPair: () => {
      if (calls++ % 7 === 0) expectPairs(collide(a, b).pairs, expected);
      if (calls % 50 === 0) Mesh.from({ positions: new Float32Array(9000) });
      return false;
    },
  };
  walkOf(obb)(
    treeA,
    treeB,
    poseBetweenTrees(treeA, treeB, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)),
    visitor,
  );
  expect(calls).toBeGreaterThan(100);
});

test('an option that asks a query while it is read', () => {
  const [a, b] = [meshes[0], meshes[1]];
  const expected = within(a, b, { distance: 0.02, mode: 'all' }).pairs;
  const nosy = {
    mode: 'all' as const,
    get distance() {
      collide(a, b);
      selfIntersect(b);
      return 0.02;
    },
  };
  expectPairs(within(a, b, nosy).pairs, expected);
});

describe('a mesh that deforms', () => {
  full.each([130, 600])('%i triangles: every step equals brute force', (count) => {
    const random = seededRandom(125);
    const a = soup(126, count, 0.15);
    const b = soup(127, 90, 0.2);
    const start = Float32Array.from(a.positions);
    for (let step = 0; step < 8; step += FAST ? 3 : 1) {
      const positions = start.map((x, i) => {
        const wave = 0.3 * Math.sin(step + 3 * start[i - (i % 3)]);
        return (step === 4 ? 50 : 1) * (x + wave) + (step === 6 ? 100 : 0) + 0.01 * random();
      });
      a.setPositions(positions);
      const pose =
        step === 6 ? shiftPose(100, 100, 100) : step % 2 === 0 ? {} : quaternionPose(step, 0.5, [0.1, 0, 0]);
      expectAllQueries(a, b, pose, new Truth(a, b, pose));
      expectSelf(a);
    }
  });

  test('back to where it was gives what it was', () => {
    const a = grid(40, (x, y) => 0.2 * Math.sin(9 * x) * Math.cos(8 * y));
    const b = soup(128, 500, 0.2);
    const before = collide(a, b).pairs;
    const start = Float32Array.from(a.positions);
    for (const factor of [1e-3, 1e3, -1, 1]) {
      a.setPositions(start.map((x) => factor * x));
      collide(a, b, { mode: 'any' });
    }
    expectPairs(collide(a, b).pairs, before);
    expect(arena().usedBytes).toBeGreaterThan(0);
  });

  full('collapsed to a point, and flat', () => {
    const a = soup(129, 600, 0.2);
    const b = soup(130, 80, 0.3);
    const start = Float32Array.from(a.positions);
    for (const flatten of [
      [0, 0, 0],
      [1, 1, 0],
      [1, 0, 0],
    ]) {
      a.setPositions(start.map((x, i) => flatten[i % 3] * x + 0.5 * (1 - flatten[i % 3])));
      expectAllQueries(a, b, {}, new Truth(a, b, {}));
    }
  });
});
