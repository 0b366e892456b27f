/**
 * A solid of components that touch was said to cross its own copy: at a foot on a block, faces were taken for sides.
 */
import { expect, it } from 'vitest';
import { contains } from '../../src/query/solid/containment.js';
import { gridBox, mesh, moved, united } from '../query/solid/solids.js';

const block = gridBox([0, 0, 0], [1, 1, 1], 4);
const foot = gridBox([1, 1, 4], [2, 2, 2]);

it('is equal to itself, and lies in what holds it', () => {
  const solid = mesh(united(block, foot));
  expect(contains(solid, mesh(united(block, foot))).relation).toBe('equal');
  expect(contains(solid, mesh(united(foot, moved(block, 0)))).relation).toBe('equal');
  expect(contains(mesh(united(block, gridBox([1, 1, 4], [2, 2, 1]))), solid).relation).toBe('a-inside-b');
  expect(contains(solid, mesh(foot)).relation).toBe('b-inside-a');
  expect(contains(solid, mesh(moved(foot, 1))).relation).toBe('crossing');
});
