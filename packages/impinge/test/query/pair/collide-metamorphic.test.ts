/** Changes of the question that must change the answer in a known way. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { composePoses, invertPose, type RigidPose, toRigidPose } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import type { PoseOptions } from '../../../src/query/pair/context.js';
import { distance } from '../../../src/query/pair/distance.js';
import { selfIntersect } from '../../../src/query/pair/self-intersect.js';
import { within } from '../../../src/query/pair/within.js';
import { randomPose, soup } from '../../hierarchy/fixtures.js';
import { expectPairs } from '../support/brute-force.js';
import { scaled, slivers } from '../support/scenes.js';

const asOption = (p: RigidPose) => ({ rotation: p.slice(0, 9), translation: p.slice(9) });
const random = seededRandom(51);
const between = randomPose(random, 0.4, [0.2, 0.1, -0.1]);
const world = randomPose(random, 2.3, [30, -20, 10]);

const PAIRS: Record<string, [Mesh, Mesh]> = {
  'soups of 900 and 700': [soup(52, 900, 0.1), soup(53, 700, 0.1)],
  'thin triangles, 600 and 300': [slivers(54, 600, 0.02), slivers(55, 300, 0.02)],
};

function sortedPairs(pairs: Iterable<readonly [number, number]>): number[] {
  return [...pairs].sort((p, q) => p[0] - q[0] || p[1] - q[1]).flat();
}
function asPairs(flat: Uint32Array): [number, number][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}
function swapped(flat: Uint32Array): number[] {
  return sortedPairs(asPairs(flat).map(([i, j]) => [j, i] as const));
}

describe.each(Object.entries(PAIRS))('%s', (_, [a, b]) => {
  const options: PoseOptions = { pose: asOption(between) };
  const { pairs } = collide(a, b, options);
  const near = within(a, b, { ...options, distance: 0.003, mode: 'all' }).pairs;

  test('there is something to compare', () => {
    expect(pairs.length).toBeGreaterThan(20);
    expect(near.length).toBeGreaterThan(pairs.length);
  });

  test('the sides swapped', () => {
    const back = { pose: asOption(invertPose(between)) };
    expect(Array.from(collide(b, a, back).pairs)).toEqual(swapped(pairs));
    expect(Array.from(within(b, a, { ...back, distance: 0.003, mode: 'all' }).pairs)).toEqual(swapped(near));
    expect(Array.from(collide(b, a).pairs)).toEqual(swapped(collide(a, b).pairs));
    const apart = { poseA: asOption(world), poseB: { translation: [40, 0, 0] } };
    const one = distance(a, b, apart);
    const other = distance(b, a, { poseA: apart.poseB, poseB: apart.poseA });
    expect(other.distance).toBeCloseTo(one.distance, 11);
    expect([other.triangleB, other.triangleA]).toEqual([one.triangleA, one.triangleB]);
    for (let k = 0; k < 3; k++) expect(other.pointB![k]).toBeCloseTo(one.pointA![k], 7);
  });

  test('both moved by the same rigid motion', () => {
    const moved = { poseA: asOption(world), poseB: asOption(composePoses(world, between)) };
    expectPairs(collide(a, b, moved).pairs, pairs);
    expectPairs(within(a, b, { ...moved, distance: 0.003, mode: 'all' }).pairs, near);
    expectPairs(collide(a, b, { poseA: asOption(world), poseB: asOption(world) }).pairs, collide(a, b).pairs);
  });

  test.each([-30, -20, -1, 3, 20, 30])('scaled by 2^%i', (exponent) => {
    const s = 2 ** exponent;
    const [as, bs] = [scaled(a, s), scaled(b, s)];
    const pose = { rotation: between.slice(0, 9), translation: between.slice(9).map((x) => s * x) };
    expectPairs(collide(as, bs, { pose }).pairs, pairs);
    expectPairs(within(as, bs, { pose, distance: 0.003 * s, mode: 'all' }).pairs, near);
    const far = { rotation: pose.rotation, translation: [5 * s, 0, 0] };
    const whole = distance(a, b, { pose: { rotation: pose.rotation, translation: [5, 0, 0] } }).distance;
    expect(distance(as, bs, { pose: far }).distance).toBe(whole * s);
  });

  test('triangles in another order', () => {
    const order = Array.from({ length: a.triangleCount }, (_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    // also each triangle turned: its second corner first
    const indices = order.flatMap((t) => [1, 2, 0].map((k) => a.indices[3 * t + k]));
    const shuffled = Mesh.from({ positions: Float32Array.from(a.positions), indices });
    const named = (flat: Uint32Array) => sortedPairs(asPairs(flat).map(([i, j]) => [order[i], j] as const));
    expect(named(collide(shuffled, b, options).pairs)).toEqual(Array.from(pairs));
    expect(named(within(shuffled, b, { ...options, distance: 0.003, mode: 'all' }).pairs)).toEqual(
      Array.from(near),
    );
    const self = (m: Mesh, names: number[]) =>
      sortedPairs(
        asPairs(selfIntersect(m).pairs).map(([i, j]) => {
          const [p, q] = [names[i], names[j]];
          return [Math.min(p, q), Math.max(p, q)] as const;
        }),
      );
    const plain = Array.from({ length: a.triangleCount }, (_, i) => i);
    expect(self(shuffled, order)).toEqual(self(a, plain));
  });

  test('mirrored', () => {
    const mirror = (m: Mesh) =>
      Mesh.from({
        positions: m.positions.map((x, i) => (i % 3 === 0 ? -x : x)),
        indices: Uint32Array.from(m.indices),
      });
    const m = Float64Array.from(between, (x, i) => ([1, 2, 3, 6, 9].includes(i) ? -x : x));
    expectPairs(collide(mirror(a), mirror(b), { pose: asOption(m) }).pairs, pairs);
    expectPairs(
      within(mirror(a), mirror(b), { pose: asOption(m), distance: 0.003, mode: 'all' }).pairs,
      near,
    );
    expectPairs(selfIntersect(mirror(a)).pairs, selfIntersect(a).pairs);
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
