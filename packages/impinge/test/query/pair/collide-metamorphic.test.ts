/** Poses that must not change the answer: brute force reads them as the queries do, and would not notice. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { composePoses, type RigidPose, toRigidPose } from '../../../src/math/pose.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import type { PoseOptions } from '../../../src/query/pair/context.js';
import { within } from '../../../src/query/pair/within.js';
import { randomPose, soup } from '../../hierarchy/fixtures.js';
import { expectPairs } from '../support/brute-force.js';
import { slivers } from '../support/scenes.js';

const asOption = (p: RigidPose) => ({ rotation: p.slice(0, 9), translation: p.slice(9) });
const random = seededRandom(51);
const between = randomPose(random, 0.4, [0.2, 0.1, -0.1]);
const world = randomPose(random, 2.3, [30, -20, 10]);

const PAIRS: Record<string, [Mesh, Mesh]> = {
  'soups of 900 and 700': [soup(52, 900, 0.1), soup(53, 700, 0.1)],
  'thin triangles, 600 and 300': [slivers(54, 600, 0.02), slivers(55, 300, 0.02)],
};

describe.each(Object.entries(PAIRS))('%s', (_, [a, b]) => {
  const options: PoseOptions = { pose: asOption(between) };
  const { pairs } = collide(a, b, options);
  const near = within(a, b, { ...options, distance: 0.003, mode: 'all' }).pairs;

  test('there is something to compare', () => {
    expect(pairs.length).toBeGreaterThan(20);
    expect(near.length).toBeGreaterThan(pairs.length);
  });

  test('both moved by the same rigid motion', () => {
    const moved = { poseA: asOption(world), poseB: asOption(composePoses(world, between)) };
    expectPairs(collide(a, b, moved).pairs, pairs);
    expectPairs(within(a, b, { ...moved, distance: 0.003, mode: 'all' }).pairs, near);
    expectPairs(collide(a, b, { poseA: asOption(world), poseB: asOption(world) }).pairs, collide(a, b).pairs);
  });

  test('the same pose in every form', () => {
    const p = toRigidPose({ rotation: [0.5, -0.5, 0.5, 0.5], translation: [0.9, 0.95, 0.1] });
    const forms: PoseOptions[] = [
      { pose: { rotation: [0.5, -0.5, 0.5, 0.5], translation: [0.9, 0.95, 0.1] } },
      { pose: asOption(p) },
      { pose: [p[0], p[3], p[6], 0, p[1], p[4], p[7], 0, p[2], p[5], p[8], 0, 0.9, 0.95, 0.1, 1] },
      { poseB: asOption(p) },
      { poseA: {}, poseB: asOption(p) },
    ];
    const expected = collide(a, b, forms[0]).pairs;
    expect(expected.length).toBeGreaterThan(0);
    for (const form of forms) expectPairs(collide(a, b, form).pairs, expected);
  });
});
