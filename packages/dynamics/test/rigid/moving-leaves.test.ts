/** Walks over trees for pairs with very many near leaves: what they prove and find, beside lists and brute force. */
import { arena } from 'impinge/internal/base/arena.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/solids.mjs';
import { least, runs } from '../../../../test/budget.js';
import { writeMatrix } from '../../src/bodies/rotation.js';
import { CONTACT_NUMBERS, ContactSet } from '../../src/rigid/contact-set.js';
import type { ContactShape } from '../../src/rigid/contact-shape.js';
import { relativePose } from '../../src/rigid/engines/pair-motion.js';
import { GAP, P } from '../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import { distanceAt, shapeOf } from './engines/posed-shapes.js';

const RING = () => shapeOf('ring', torus(0.3, 0.08, 24, 12));
const BALL = () => shapeOf('ball', icosphere(3, 0.2));
const BAR = () => shapeOf('bar', box(0.2, 0.1, 0.3));

/** An engine that walks in any case. */
function walking(a: ContactShape, b: ContactShape): PairContacts {
  const engine = new PairContacts(new OwnedMemory(), a, b);
  arena().u32()[(engine.block.at + P.heavy) >>> 2] = 1;
  return engine;
}

function randomPose(random: SeededRandom, far: number): Float64Array {
  const signed = () => 2 * random.next() - 1;
  const raw = [signed(), signed(), signed(), signed()];
  const pose = new Float64Array(12);
  writeMatrix(
    Float64Array.from(raw, (x) => x / Math.hypot(...raw)),
    0,
    pose,
    0,
  );
  for (let k = 9; k < 12; k++) pose[k] = far * signed();
  return pose;
}

/** A pose turned about an axis through the centre, and moved. */
function moved(pose: Float64Array, way: readonly number[], turn: readonly number[]): Float64Array {
  const angle = Math.hypot(...turn);
  const half = angle === 0 ? 0 : Math.sin(angle / 2) / angle;
  const by = new Float64Array(12);
  writeMatrix(Float64Array.of(half * turn[0], half * turn[1], half * turn[2], Math.cos(angle / 2)), 0, by, 0);
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++)
      out[3 * i + j] = by[3 * i] * pose[j] + by[3 * i + 1] * pose[3 + j] + by[3 * i + 2] * pose[6 + j];
    out[9 + i] = pose[9 + i] + way[i];
  }
  return out;
}

test.each([
  [1, 'ring and bar', RING, BAR],
  [2, 'ball in ring', RING, BALL],
  [3, 'ring and ring', RING, RING],
])(
  'motions that walks prove free come nowhere near, and they are as many as with lists, seed %i, %s',
  (seed, _n, ofA, ofB) => {
    const random = new SeededRandom(seed);
    const [a, b] = [ofA(), ofB()];
    const kept = 0.002;
    let [held, cut, listed] = [0, 0, 0];
    for (let run = 0; run < runs(150); run++) {
      const signed = (size: number) => size * (2 * random.next() - 1);
      const [fromA, fromB] = [randomPose(random, 0.05), randomPose(random, 0.5)];
      if (distanceAt(a, b, relativePose(fromA, fromB)) <= kept) continue;
      const [wayA, turnA, wayB, turnB] = [0.1, 0.1, 0.15, 0.3].map((size) =>
        [0, 1, 2].map(() => signed(size)),
      );
      const motion = { fromA, toA: moved(fromA, wayA, turnA), fromB, toB: moved(fromB, wayB, turnB) };
      if (new PairContacts(new OwnedMemory(), a, b).planesHold(motion, kept)) listed++;
      let nearest = Infinity;
      for (let i = 0; i <= 16; i++) {
        const at = (x: readonly number[]) => x.map((value) => (i / 16) * value);
        const pose = relativePose(moved(fromA, at(wayA), at(turnA)), moved(fromB, at(wayB), at(turnB)));
        nearest = Math.min(nearest, distanceAt(a, b, pose));
      }
      if (nearest <= kept) cut++;
      if (!walking(a, b).planesHold(motion, kept)) continue;
      held++;
      expect(nearest).toBeGreaterThan(kept - 1e-12);
    }
    expect(held).toBeGreaterThanOrEqual(least(20));
    expect(cut).toBeGreaterThanOrEqual(least(10));
    expect(held).toBeGreaterThanOrEqual(listed);
  },
);

test.each([
  [4, 'ring and bar', RING, BAR],
  [5, 'ball in ring', RING, BALL],
  [6, 'ring and ring', RING, RING],
])('walks find the contacts that lists find, seed %i, %s', (seed, _name, ofA, ofB) => {
  const random = new SeededRandom(seed);
  const [a, b] = [ofA(), ofB()];
  let found = 0;
  for (let run = 0; run < runs(120); run++) {
    const pose = randomPose(random, 0.4);
    const reach = 0.02 + 0.05 * random.next();
    const apart = distanceAt(a, b, pose);
    if (apart === 0) continue;
    const [walked, listed] = [walking(a, b), new PairContacts(new OwnedMemory(), a, b)].map((engine) => {
      const set = new ContactSet();
      engine.findAll({ a, b, pose }, reach, set);
      const rows = Array.from({ length: set.count }, (_, i) => [
        set.ids[i],
        set.data[CONTACT_NUMBERS * i + GAP],
      ]);
      expect(set.atLeast).toBeLessThanOrEqual(apart + 1e-9);
      return rows.sort(([id, gap], [other, width]) => id - other || gap - width);
    });
    expect(walked).toEqual(listed);
    found += walked.length;
  }
  expect(found).toBeGreaterThanOrEqual(least(30));
});
