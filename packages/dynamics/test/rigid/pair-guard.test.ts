/** Planes between moving surfaces: where they hold, the exact search over time finds nothing either. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/solids.mjs';
import { least, runs } from '../../../../test/budget.js';
import { turnAt, writeMatrix } from '../../src/bodies/rotation.js';
import { ContactShape } from '../../src/rigid/contact-shape.js';
import { relativePose } from '../../src/rigid/engines/pair-motion.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import { searchedShareOf } from '../../src/rigid/searched-share.js';
import { distanceAt, shapeOf, surfaceOf } from './engines/posed-shapes.js';

/** A pose after a share of a straight way and a turn. */
function poseAt(
  q: ArrayLike<number>,
  from: readonly number[],
  way: readonly number[],
  turn: readonly number[],
  share: number,
) {
  const rotation = Float64Array.from(q);
  turnAt(rotation, 0, share * turn[0], share * turn[1], share * turn[2]);
  const pose = new Float64Array(12);
  writeMatrix(rotation, 0, pose, 0);
  for (let k = 0; k < 3; k++) pose[9 + k] = from[k] + share * way[k];
  return pose;
}

const RING = () => shapeOf('ring', torus(0.3, 0.08, 8, 5));
const BALL = () => shapeOf('ball', icosphere(2, 0.3));

test.each([
  [3, 0.2, 'ring', RING],
  [4, 0.8, 'ring', RING],
  [7, 0.2, 'ball', BALL],
  [8, 0.8, 'ball', BALL],
])(
  'hold only where nothing comes near, and say how much is free where they do not, seed %i, turns up to %d, %s',
  (seed, most, _name, other) => {
    const random = new SeededRandom(seed);
    const signed = (size: number) => size * (2 * random.next() - 1);
    const [a, b] = [other(), shapeOf('box', box(0.2, 0.1, 0.3))];
    const engine = new PairContacts(new OwnedMemory(), a, b);
    const apart = (p: Float64Array, q: Float64Array) => distanceAt(a, b, relativePose(p, q));
    const kept = 0.002;
    let [held, cut] = [0, 0];
    for (let run = 0; run < runs(40); run++) {
      const sides = [0, 1].map((side) => {
        const raw = [signed(1), signed(1), signed(1), signed(1)];
        const q = raw.map((x) => x / Math.hypot(...raw));
        const from = [signed(0.5) * side, signed(0.5) * side, signed(0.5) * side];
        const way = [signed(0.25), signed(0.25), signed(0.25)];
        const turn = [signed(most), signed(most), signed(most)];
        return (share: number) => poseAt(q, from, way, turn, share);
      });
      const [ofA, ofB] = sides;
      if (apart(ofA(0), ofB(0)) <= kept) continue;
      const motion = { fromA: ofA(0), toA: ofA(1), fromB: ofB(0), toB: ofB(1) };
      const share = engine.freeShare(a, b, motion, kept);
      if (engine.planesHold(motion, kept)) {
        held++;
        expect(share).toBe(1);
      } else if (share < 1) cut++;
      for (let i = 0; i <= 32; i++) {
        const at = (i / 32) * share;
        expect(apart(ofA(at), ofB(at))).toBeGreaterThan(
          kept * (share < 1 && i === 32 ? 1 - 1e-6 : 1) - 1e-12,
        );
      }
    }
    expect(held).toBeGreaterThanOrEqual(least(5));
    expect(cut).toBeGreaterThanOrEqual(least(2));
  },
);

