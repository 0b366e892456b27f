/** What breaking stands on: loads in bonds, seams that go with parts, motions of parts. */
import fc from 'fast-check';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { box, torus } from '../../../../lab/scenes/solids.mjs';
import { runs } from '../../../../test/budget.js';
import { springImpulses } from '../../src/bodies/bond-stress.js';
import { bondsOf } from '../../src/bodies/bonds.js';
import { partMotions } from '../../src/bodies/part-motions.js';
import { surfaceOf } from '../../src/bodies/piece-surface.js';
import { inertiaOf, inverseInertiaOf } from '../../src/bodies/rotation.js';
import { Seams } from '../../src/bodies/seams.js';
import { shatter } from '../../src/bodies/shatter.js';
import { joinedMass, solidMass } from '../../src/bodies/solid-mass.js';
import { cross, dot, type Vec } from '../vectors.js';

describe('the impulse through springs', () => {
  test('is passed on along a chain, less what each piece keeps', () => {
    const chain = [0, 1, 2].map((a) => ({ a, b: a + 1, stiffness: a + 1 }));
    const loads = Float64Array.of(3, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0);
    for (const [i, impulse] of [3, 2, 1].entries())
      expect(springImpulses(4, chain, loads)[i]).toBeCloseTo(impulse, 6);
  });

  test('takes the stiffer way', () => {
    const ways = [
      { a: 0, b: 1, stiffness: 1 },
      { a: 0, b: 1, stiffness: 3 },
    ];
    const [soft, stiff] = springImpulses(2, ways, Float64Array.of(0, 4, 0, 0, -4, 0));
    expect(soft).toBeCloseTo(1, 6);
    expect(stiff).toBeCloseTo(3, 6);
  });
});

test('bonds are as wide as the cut', () => {
  const [bond, ...others] = bondsOf(shatter(box(1, 0.2, 0.6), { pieces: 2, seed: 3 }));
  expect(others).toEqual([]);
  expect(bond.area).toBeGreaterThan(0.2 * 0.6 * 0.99);
  expect(bond.area).toBeLessThan(0.2 * Math.hypot(1, 0.6));
});

describe('parts of a cut solid', () => {
  const ring = shatter(torus(0.5, 0.1, 24, 10), { pieces: 24, seed: 4 });
  const seams = new Seams(ring);

  test('all pieces with all seams are the solid', () => {
    const all = new Set(ring.pieces.keys());
    const surface = surfaceOf(ring, new Set([...all, ...seams.within(all)]));
    expect(seams.within(all).length).toBe(ring.cellCount - ring.pieceCount);
    expect(surface.indices.length).toBeLessThan(ring.indices.length);
  });

  test('have no vertex in common, however they are chosen, seed 8', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 30 }), fc.integer({ min: 2, max: 5 }), (seed, count) => {
        const random = new SeededRandom(seed);
        const parts = Array.from({ length: count }, () => new Set<number>());
        for (const piece of ring.pieces.keys()) parts[Math.floor(count * random.next())].add(piece);
        const owners = new Map<number, number>();
        parts.forEach((part, i) => {
          const cells = new Set([...part, ...seams.within(part)]);
          for (const source of surfaceOf(ring, cells).sources) {
            expect(owners.get(source) ?? i).toBe(i);
            owners.set(source, i);
          }
        });
      }),
      { seed: 8, numRuns: runs(40) },
    );
  });
});

test('motions of parts have the momenta of the whole and at most half the energy lost besides, seed 3', () => {
  const fracture = shatter(box(1, 0.2, 0.6), { pieces: 6, seed: 2 });
  const parts = fracture.pieces.map(({ positions, indices }) => solidMass(positions, indices, 1000));
  const whole = joinedMass(parts);
  const times = (m: Float64Array, v: Readonly<Vec>) =>
    [0, 1, 2].map((k) => m[3 * k] * v[0] + m[3 * k + 1] * v[1] + m[3 * k + 2] * v[2]) as Vec;
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  const vector = fc.tuple(number, number, number);
  fc.assert(
    fc.property(
      vector,
      vector,
      vector,
      vector,
      fc.nat(parts.length - 1),
      (velocity, spin, push, place, struck) => {
        const impulse = push.map((x) => 100 * x) as Vec;
        const motions = partMotions(whole, { velocity, spin }, { impulse, place }, parts, struck);
        const total = (
          masses: typeof parts,
          list: readonly { velocity: Readonly<Vec>; spin: Readonly<Vec> }[],
        ) => {
          const sum = [0, 0, 0, 0, 0, 0, 0];
          masses.forEach((mass, i) => {
            const p = list[i].velocity.map((x) => mass.mass * x) as Vec;
            const own = times(inertiaOf(mass.second), list[i].spin);
            const orbit = cross(mass.centre, p);
            for (let k = 0; k < 3; k++) {
              sum[k] += p[k];
              sum[3 + k] += own[k] + orbit[k];
            }
            sum[6] += 0.5 * (dot(p, list[i].velocity) + dot(own, list[i].spin));
          });
          return sum;
        };
        const before = total([whole], [{ velocity, spin }]);
        const after = total(parts, motions);
        for (let k = 0; k < 6; k++) expect(after[k]).toBeCloseTo(before[k], 8);
        // what it would have, struck at rest
        const arm = place.map((x, k) => x - whole.centre[k]) as Vec;
        const still = {
          velocity: impulse.map((x) => x / whole.mass) as Vec,
          spin: times(inverseInertiaOf(whole.second), cross(arm, impulse)),
        };
        const lost = total([whole], [still])[6];
        expect(after[6]).toBeGreaterThan(before[6] - 1e-9);
        expect(after[6] - before[6]).toBeLessThan(0.5 * lost * (1 + 1e-9) + 1e-9);
      },
    ),
    { seed: 3 },
  );
});
