/** Which bodies are near each other, kept up to date by what changes, against boxes compared one by one. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { ContactShape } from '../../src/rigid/contact-shape.js';
import { chooseEngine } from '../../src/rigid/engines/choose-engine.js';
import { StepLevels } from '../../src/rigid/engines/step-levels.js';
import { PairBatch } from '../../src/rigid/exact/pair-batch.js';
import { type Member, memberOf } from '../../src/rigid/member.js';
import { MovingBodies } from '../../src/rigid/moving-bodies.js';
import { NearBodies } from '../../src/rigid/near-bodies.js';
import { solid } from './rigid-scenes.js';

const THICKNESS = 0.001;

test.each([1, 2, 3])('pairs of boxes that come, move and go are all listed, in order, seed %d', (seed) => {
  const random = new SeededRandom(seed);
  const near = new NearBodies(
    THICKNESS,
    chooseEngine({ engine: 'exact', error: 0, thickness: THICKNESS, step: new StepLevels() }),
  );
  const bodies = new MovingBodies(near, new PairBatch(), [0, 0, 0]);
  const shape = solid(box(0.2, 0.2, 0.2), [0, 0, 0]).shape;
  const contactShape = new ContactShape(shape, shape.mass.centre);
  const place = () => [0, 1, 2].map(() => 0.9 * random.next());
  const free: number[] = [];
  const members: Member[] = [];
  const enter = () =>
    members.push(memberOf(solid(box(0.2, 0.2, 0.2), place()), contactShape, free.pop() ?? members.length));
  for (let i = 0; i < 24; i++) enter();
  bodies.layOut(members);
  const known = new Map<string, unknown>();
  for (let step = 0; step < 60; step++) {
    if (step % 7 === 6) {
      const [gone] = members.splice(Math.floor(random.next() * members.length), 1);
      near.remove(gone);
      free.push(gone.slot);
      if (step % 2 === 0) enter();
      bodies.layOut(members);
      known.clear();
    }
    for (const { rigid } of members)
      if (rigid && random.next() < 0.3)
        rigid.position = rigid.position.map(
          (x) => x + 0.2 * (random.next() - 0.5),
        ) as unknown as typeof rigid.position;
    bodies.load(0.01, new Set());
    bodies.begin(0.01);
    const pairs = near.pairs(members);
    const order = pairs.map(({ a, b }) => a.index * members.length + b.index);
    expect(order).toEqual([...order].sort((p, q) => p - q));
    expect(new Set(order).size).toBe(order.length);
    const listed = new Set(order);
    const within = new Set(near.within(THICKNESS, bodies, bodies.motion, () => -1));
    expect(new Set(pairs.map(({ place: at }) => at)).size).toBe(pairs.length);
    for (const a of members)
      for (const b of members)
        if (a.index < b.index && near.mayTouch(a, b))
          expect(listed.has(a.index * members.length + b.index)).toBe(true);
    // nothing is known of any yet, and nothing to be forgotten
    for (const pair of pairs) {
      pair.target = THICKNESS;
      near.keepApart(pair);
      expect(within.has(pair) || !near.mayTouch(pair.a, pair.b)).toBe(true);
    }
    // what is known of two stays, as long as they are near
    for (const pair of pairs) {
      const name = `${pair.a.slot} ${pair.b.slot}`;
      const before = known.get(name);
      if (before) expect(pair).toBe(before);
    }
    known.clear();
    for (const pair of pairs) known.set(`${pair.a.slot} ${pair.b.slot}`, pair);
  }
  near.dispose();
  contactShape.dispose();
});

test('bodies that fall together are near where one is in the way of the other, and not beside each other', () => {
  const near = new NearBodies(
    THICKNESS,
    chooseEngine({ engine: 'exact', error: 0, thickness: THICKNESS, step: new StepLevels() }),
  );
  const bodies = new MovingBodies(near, new PairBatch(), [0, 0, 0]);
  const places = [
    [0, 0, 0],
    [0.3, 0, 0],
    [0, -0.28, 0],
  ];
  const members = places.map((place, slot) => {
    const rigid = solid(box(0.2, 0.2, 0.2), place, { velocity: [0, -9, 0] });
    return memberOf(rigid, new ContactShape(rigid.shape, rigid.shape.mass.centre), slot);
  });
  bodies.layOut(members);
  bodies.load(0.01, new Set());
  bodies.begin(0.01);
  const [a, b, c] = members;
  expect([near.mayTouch(a, b), near.mayTouch(a, c), near.mayTouch(b, c)]).toEqual([false, true, false]);
  // the second one turns, so that its corners reach aside
  bodies.table.spin.set([0, 90, 0], 3);
  bodies.begin(0.01);
  expect(near.mayTouch(a, b)).toBe(true);
  near.dispose();
  for (const { shape } of members) shape.dispose();
});

test('balls that are told to be far apart are left out, until they have moved as far', () => {
  const settings = { engine: 'exact', error: 0, thickness: THICKNESS, step: new StepLevels() } as const;
  const near = new NearBodies(THICKNESS, chooseEngine(settings));
  const bodies = new MovingBodies(near, new PairBatch(), [0, 0, 0]);
  const first = rigidBody({ centre: [0, 0, 0], radius: 0.1, name: 'ball' });
  const shape = first.shape.contactShape?.() as ContactShape;
  const places = [-0.12, 0, 0.12].flatMap((x) => [-0.12, 0, 0.12].map((z) => [x, 0, z] as const));
  const members = places.map((position, slot) =>
    memberOf(first.copy({ position, velocity: [0, 9, 0] }), shape, slot),
  );
  bodies.layOut(members);
  bodies.load(0.01, new Set());
  bodies.begin(0.01);
  for (const pair of near.pairs(members)) {
    pair.target = THICKNESS;
    near.keepApart(pair);
  }
  const { place } = bodies.table;
  const apart = (a: number, b: number, radii: number) =>
    Math.hypot(...[0, 1, 2].map((k) => place[3 * b + k] - place[3 * a + k])) - radii;
  const LIMIT = -0.05;
  let asked = 0;
  const told = (a: number, b: number, radii: number) => {
    asked++;
    return apart(a, b, radii) > LIMIT ? 1 + apart(a, b, radii) : -1;
  };
  const all = near.within(THICKNESS, bodies, bodies.motion, () => -1);
  const left = new Set(near.within(THICKNESS, bodies, bodies.motion, told));
  expect(left.size).toBeGreaterThan(4);
  expect(all.length).toBeGreaterThan(left.size);
  for (const pair of all) {
    const { a, b } = pair;
    const distance = apart(a.index, b.index, 0.2);
    expect(left.has(pair)).toBe(distance <= LIMIT);
    expect(near.leastApart(pair)).toBeCloseTo(left.has(pair) ? 0 : 1 + distance, 12);
  }
  const before = asked;
  near.within(THICKNESS, bodies, bodies.motion, told);
  expect(asked - before).toBe(left.size);
  for (const i of members.keys()) bodies.travelled[i] += 0.6;
  near.within(THICKNESS, bodies, bodies.motion, told);
  expect(asked - before - left.size).toBe(all.length);
  near.dispose();
  shape.dispose();
});
