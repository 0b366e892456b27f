/**
 * What is known of two bodies, and for how long: pairs that are passed over, and contacts that are not believed again.
 */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { runHere } from 'impinge/internal/kernel/schedule.js';
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { ContactFinding } from '../../src/rigid/contact-finding.js';
import { ContactShape } from '../../src/rigid/contact-shape.js';
import { chooseEngine } from '../../src/rigid/engines/choose-engine.js';
import { StepLevels } from '../../src/rigid/engines/step-levels.js';
import { PairBatch } from '../../src/rigid/exact/pair-batch.js';
import { memberOf, ShapeShelf } from '../../src/rigid/member.js';
import { MotionGuard } from '../../src/rigid/motion-guard.js';
import { MovingBodies } from '../../src/rigid/moving-bodies.js';
import { NearBodies } from '../../src/rigid/near-bodies.js';
import { solid } from './rigid-scenes.js';

const THICKNESS = 0.001;
const H = 0.01;

/** Two boxes without weight, a face of the second before an edge of the first: so far away, and coming at a speed. */
function twoBoxes(gap: number, speed: number) {
  const near = new NearBodies(
    THICKNESS,
    chooseEngine({ engine: 'exact', error: 0, thickness: THICKNESS, step: new StepLevels() }),
  );
  const batch = new PairBatch();
  const bodies = new MovingBodies(near, batch, [0, 0, 0]);
  const guard = new MotionGuard(bodies, near, batch, THICKNESS);
  const finding = new ContactFinding(bodies, near, guard, batch, THICKNESS);
  const members = [0, 1].map((slot) => {
    const at = slot * Math.SQRT1_2 * (0.1 + 0.1 * Math.SQRT2 + gap);
    const rigid = solid(box(0.2, 0.2, 0.2), [at, at, 0], {
      orientation: [0, 0, slot * Math.sin(Math.PI / 8), slot === 0 ? 1 : Math.cos(Math.PI / 8)],
      velocity: [-slot * Math.SQRT1_2 * speed, -slot * Math.SQRT1_2 * speed, 0],
    });
    return memberOf(rigid, new ContactShape(rigid.shape, rigid.shape.mass.centre), slot);
  });
  bodies.layOut(members);
  bodies.load(H, new Set());
  const look = () => {
    bodies.begin(H);
    return runHere(finding.find(H));
  };
  /** Moves the second towards the first. */
  const shift = (by: number) => {
    for (const k of [3, 4]) bodies.table.place[k] -= Math.SQRT1_2 * by;
  };
  return { bodies, guard, look, shift };
}

test('two that are farther apart than they go are passed over until they have come that far', () => {
  const { look, shift } = twoBoxes(0.02, 0.1);
  // 1 mm in a look, to within 1.5 mm at the 19th; boxes have them near from the start
  const looks = Array.from({ length: 19 }, () => {
    const pairs = look();
    shift(H * 0.1);
    return pairs.length;
  });
  expect(looks[0]).toBe(1);
  expect(looks.slice(1, 10)).toEqual(new Array(9).fill(0));
  expect(looks.at(-1)).toBe(1);
});

test('a jump counts as what was travelled', () => {
  const { look, shift } = twoBoxes(0.02, 0.1);
  look();
  expect(look()).toHaveLength(0);
  shift(0.018);
  const [pair] = look();
  expect(pair.set.count).toBe(2);
  expect(pair.least).toBeCloseTo(0.002, 6);
});

test('contacts that did not hold two apart are found anew, though nothing moved', () => {
  const { bodies, guard, look, shift } = twoBoxes(0.0012, 0);
  const [pair] = look();
  expect(pair.set.count).toBe(2);
  const { renewals } = pair;
  look();
  expect(pair.renewals).toBe(renewals);
  // a motion into the other, as if contacts had not been there
  const { table, startPlace } = bodies;
  shift(0.01);
  const held = runHere(guard.hold(H, 0.02, false));
  expect(held.share).toBeLessThan(0.2);
  table.place.set(startPlace);
  look();
  expect(pair.renewals).toBe(renewals + 1);
});

test('contacts hold until both have travelled, or changed their motion, by the margin of the search', () => {
  const { bodies, look, shift } = twoBoxes(0.0012, 0.01);
  const [pair] = look();
  expect(pair.set.count).toBe(2);
  const { renewals } = pair;
  // half the thickness in all: a quarter on the way, then a quarter more in a search
  shift(0.00024);
  look();
  expect(pair.renewals).toBe(renewals);
  bodies.table.velocity[3] -= 0.00024 / H;
  look();
  expect(pair.renewals).toBe(renewals);
  bodies.table.velocity[3] -= 0.00004 / H;
  look();
  expect(pair.renewals).toBe(renewals + 1);
});

test('a distance that was found is less what both have travelled since', () => {
  const { bodies, guard, look, shift } = twoBoxes(0.0012, 0);
  const [pair] = look();
  const { renewals } = pair;
  shift(0.0003);
  look();
  expect(pair.renewals).toBe(renewals);
  // an eighth of the thickness is kept of the 0.9 mm that are left
  shift(0.0007);
  expect(runHere(guard.hold(H, 0.02, false)).share).toBe(1);
  bodies.table.place.set(bodies.startPlace);
  shift(0.0008);
  expect(runHere(guard.hold(H, 0.02, false)).share).toBeLessThan(1);
});

test.each([1, 2, 3])(
  'balls are free where their centres pass far enough, and only there, seed %d',
  (seed) => {
    const random = new SeededRandom(seed);
    const vector = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random.next() - 1));
    const near = new NearBodies(
      THICKNESS,
      chooseEngine({ engine: 'exact', error: 0, thickness: THICKNESS, step: new StepLevels() }),
    );
    const batch = new PairBatch();
    const bodies = new MovingBodies(near, batch, [0, 0, 0]);
    const guard = new MotionGuard(bodies, near, batch, THICKNESS);
    const shelf = new ShapeShelf();
    const members = [0, 1].map((slot) => {
      const ball = rigidBody({ name: `${slot}`, centre: [0, 0, 0], radius: 0.1 }, { position: [slot, 0, 0] });
      return memberOf(ball, shelf.take(ball), slot);
    });
    bodies.layOut(members);
    bodies.load(H, new Set());
    const { place } = bodies.table;
    let [free, blocked] = [0, 0];
    for (let round = 0; round < 200; round++) {
      let start = vector(0.5);
      while (Math.hypot(...start) < 0.21) start = vector(0.5);
      const ways = [vector(0.6), vector(0.6)];
      place.set([0, 0, 0, ...start]);
      bodies.begin(H);
      for (const [i, way] of ways.entries()) for (let k = 0; k < 3; k++) place[3 * i + k] += way[k];
      const { share } = runHere(guard.hold(H, 0, true));
      let least = Infinity;
      for (let t = 0; t <= 1; t += 0.001)
        least = Math.min(least, Math.hypot(...start.map((x, k) => x + t * (ways[1][k] - ways[0][k]))));
      if (share === 1) expect(least).toBeGreaterThan(0.2);
      else expect(least).toBeLessThan(0.2 + THICKNESS);
      if (share === 1) free++;
      else blocked++;
    }
    expect(Math.min(free, blocked)).toBeGreaterThan(5);
    near.dispose();
    shelf.dispose();
  },
);
