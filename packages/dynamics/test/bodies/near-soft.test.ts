/** Which of the bodies that keep their shape a soft one comes near. */
import { expect, test } from 'vitest';
import { NearSoft } from '../../src/bodies/near-soft.js';
import type { Participant } from '../../src/bodies/solver-state.js';
import { type Body, fixedBody, rigidBody } from '../../src/index.js';
import { box } from './contact-bodies.js';

test('what is near is told by boxes of motions, once in a step', () => {
  const part = (body: Body, start: ArrayLike<number>, end: ArrayLike<number>) =>
    ({ body, start: Float64Array.from(start), end: Float64Array.from(end) }) as unknown as Participant;
  const stone = rigidBody({ name: 'stone', ...box([0.1, 0.1, 0.1], [0, 0, 0]) });
  expect(stone.radius).toBeCloseTo(Math.sqrt(0.03), 6);
  stone.rest();
  const wall = fixedBody({ name: 'wall', positions: [5, 0, 0, 6, 0, 0, 5, 1, 0], indices: [0, 1, 2] });
  const [a, b] = [part(stone, [], []), part(wall, [], [])];
  const near = new NearSoft(0.01);
  near.begin([a, b]);
  expect([near.moves(a), near.moves(b)]).toEqual([true, false]);
  const passing = part(stone, [-1, 0, 0], [1, 0, 0]);
  expect(near.reach(part(stone, [1, 0, 0], [2, 0, 0]), false)).toEqual([]);
  expect(near.reach(passing, false)).toEqual([a]);
  expect(near.reach(passing, false)).toEqual([]);
  expect(near.reach(part(stone, [5, 0, 0], [5, 0, 0]), true)).toEqual([]);
  expect(near.rest()).toEqual([b]);
  expect(near.leftOut.size).toBe(0);
});
