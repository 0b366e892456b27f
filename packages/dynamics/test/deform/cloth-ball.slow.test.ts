/** The step of the cloth on the ball: every contact on the list is found, and what brute force finds. */
import { expect, test } from 'vitest';
import { LONG } from '../../../../test/budget.js';
import { Deformables, VERTEX_FACE } from '../../src/index.js';
import { clothBall, nameOf } from './cloth-ball.js';
import { expectSameContacts } from './surfaces.js';

const scene = clothBall();

test.skipIf(!scene)('cloth-ball 92 to 93: all 113 854 contacts of the reference list', () => {
  const { start, end, indices, hits } = scene!;
  expect(hits.length).toBe(113_854);
  const detector = new Deformables();
  detector.add({ positions: start, indices }).moveTo(end);
  const events = detector.continuous();
  const found = new Set<string>();
  for (let i = 0; i < events.count; i++) {
    const kind = events.kinds[i] === VERTEX_FACE ? 'vf' : 'ee';
    found.add(nameOf(kind, [...events.vertices.subarray(4 * i, 4 * i + 4)]));
  }
  expect(found.size).toBe(events.count);
  expect(hits.filter((name) => !found.has(name))).toEqual([]);
  detector.dispose();
});

// brute force takes 20 s
test.skipIf(!scene || !LONG)('cloth-ball 92 to 93: the same by every strategy', () => {
  const { start, end, indices } = scene!;
  const cloth = { positions: [...start], end: [...end], indices: [...indices] };
  expect(expectSameContacts([cloth])).toBe(113_854);
});
