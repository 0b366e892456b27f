/** Where a motion is not free for some bodies: which others may keep it, and what that means for the step. */
import { runHere } from 'impinge/internal/kernel/schedule.js';
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { ContactFinding } from '../../src/rigid/contact-finding.js';
import { ContactShape } from '../../src/rigid/contact-shape.js';
import { chooseEngine } from '../../src/rigid/engines/choose-engine.js';
import { StepLevels } from '../../src/rigid/engines/step-levels.js';
import { PairBatch } from '../../src/rigid/exact/pair-batch.js';
import { memberOf } from '../../src/rigid/member.js';
import { MotionGuard } from '../../src/rigid/motion-guard.js';
import { MovingBodies } from '../../src/rigid/moving-bodies.js';
import { NearBodies } from '../../src/rigid/near-bodies.js';
import { disposed, solid, wholeEnergy } from './rigid-scenes.js';

const THICKNESS = 0.001;
const H = 0.01;
const SIDE = 0.2;

/** Cubes without weight in a row, with these gaps between them. */
function row(gaps: readonly number[]) {
  const settings = { engine: 'exact', error: 0, thickness: THICKNESS, step: new StepLevels() } as const;
  const near = new NearBodies(THICKNESS, chooseEngine(settings));
  const batch = new PairBatch();
  const bodies = new MovingBodies(near, batch, [0, 0, 0]);
  const guard = new MotionGuard(bodies, near, batch, THICKNESS);
  const finding = new ContactFinding(bodies, near, guard, batch, THICKNESS);
  let x = 0;
  const members = [0, ...gaps].map((gap, slot) => {
    x += slot === 0 ? 0 : SIDE + gap;
    const rigid = solid(box(SIDE, SIDE, SIDE), [x, 0, 0]);
    return memberOf(rigid, new ContactShape(rigid.shape, rigid.shape.mass.centre), slot);
  });
  bodies.layOut(members);
  bodies.load(H, new Set());
  bodies.begin(H);
  const pairs = runHere(finding.find(H));
  return { bodies, guard, pairs };
}

test('those keep their motion that no blocked one comes near, nor one that another of these does', () => {
  const { bodies, guard, pairs } = row([0.0012, 0.05, 0.05, 1]);
  const { place } = bodies.table;
  const start = place.slice();
  // the second into the first; the third and the fourth stay out of reach
  place[3] -= 0.01;
  const { share } = runHere(guard.hold(H, 0.02, true));
  expect(share).toBeLessThan(1);
  expect([...guard.unaffected(pairs)]).toEqual([0, 0, 1, 1, 1]);
  // the third comes near the second, and the fourth near the third
  place.set(start);
  place[3] -= 0.01;
  place[6] -= 0.0495;
  place[9] -= 0.0495;
  runHere(guard.hold(H, 0.02, true));
  expect([...guard.unaffected(pairs)]).toEqual([0, 0, 0, 0, 1]);
});

test('those with contacts of blocked ones go with these, though they part', () => {
  const { bodies, guard, pairs } = row([0.0012, 0.0012, 0.05]);
  expect(pairs.filter(({ set }) => set.count > 0)).toHaveLength(2);
  const { place } = bodies.table;
  place[3] -= 0.01;
  place[6] += 0.02;
  runHere(guard.hold(H, 0.02, true));
  expect([...guard.unaffected(pairs)]).toEqual([0, 0, 0, 1]);
});

test('among many, those alone that block each other make less of their motions, and who would run into them', () => {
  const gaps = Array.from({ length: 127 }, (_, i) => (i === 0 ? 0.0012 : 0.05));
  const { bodies, guard } = row(gaps);
  const { place } = bodies.table;
  const start = place.slice();
  // the second into the first; the third to where the second would leave it room; the fourth out of the way
  place[3] -= 0.01;
  place[6] -= 0.0545;
  place[9] += 0.02;
  const aims = place.slice();
  const { share, shortened } = runHere(guard.hold(H, 0.02, true));
  expect([share, ...shortened]).toEqual([1, 0, 1, 2]);
  for (let i = 0; i + 1 < bodies.members.length; i++)
    expect(place[3 * i + 3] - place[3 * i]).toBeGreaterThan(SIDE + THICKNESS / 10);
  for (const i of shortened.slice(1)) {
    const made = (place[3 * i] - start[3 * i]) / (aims[3 * i] - start[3 * i]);
    expect(made).toBeGreaterThan(0.05);
    expect(made).toBeLessThan(0.95);
  }
  expect(place.slice(9)).toEqual(aims.slice(9));
  // not where these are too many
  const few = row(gaps.slice(0, 80));
  few.bodies.table.place.set(aims.slice(0, 243));
  expect(runHere(few.guard.hold(H, 0.02, true)).share).toBeLessThan(1);
});

test('those that are through with a step stay for the others, and move again in the next', () => {
  const { bodies } = row([0.01, 0.01]);
  const { place } = bodies.table;
  place[6] += 0.005;
  bodies.complete(Uint8Array.of(0, 0, 1));
  expect([...bodies.awake]).toEqual([1, 1, 0]);
  expect([0, 1, 2].map((i) => bodies.staysFor(i))).toEqual([false, false, true]);
  // the others begin again where they began, and it stays where it came to
  place[3] += 0.005;
  bodies.restart();
  expect(place[3]).toBe(bodies.startPlace[3]);
  expect(place[6]).toBe(bodies.startPlace[6]);
  expect(place[6]).toBeCloseTo(2 * (SIDE + 0.01) + 0.005, 12);
  bodies.all();
  expect([...bodies.awake]).toEqual([1, 1, 1]);
});

test('columns that strike the ground beside each other lose no time, meet nowhere and gain no energy', () => {
  const [half, side] = [0.1, 4];
  const simulation = new Simulation({ dt: 1 / 60, thickness: THICKNESS, friction: 0.4 });
  disposed(simulation, () => {
    simulation.add(fixedBody({ min: [-9, -1, -9], max: [9, 0, 9] }));
    const first = rigidBody({ min: [-half, -half, -half], max: [half, half, half] });
    const cubes = Array.from({ length: side ** 3 }, (_, i) => {
      const [x, y, z] = [i % side, Math.floor(i / side ** 2), Math.floor(i / side) % side];
      const position = [
        0.24 * x + 0.02 * Math.sin(i),
        0.2 + 0.24 * y,
        0.24 * z + 0.02 * Math.cos(3 * i),
      ] as const;
      return first.copy({ name: `${i}`, position });
    });
    for (const cube of cubes) simulation.add(cube);
    let least = wholeEnergy(cubes);
    for (let step = 0; step < 40; step++) {
      expect(simulation.step().shortened).toBe(0);
      const energy = wholeEnergy(cubes);
      // contacts that were too near are moved apart
      expect(energy).toBeLessThan(least * (1 + 1e-5));
      least = Math.min(least, energy);
    }
    expect(simulation.intersections()).toBe(0);
  });
});
