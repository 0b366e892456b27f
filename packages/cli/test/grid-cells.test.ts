import type { StoreGrid, StoreGridAxis } from '@impinge/model';
import { expect, test } from 'vitest';
import { placedLandmarks } from '../src/formats/landmarks.js';
import { GridCells } from '../src/reports/grid-cells.js';

type Axis = readonly [tag: string, family: number, x: number, y: number, dx: number, dy: number];

const gridOf = (...axes: Axis[]): StoreGrid => ({
  axes: axes.map(
    ([tag, family, x, y, dx, dy]): StoreGridAxis => ({
      tag,
      family,
      point: [x, y, 0],
      along: [dx, dy, 0],
    }),
  ),
});

/** A, B, C along x at y = 0, 5, 10, one of them backwards; 1, 2, 3 along y at x = 0, 6, 12. */
const house = gridOf(
  ['B', 0, 9, 5, -1, 0],
  ['A', 0, 0, 0, 1, 0],
  ['C', 0, 0, 10, 1, 0],
  ['1', 1, 0, 0, 0, 1],
  ['3', 1, 12, 7, 0, -1],
  ['2', 1, 6, 0, 0, 1],
);

test.each([
  [[3, 2, 0], 'A–B / 1–2'],
  [[7, 9.9, 99], 'B–C / 2–3'],
  [[-0.1, 2, 0], 'A–B / 1'],
  [[13, -2, 0], 'A / 3'],
] as const)('a point has a cell: %j', (point, cell) => {
  expect(new GridCells([house], 1).cellOf(point)).toBe(cell);
  expect(new GridCells([house], 0.001).cellOf([point[0] / 1000, point[1] / 1000, 0])).toBe(cell);
});

test('axes that are not parallel to the first are left out, and without a grid there is no cell', () => {
  const fan = gridOf(['A', 0, 0, 0, 1, 0], ['X', 0, 0, 2, 1, 1], ['B', 0, 0, 5, 1, 0], ['up', 1, 0, 0, 0, 0]);
  expect(new GridCells([fan], 1).cellOf([0, 3, 0])).toBe('A–B');
  expect(new GridCells([], 1).cellOf([0, 3, 0])).toBe('');
  expect(new GridCells([{ axes: [] }], 1).cellOf([0, 3, 0])).toBe('');
});

test('of several grids the one that has the point decides', () => {
  const annex = placedLandmarks({ grids: [house] }, [1, 0, 0, 0, 1, 0, 0, 0, 1, 100, 0, 0], 1);
  const cells = new GridCells([house, ...annex.grids!], 1);
  expect(cells.cellOf([103, 2, 0])).toBe('A–B / 1–2');
  expect(cells.cellOf([3, 7, 0])).toBe('B–C / 1–2');
});

test('a grid moves with its file', () => {
  // by a quarter turn and 10 aside, in millimetres
  const [turned] = placedLandmarks({ grids: [house] }, [0, -1, 0, 1, 0, 0, 0, 0, 1, 10, 0, 0], 0.001).grids!;
  const at = (x: number, y: number) => new GridCells([turned], 1000).cellOf([10 - y, x, 0]);
  expect(at(3, 2).split(' / ').sort()).toEqual(['1–2', expect.stringMatching(/^(A–B|B–A)$/)].sort());
  expect(turned.axes[1]).toMatchObject({ tag: 'A', point: [0.01, 0, 0], along: [0, 1, 0] });
});
