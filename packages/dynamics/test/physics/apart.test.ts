/** Bodies that meet are told, so that scenes which end without any mean something. */
import { expect, test } from 'vitest';
import { fixedBody, rigidBody } from '../../src/index.js';
import { meetingPairs } from './apart.js';

test.each([
  [0.9, ['floor box']],
  [1, ['floor box']],
  [1.0001, []],
])('a box %d above the middle of another', (height, found) => {
  const cube = { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] } as const;
  const box = rigidBody({ ...cube, name: 'box' }, { position: [0.2, height, 0.1] });
  expect(meetingPairs([fixedBody({ ...cube, name: 'floor' }), box])).toEqual(found);
});
