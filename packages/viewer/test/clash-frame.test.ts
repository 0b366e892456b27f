import { expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { clashSide, type Triangles } from '../src/picture/clash-frame.js';
import type { Point } from '../src/picture/types.js';
import { add, subtract } from '../src/picture/vectors.js';
import { box, moved, trianglesOf } from './small-model.js';

/** The triangles of a box. */
function solid(min: Point, max: Point): Triangles {
  const [x, y, z] = add(min, subtract(max, min), 0.5);
  return trianglesOf(box(...subtract(max, min)), moved(x, y, z));
}

const beam = solid([-2, -0.3, -0.3], [2, 0.3, 0.3]);
const plate = solid([-0.1, -1.5, -1.5], [0.1, 1.5, 1.5]);
const contact = [-0.15, -0.35, -0.35, 0.15, 0.35, 0.35];
/** The walls of a room; one may be missing. */
const WALLS: Readonly<Record<string, Triangles>> = {
  '-x': solid([-3.1, -3, -3], [-3, 3, 3]),
  '+x': solid([3, -3, -3], [3.1, 3, 3]),
  '-y': solid([-3, -3.1, -3], [3, -3, 3]),
  '+y': solid([-3, 3, -3], [3, 3.1, 3]),
  '-z': solid([-3, -3, -3.1], [3, 3, -3]),
  '+z': solid([-3, -3, 3], [3, 3, 3.1]),
};
const room = (open: string) => Object.entries(WALLS).flatMap(([side, wall]) => (side === open ? [] : [wall]));

full('both are seen where they meet', () => {
  const { seen } = clashSide({ contact, solids: [beam, plate] });
  expect(Math.min(...seen)).toBeGreaterThan(0.004);
});

full.each([
  ['-x', 0, 1],
  ['+x', 0, -1],
  ['-y', 1, 1],
  ['+y', 1, -1],
  ['+z', 2, -1],
])('in a room that is open at %s one looks in there', (open, axis, sign) => {
  const { direction, seen } = clashSide({ contact, solids: [beam, plate, ...room(open)] });
  expect(sign * direction[axis]).toBeGreaterThan(0.3);
  expect(seen[0] + seen[1]).toBeGreaterThan(0.004);
});

full('under a slab one looks up', () => {
  const slab = solid([-9, -9, 1.6], [9, 9, 1.8]);
  const { direction, seen } = clashSide({ contact, solids: [beam, plate, slab] });
  expect(direction[2]).toBeGreaterThan(0);
  expect(Math.min(...seen)).toBeGreaterThan(0.004);
});

full('a section that takes a wall away opens that side', () => {
  const solids = [beam, plate, ...room('none')];
  expect(clashSide({ contact, solids }).seen).toEqual([0, 0]);
  const sections = [{ normal: [0, -1, 0] as const, offset: 2 }];
  const { direction, seen } = clashSide({ contact, solids, sections });
  expect(direction[1]).toBeGreaterThan(0.3);
  expect(Math.min(...seen)).toBeGreaterThan(0.004);
});

test('of sides that are equally good the near one is taken', () => {
  const ball = solid([-1, -1, -1], [1, 1, 1]);
  const all = [-1.1, -1.1, -1.1, 1.1, 1.1, 1.1];
  for (const x of [-1, 1]) {
    const from = [x * 0.92, 0.02, -0.39] as const;
    const { direction } = clashSide({ contact: all, solids: [ball, ball], from });
    expect(direction[0] * x).toBeGreaterThan(0.5);
  }
});

test('what is behind the eye hides nothing', () => {
  const solids = [beam, plate, ...room('none')];
  expect(clashSide({ contact, solids, away: 2.5 }).seen[0]).toBeGreaterThan(0.004);
  expect(clashSide({ contact, solids, away: 9 }).seen).toEqual([0, 0]);
});
