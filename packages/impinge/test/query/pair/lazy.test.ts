/** Lazy trees that grow and move while queries are under way give what complete trees give. */
import { describe, expect, test } from 'vitest';
import { wavySheet } from '../../../../../lab/scenes/index.mjs';
import { FAST, full, some } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import { buildHierarchy } from '../../../src/hierarchy/build.js';
import { completeHierarchy } from '../../../src/hierarchy/build-obb.js';
import { BUILDERS, type Builder } from '../../../src/hierarchy/layout.js';
import { validateHierarchy } from '../../../src/hierarchy/validate.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { selfIntersect } from '../../../src/query/pair/self-intersect.js';
import { within } from '../../../src/query/pair/within.js';
import { VOLUME_KINDS } from '../../../src/volumes/kinds.js';
import { soup } from '../../hierarchy/fixtures.js';
import { expectPairs } from '../support/brute-force.js';
import { quaternionPose, shiftPose } from '../support/scenes.js';

const MAKE: Record<string, () => Mesh> = {
  'a soup': () => soup(131, FAST ? 10_000 : 20_000, 0.03),
  'a sheet': () => Mesh.from(wavySheet(FAST ? 81 : 121)),
};
const other = soup(132, FAST ? 3000 : 6000, 0.04);
const overlapping = quaternionPose(133, 0.4, [0.1, 0.05, 0]);
const apart = shiftPose(4, 1, 0);

function giveTree(mesh: Mesh, builder: Builder, lazy: boolean) {
  const tree = buildHierarchy(mesh, { builder, lazy });
  useHierarchy(tree);
  return tree;
}

describe.each(Object.entries(MAKE))('%s', (_, make) => {
  const mesh = make();
  giveTree(mesh, 'sah', false);
  const own = Mesh.from({ positions: Float32Array.from(other.positions) });
  giveTree(own, 'sah', false);
  const expected = {
    all: collide(mesh, own, overlapping).pairs,
    near: within(mesh, own, { ...overlapping, distance: 0.002, mode: 'all' }).pairs,
    far: distance(mesh, own, apart).distance,
    self: selfIntersect(mesh).pairs,
    shifted: collide(mesh, mesh, shiftPose(0.01, 0.02, 0)).pairs,
  };
  const QUESTIONS: Record<string, (a: Mesh, b: Mesh) => void> = {
    any: (a, b) => expect(collide(a, b, { ...overlapping, mode: 'any' }).colliding).toBe(true),
    distance: (a, b) => expect(distance(a, b, apart).distance).toBe(expected.far),
    touching: (a, b) => expect(distance(a, b, overlapping).distance).toBe(0),
    within: (a, b) => expect(within(a, b, { ...overlapping, distance: 0.002 }).within).toBe(true),
    self: (a) => expectPairs(selfIntersect(a).pairs, expected.self),
    near: (a, b) =>
      expectPairs(within(a, b, { ...overlapping, distance: 0.002, mode: 'all' }).pairs, expected.near),
    all: (a, b) => expectPairs(collide(a, b, overlapping).pairs, expected.all),
    'with itself': (a) => expectPairs(collide(a, a, shiftPose(0.01, 0.02, 0)).pairs, expected.shifted),
  };

  full.each(
    some(BUILDERS.flatMap((builder) => Object.keys(QUESTIONS).map((first) => [builder, first] as const))),
  )('%s, first asked: %s', (builder, first) => {
    const a = make();
    const b = Mesh.from({ positions: Float32Array.from(other.positions) });
    const tree = giveTree(a, builder, true);
    const treeB = giveTree(b, builder, true);
    const block = tree.block;
    const blocks = tree.blockCount;
    QUESTIONS[first](a, b);
    for (const question of ['any', 'distance', 'within', 'near', 'all', 'self']) QUESTIONS[question](a, b);
    expect(tree.blockCount).toBeGreaterThan(2 * blocks);
    expect(tree.block).not.toBe(block); // it has moved
    validateHierarchy(arena(), tree.block, tree.byteLength, a);
    completeHierarchy(tree);
    completeHierarchy(treeB);
    validateHierarchy(arena(), tree.block, tree.byteLength, a);
    QUESTIONS.all(a, b);
    a.dispose();
    tree.dispose();
    treeB.dispose();
  });
});

describe.each(VOLUME_KINDS)('%s', (volume) => {
  const give = (mesh: Mesh, lazy: boolean) => {
    const tree = buildHierarchy(mesh, { volume, lazy });
    useHierarchy(tree);
    return tree;
  };
  const make = (positions = soup(135, 6000, 0.03).positions) => Mesh.from({ positions });

  test('a narrow question builds little, and those that follow what they need', () => {
    const [whole, a, b] = [make(), make(), soup(136, 200, 0.05)];
    const complete = give(whole, false);
    const tree = give(a, true);
    const counts = [tree.blockCount];
    for (const x of [0.95, 0.6, 0]) {
      const pose = shiftPose(x, x, x);
      expectPairs(collide(a, b, pose).pairs, collide(whole, b, pose).pairs);
      expect(distance(a, b, pose).distance).toBe(distance(whole, b, pose).distance);
      counts.push(tree.blockCount);
      validateHierarchy(arena(), tree.block, tree.byteLength, a);
    }
    expect(counts).toEqual([...new Set(counts)].sort((p, q) => p - q)); // more every time
    expect(counts[1]).toBeLessThan(complete.blockCount / 4);
    expectPairs(selfIntersect(a).pairs, selfIntersect(whole).pairs);
    expect(tree.blockCount).toBe(complete.blockCount);
  });

  test('refitted half built', () => {
    const [a, b] = [make(), soup(134, 600, 0.05)];
    const tree = give(a, true);
    const start = Float32Array.from(a.positions);
    for (let step = 1; step <= 4; step++) {
      collide(a, b, { ...shiftPose(1 - 0.2 * step, 0.8, 0.8), mode: 'any' });
      const positions = start.map((x, i) => x + 0.05 * step * Math.sin(5 * start[i - (i % 3)] + step));
      a.setPositions(positions);
      const pose = shiftPose(0.7, 0.8, 0.8);
      const fresh = make(positions);
      const complete = give(fresh, false);
      expectPairs(collide(a, b, pose).pairs, collide(fresh, b, pose).pairs);
      expect(distance(a, b, apart).distance).toBe(distance(fresh, b, apart).distance);
      validateHierarchy(arena(), tree.block, tree.byteLength, a);
      expect(tree.blockCount).toBeLessThan(0.8 * complete.blockCount);
    }
  });
});
