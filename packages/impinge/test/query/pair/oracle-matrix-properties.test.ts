/** Random scenes, most of them degenerate on purpose, against brute force. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { runs } from '../../../../../test/budget.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import type { PoseOptions } from '../../../src/query/pair/context.js';
import { randomPose } from '../../hierarchy/fixtures.js';
import { expectAllQueries, expectSelf } from '../support/brute-force.js';

/** Corners on a small lattice: nearly every contact there is happens, most of them at once. */
const lattice = (most: number, steps: number) =>
  fc
    .array(fc.array(fc.integer({ min: 0, max: steps }), { minLength: 9, maxLength: 9 }), {
      minLength: 1,
      maxLength: most,
    })
    .map((triangles) => Float32Array.from(triangles.flat()));
// nothing so small that scaling would round it
const unit = fc.float({ min: -1, max: 1, noNaN: true }).map((x) => (Math.abs(x) < 2 ** -60 ? 0 : x));
const scattered = (most: number) =>
  fc
    .array(fc.array(unit, { minLength: 9, maxLength: 9 }), { minLength: 1, maxLength: most })
    .map((triangles) => Float32Array.from(triangles.flat()));

const shift = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -3, max: 3 })));
const latticePose: fc.Arbitrary<PoseOptions> = fc.oneof(
  fc.constant({}),
  shift.map((translation) => ({ pose: { translation } })),
  shift.map((translation) => ({ pose: { rotation: [0, -1, 0, 1, 0, 0, 0, 0, 1], translation } })),
  shift.map((translation) => ({ pose: { rotation: [0.5, 0.5, 0.5, 0.5], translation } })),
);
// the exact predicates ask for numbers whose products do not underflow
const angle = fc.double({ min: 0, max: 3.1, noNaN: true }).map((x) => (x < 1e-12 ? 0 : x));
const turn = fc.tuple(fc.integer(), angle);
const freePose: fc.Arbitrary<PoseOptions> = fc.tuple(turn, shift).map(([[seed, angle], t]) => {
  const p = randomPose(seededRandom(seed), angle, t);
  return { pose: { rotation: p.slice(0, 9), translation: p.slice(9).map((x) => x / 4) } };
});
/** The same rotation for both, so that what is left between them is rounding. */
const noisyPose: fc.Arbitrary<PoseOptions> = fc.tuple(turn, shift).map(([[seed, angle], t]) => {
  const p = randomPose(seededRandom(seed), angle, [0, 0, 0]);
  const rotation = p.slice(0, 9);
  const moved = [0, 1, 2].map((k) => p[3 * k] * t[0] + p[3 * k + 1] * t[1] + p[3 * k + 2] * t[2]);
  return { poseA: { rotation }, poseB: { rotation, translation: moved } };
});
const scale = fc.integer({ min: -40, max: 40 }).map((e) => 2 ** e);

describe.each([
  ['lattice, seed 101', lattice(40, 3), latticePose, 101],
  ['coarse lattice, seed 102', lattice(40, 1), latticePose, 102],
  ['lattice, turned, seed 103', lattice(25, 4), freePose, 103],
  ['lattice, apart by rounding, seed 104', lattice(25, 3), noisyPose, 104],
  ['anywhere, seed 105', scattered(25), freePose, 105],
] as const)('%s', (_, arrays, pose, seed) => {
  test('every query', () => {
    fc.assert(
      fc.property(arrays, arrays, pose, (a, b, options) => {
        expectAllQueries(Mesh.from({ positions: a }), Mesh.from({ positions: b }), options);
      }),
      { seed, numRuns: runs(60) },
    );
  });

  test('self-intersection', () => {
    fc.assert(
      fc.property(arrays, (a) => expectSelf(Mesh.from({ positions: a }))),
      { seed, numRuns: runs(60) },
    );
  });

  test('scaled by a power of two, everything stays', () => {
    fc.assert(
      fc.property(arrays, arrays, scale, (a, b, s) => {
        const pairs = collide(Mesh.from({ positions: a }), Mesh.from({ positions: b })).pairs;
        const scaled = (x: Float32Array) => Mesh.from({ positions: x.map((c) => c * s) });
        expect(collide(scaled(a), scaled(b)).pairs).toEqual(pairs);
      }),
      { seed, numRuns: runs(60) },
    );
  });
});
