/** Kernels and TypeScript agree on where things lie that rays and points are asked with. */
import { expect, test } from 'vitest';
import { BOX_BLOCK_BYTES, BoxesHeader } from '../../../src/query/ray/box-tree.js';
import { Mode } from '../../../src/query/ray/cast.js';
import { HIT_BYTES, R, RAY_BYTES, RayStatus } from '../../../src/query/ray/ray-block.js';
import { FACES, MODES } from '../../../src/query/ray/ray-input.js';
import { KEY_LEVELS } from '../../../src/query/ray/ray-order.js';
import { asConstants, kernelConstants } from '../support/kernel-constants.js';

const kernel = kernelConstants('rays/layout.ts');
const having = (prefix: string) => new Map([...kernel].filter(([name]) => name.startsWith(prefix)));

test('the fields of a query and of a box tree', () => {
  expect(having('R_')).toEqual(asConstants('R_', R));
  expect(having('BOXES_')).toEqual(asConstants('BOXES_', BoxesHeader));
  expect(having('R_').size).toBe(Object.keys(R).length);
});

test('sizes, modes, faces and states', () => {
  const numbers = ['RAY_BYTES', 'HIT_BYTES', 'BOX_BLOCK', 'DONE', 'FULL'].map((name) => kernel.get(name));
  expect(numbers).toEqual([RAY_BYTES, HIT_BYTES, BOX_BLOCK_BYTES, RayStatus.done, RayStatus.full]);
  expect(kernel.get('KEY_LEVELS')).toBe(KEY_LEVELS);
  expect(['FIRST', 'ANY', 'ALL', 'COUNT'].map((name) => kernel.get(name))).toEqual(Object.values(Mode));
  expect(MODES).toEqual(Object.keys(Mode).slice(0, 3));
  expect(['FRONT', 'BACK'].map((name) => kernel.get(name))).toEqual([1, 2]);
  expect(FACES.slice(1)).toEqual(['front', 'back']);
});
