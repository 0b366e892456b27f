/** Random meshes in random motion, held to the discrete queries at many times. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { box, icosphere, seededRandom, torus } from '../../../../../lab/scenes/index.mjs';
import { full, least, runs } from '../../../../../test/budget.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import { type Motion, poseAt } from '../../../src/math/motion.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { timeOfImpact } from '../../../src/query/motion/time-of-impact.js';
import { distance } from '../../../src/query/pair/distance.js';
import { within } from '../../../src/query/pair/within.js';
import { soup } from '../../hierarchy/fixtures.js';
import { slivers } from '../support/scenes.js';

const SAMPLES = 2000;

const SHAPES: Record<string, Mesh> = {
  box: Mesh.from(box(1, 0.4, 0.2)),
  ball: Mesh.from(icosphere(4, 0.5)),
  ring: Mesh.from(torus(0.6, 0.1, 24, 8)),
  soup: soup(5, 60, 0.3, -0.5),
  slivers: slivers(6, 40, 1e-5),
  points: Mesh.from({ positions: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0.3, 0, 0, 0, 0.3, 0, 0.3, 0, 0] }),
  far: Mesh.from(box(0.5)).transformed([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1000, -2000, 30, 1]),
};

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const vector = (size: number) => fc.tuple(number(-size, size), number(-size, size), number(-size, size));
const rotation = fc
  .tuple(vector(1), number(-1, 1))
  .map(([v, w]) => [...v, w])
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)));

/** Of a body about its own middle: from beside to the other side, or anywhere. */
const motion = fc.record({
  from: fc.record({ rotation, translation: vector(1.5) }),
  to: fc.record({ rotation, translation: vector(1.5) }),
  turns: fc.constantFrom('both', 'neither', 'slightly'),
  kind: fc.constantFrom('linear' as const, 'screw' as const),
});
type MotionCase = typeof motion extends fc.Arbitrary<infer T> ? T : never;

const query = fc.record({
  a: fc.constantFrom(...Object.keys(SHAPES)),
  b: fc.constantFrom(...Object.keys(SHAPES)),
  motionA: motion,
  motionB: motion,
  aStays: fc.boolean(),
  asked: fc.constantFrom(0, 0, 0.02, 0.3),
  accuracy: fc.constantFrom(undefined, 1e-3, 1e-9),
});

/** Poses are for the middle of the mesh's box, whatever its coordinates. */
function motionOf({ from, to, turns, kind }: MotionCase, mesh: Mesh): Motion {
  const { min, max } = mesh.box;
  const middle = min.map((x, k) => 0.5 * (x + max[k]));
  const slightly = to.rotation.map((x, k) => from.rotation[k] + 1e-9 * x);
  const end = turns === 'both' ? to.rotation : turns === 'neither' ? from.rotation : slightly;
  const place = (rotation: number[], at: readonly number[]) => {
    const [x, y, z, w] = rotation;
    const s = 2 / (x * x + y * y + z * z + w * w);
    const r = [
      [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
      [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
      [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
    ];
    const translation = r.map((row, k) => at[k] - row.reduce((sum, m, i) => sum + m * middle[i], 0));
    return { rotation, translation };
  };
  return {
    from: place(from.rotation, from.translation),
    to: place(end, to.translation),
    kind,
    centre: middle,
  };
}

function examine(samples: number, { a, b, motionA, motionB, aStays, asked, accuracy }: Query): string {
  const [meshA, meshB] = [SHAPES[a], SHAPES[b]];
  const movesA = aStays ? { from: motionOf(motionA, meshA).from! } : motionOf(motionA, meshA);
  const movesB = motionOf(motionB, meshB);
  const options = { motionA: movesA, motionB: movesB, distance: asked, ...(accuracy && { accuracy }) };
  const { time, distance: apart, pointA, pointB, normal, ...rest } = timeOfImpact(meshA, meshB, options);
  const posesAt = (t: number) => ({ poseA: poseAt(movesA, t), poseB: poseAt(movesB, t) });
  const meets = (t: number) => within(meshA, meshB, { ...posesAt(t), distance: asked, mode: 'any' }).within;

  // never too late: nothing meets before, evenly sampled and shortly before
  const end = Math.min(time, 1);
  for (let i = 0; i <= samples; i++) {
    const t = i / samples;
    if ((t < end || time === Infinity) && meets(t)) expect.fail(`meets at ${t}, reported at ${time}`);
  }
  if (time === Infinity) return 'apart';
  if (time === 0) {
    if (meets(0)) return 'start';
  } else {
    for (let before = 1e-2; before > 1e-10; before /= 10) {
      if (before < time) expect(meets(time - before), `meets ${before} before ${time}`).toBe(false);
    }
  }
  // and not too early: as near as was asked for
  const size = Math.min(
    ...[meshA, meshB].map(({ box: { min, max } }) => Math.hypot(...min.map((x, k) => max[k] - x))),
  );
  // a screw's axis may be thousands away: then rounding sets the limit
  const near = Math.max(accuracy ?? 1e-6 * size, 1e-8);
  const found = distance(meshA, meshB, posesAt(time));
  expect(found.distance).toBeLessThanOrEqual(asked + near);
  expect(found.distance).toBeLessThanOrEqual(apart + 1e-9);
  expect(apart).toBeLessThanOrEqual(asked + near);
  expect(apart).toBeGreaterThanOrEqual(asked);
  // the points are where they are said to be
  const between = pointB!.map((x, k) => x - pointA![k]);
  expect(Math.hypot(...between)).toBeCloseTo(apart, 8);
  for (let k = 0; k < 3; k++) expect(normal![k] * apart).toBeCloseTo(between[k], 8);
  if (apart > 1e-12) expect(Math.hypot(...normal!)).toBeCloseTo(1, 12);
  expect(rest.triangleA).toBeLessThan(meshA.triangleCount);
  expect(rest.triangleB).toBeLessThan(meshB.triangleCount);
  return 'meets';
}
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

describe('against 2 000 times of the discrete queries', () => {
  full('linear and screw motion, any shapes, seed 71', () => {
    const seen: Record<string, number> = {};
    const property = fc.property(query, (asked) => {
      const kind = examine(SAMPLES, asked);
      seen[kind] = (seen[kind] ?? 0) + 1;
    });
    fc.assert(property, { seed: 71, numRuns: runs(60), endOnFailure: true });
    expect(Math.min(seen.meets ?? 0, seen.apart ?? 0, seen.start ?? 0)).toBeGreaterThan(least(4));
  });

  test('without kernels, seed 72', () => {
    const off = vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    fc.assert(
      fc.property(query, (asked) => void examine(60, asked)),
      { seed: 72, numRuns: runs(15), endOnFailure: true },
    );
    expect(off).toHaveBeenCalled();
  });
});

full('meshes that are built part by part on the way: the first answer is the second, seed 73', () => {
  const random = seededRandom(73);
  for (let n = 0; n < 6; n++) {
    const [a, b] = [Mesh.from(icosphere(20, 0.5)), Mesh.from(torus(0.5, 0.2, 80, 40))];
    const to = [random() - 0.5, random() - 0.5, random() - 0.5];
    const motionB: Motion = {
      from: { translation: to.map((x) => 4 * x + Math.sign(x)) },
      to: { translation: to.map((x) => -x), rotation: [0.6, 0, 0.8, 0] },
    };
    const { stats: _, ...first } = timeOfImpact(a, b, { motionB });
    const { stats: __, ...second } = timeOfImpact(a, b, { motionB });
    expect(first.time).toBeLessThan(1);
    expect(second).toEqual(first);
  }
});
