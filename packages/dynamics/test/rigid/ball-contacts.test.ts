/** Two balls against a search over time, and against the kernels that know them as triangles. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import type { PairMotion } from '../../src/rigid/contact-engine.js';
import { ContactSet } from '../../src/rigid/contact-set.js';
import type { ContactShape } from '../../src/rigid/contact-shape.js';
import { GAP, NORMAL } from '../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import { BallContacts } from '../../src/rigid/shapes/ball-contacts.js';

const ball = (radius: number) =>
  rigidBody({ centre: [0, 0, 0], radius, name: 'ball' }).shape.contactShape?.() as ContactShape;
const poseAt = (place: readonly number[]) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, ...place);

test.each([1, 2, 3])('balls are free until they come within a distance, seed %d', (seed) => {
  const random = new SeededRandom(seed);
  const vector = (size: number) => [0, 1, 2].map(() => size * (2 * random.next() - 1));
  const engine = new BallContacts();
  const seen = { free: 0, cut: 0, near: 0 };
  for (let i = 0; i < 80; i++) {
    const [a, b] = [ball(0.2 + random.next()), ball(0.2 + random.next())];
    const distance = 0.3 * random.next();
    const [fromA, toA, fromB, toB] = [1.5, 1.5, 1.5, 3].map((size) => poseAt(vector(size)));
    const motion: PairMotion = { fromA, toA, fromB, toB };
    const apartAt = (share: number) => {
      const gap = [9, 10, 11].map(
        (k) => fromB[k] - fromA[k] + share * (toB[k] - fromB[k] - (toA[k] - fromA[k])),
      );
      return Math.hypot(...gap) - a.radius - b.radius;
    };
    const share = engine.freeShare(a, b, motion, distance);
    const shares = Array.from({ length: 1001 }, (_, k) => k / 1000);
    const first = shares.find((at) => apartAt(at) < distance);
    if (share === 0) {
      seen.near++;
      expect(apartAt(0)).toBeLessThan(distance + 1e-9);
    } else {
      expect(apartAt(share)).toBeGreaterThanOrEqual(distance);
      if (first !== undefined) expect(share).toBeLessThanOrEqual(first);
      if (share < 1) expect(apartAt(share + 1e-9)).toBeLessThan(distance);
      share < 1 ? seen.cut++ : seen.free++;
    }
    for (const shape of [a, b]) shape.dispose();
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(4);
});

test.each([1, 2, 3])('their contact is that of the kernels, seed %d', (seed) => {
  const random = new SeededRandom(seed);
  const memory = new OwnedMemory();
  let found = 0;
  for (let i = 0; i < 50; i++) {
    const [a, b] = [ball(0.2 + random.next()), ball(0.2 + random.next())];
    const way = [0, 1, 2].map(() => 2 * random.next() - 1);
    const apart = 0.2 * random.next();
    const scale = (a.radius + b.radius + apart) / Math.hypot(...way);
    const pose = poseAt(way.map((x) => x * scale));
    const [own, other] = [new ContactSet(), new ContactSet()];
    const kernels = new PairContacts(memory, a, b);
    new BallContacts().contacts({ a, b, pose }, 0.1, own);
    kernels.contacts({ a, b, pose }, 0.1, other);
    expect(own.count).toBe(apart < 0.1 ? 1 : 0);
    expect(other.count).toBe(own.count);
    expect(own.atLeast).toBeLessThanOrEqual(Math.min(0.1, apart) * (1 + 1e-9));
    found += own.count;
    const numbers = ({ data, count, round }: ContactSet) => [
      ...data.subarray(0, count > 0 ? GAP : 0),
      ...round.subarray(0, 2 * count),
    ];
    for (const [k, x] of numbers(own).entries())
      expect(x).toBeCloseTo(numbers(other)[k], k < NORMAL ? 15 : 9);
    kernels.dispose();
    for (const shape of [a, b]) shape.dispose();
  }
  expect(found).toBeGreaterThan(10);
});
