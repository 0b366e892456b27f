/** Numbers that the kernels of shapes and their host both have. */
import { expect, test } from 'vitest';
import {
  BOX_GIVEN,
  Kind,
  PLANE_BYTES,
  S,
  ShapeMode,
  ShapeStatus,
} from '../../../src/query/shape/shape-block.js';
import { asConstants, kernelConstants } from '../support/kernel-constants.js';

const kernel = kernelConstants('shapes/layout.ts');

test('the fields of a query', () => {
  const fields = new Map([...kernel].filter(([name]) => name.startsWith('S_')));
  expect(fields).toEqual(asConstants('S_', S));
  expect(fields.size).toBe(Object.keys(S).length);
});

test('sizes, kinds, modes and states', () => {
  const numbers = (...names: string[]) => names.map((name) => kernel.get(name));
  expect(kernel.get('PLANE_BYTES')).toBe(PLANE_BYTES);
  expect(kernel.get('BOX_GIVEN')).toBe(BOX_GIVEN);
  expect(numbers('SPHERE', 'CAPSULE', 'CONVEX')).toEqual(Object.values(Kind));
  expect(numbers('ANY', 'ALL')).toEqual(Object.values(ShapeMode));
  expect(numbers('DONE', 'FULL', 'MET')).toEqual(Object.values(ShapeStatus));
});