test.each([
  [5, 0.1, 'ring', RING],
  [6, 0.8, 'ring', RING],
  [9, 0.1, 'ball', BALL],
  [10, 0.8, 'ball', BALL],
])('never hold where two come a little too near, seed %i, turns up to %d, %s', (seed, most, _name, other) => {
  const random = new SeededRandom(seed);
  const signed = (size: number) => size * (2 * random.next() - 1);
  const shapes = [other(), shapeOf('box', box(0.2, 0.1, 0.3))];
  const kept = 0.002;
  let tried = 0;
  for (let run = 0; run < runs(60); run++) {
    const [a, b] = run % 2 === 0 ? shapes : [...shapes].reverse();
    const engine = new PairContacts(new OwnedMemory(), a, b);
    const [ofA, ofB] = [0, 1].map(() => {
      const raw = [signed(1), signed(1), signed(1), signed(1)];
      const q = raw.map((x) => x / Math.hypot(...raw));
      const way = [signed(0.05), signed(0.05), signed(0.05)];
      const turn = [signed(most), signed(most), signed(most)];
      return (share: number, from: readonly number[]) => poseAt(q, from, way, turn, share);
    });
    const aside = [signed(1), signed(1), signed(1)];
    const size = Math.hypot(...aside);
    const shares = Array.from({ length: 33 }, (_, i) => i / 32);
    const placed = (far: number) => aside.map((x) => (far * x) / size);
    const nearest = (far: number) =>
      Math.min(
        ...shares.map((at) => distanceAt(a, b, relativePose(ofA(at, [0, 0, 0]), ofB(at, placed(far))))),
      );
    // as near as it takes for the least distance to be just below the one to keep
    let [near, far] = [0, 1];
    for (let i = 0; i < 24; i++) {
      const middle = (near + far) / 2;
      if (nearest(middle) < 0.99 * kept) near = middle;
      else far = middle;
    }
    const from = placed(near);
    const motion = {
      ...{ fromA: ofA(0, [0, 0, 0]), toA: ofA(1, [0, 0, 0]) },
      ...{ fromB: ofB(0, from), toB: ofB(1, from) },
    };
    // a box may be in the ring without touching it, or too near at the start
    if (nearest(near) >= kept || distanceAt(a, b, relativePose(motion.fromA, motion.fromB)) <= kept) continue;
    tried++;
    expect(engine.planesHold(motion, kept)).toBe(false);
  }
  expect(tried).toBeGreaterThanOrEqual(least(10));
});

test('planes turn with bodies that lie on each other and turn together, and count how centres cut corners', () => {
  const [a, b] = [0, 1].map((i) => new ContactShape(surfaceOf(`${i}`, box(0.2, 0.1, 0.3)), [0, 0, 0]));
  const engine = new PairContacts(new OwnedMemory(), a, b);
  const random = new SeededRandom(12);
  const kept = 0.0005;
  let [held, near] = [0, 0];
  for (let run = 0; run < runs(60); run++) {
    const turn = 0.05 + 0.23 * random.next();
    const gap = 0.004 * random.next();
    const far = 0.5 * (0.2 + gap);
    const [ofA, ofB] = [-1, 1].map((side) => (share: number) => {
      const place = [side * far * Math.cos(turn / 2), side * (2 * share - 1) * far * Math.sin(turn / 2), 0];
      return poseAt(
        [0, 0, -Math.sin(turn / 4), Math.cos(turn / 4)],
        place,
        [0, 0, 0],
        [0, 0, share * turn],
        1,
      );
    });
    const motion = { fromA: ofA(0), toA: ofA(1), fromB: ofB(0), toB: ofB(1) };
    const shares = Array.from({ length: 33 }, (_, i) => i / 32);
    const nearest = Math.min(...shares.map((at) => distanceAt(a, b, relativePose(ofA(at), ofB(at)))));
    const holds = engine.planesHold(motion, kept);
    if (nearest < kept) {
      near++;
      expect(holds).toBe(false);
    } else if (nearest > kept + (0.2 * turn * turn) / 8) {
      held++;
      expect(holds).toBe(true);
    }
  }
  expect(near).toBeGreaterThanOrEqual(least(5));
  expect(held).toBeGreaterThanOrEqual(least(5));
});

test('planes follow what moves straight past something, until the exact search finds that it comes near', () => {
  const random = new SeededRandom(14);
  const signed = (size: number) => size * (2 * random.next() - 1);
  const [a, b] = [RING(), shapeOf('box', box(0.2, 0.1, 0.3))];
  const engine = new PairContacts(new OwnedMemory(), a, b);
  const kept = 0.002;
  const still = poseAt([0, 0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], 0);
  let [free, cut] = [0, 0];
  for (let run = 0; run < runs(400); run++) {
    const raw = [signed(1), signed(1), signed(1), signed(1)];
    const q = raw.map((x) => x / Math.hypot(...raw));
    const from = [signed(0.6), signed(0.6), signed(0.6)];
    const way = [signed(0.8), signed(0.8), signed(0.8)];
    const [fromB, toB] = [0, 1].map((share) => poseAt(q, from, way, [0, 0, 0], share));
    const motion = { fromA: still, toA: still, fromB, toB };
    if (distanceAt(a, b, relativePose(still, fromB)) <= 2 * kept) continue;
    const holds = engine.planesHold(motion, kept);
    if (searchedShareOf(a, b, motion, 2 * kept) === 1) {
      free++;
      expect(holds).toBe(true);
    } else if (searchedShareOf(a, b, motion, 0.9 * kept) < 1) {
      cut++;
      expect(holds).toBe(false);
    }
  }
  expect(free).toBeGreaterThanOrEqual(least(20));
  expect(cut).toBeGreaterThanOrEqual(least(20));
});
