/**
 * A triangle without area that lay partly inside counted as inside as a whole: its far corner, outside, was the depth.
 */
import { expect, test } from 'vitest';
import { IDENTITY, type RigidPose } from '../../src/math/pose.js';
import { isClosed } from '../../src/mesh/closed.js';
import { measureDepth } from '../../src/query/solid/depth.js';
import { locatePoint } from '../../src/query/solid/locate.js';
import { box, mesh, moved, united } from '../query/solid/solids.js';
import { whole } from '../query/support/parts.js';

test('a bar through a block, one of its long edges filled with a triangle without area', () => {
  const { positions, indices } = box(10, 1, 1);
  const at = (v: number) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
  // a triangle with an edge all along the bar is replaced by its halves, and what is open between them is filled
  const h = Array.from(indices, (_, i) => i).findIndex((i) => {
    const [p, q] = [at(indices[i]), at(indices[i - (i % 3) + ((i + 1) % 3)])];
    return p[0] !== q[0] && p[1] === q[1] && p[2] === q[2];
  });
  const t = h - (h % 3);
  const [a, b, c] = [indices[h], indices[t + ((h + 1) % 3)], indices[t + ((h + 2) % 3)]];
  const middle = positions.length / 3;
  const split = Array.from(indices);
  split.splice(t, 3, a, middle, c, middle, b, c, a, b, middle);
  const bar = mesh({ positions: [...Array.from(positions), 0, at(a)[1], at(a)[2]], indices: split });
  expect(isClosed(bar)).toBe(true);
  // the second block only makes the box around both reach far beyond the bar
  const block = whole(mesh(united(box(4, 4, 4), moved(box(4, 4, 4), 20, 20, 20))));
  const { depth, bound, point, side } = measureDepth(whole(bar), block, IDENTITY as RigidPose);
  expect(side).toBe(0);
  expect(locatePoint(block, Float64Array.from(point))).toBe('inside');
  expect(depth).toBeCloseTo(1.5, 6);
  expect(bound).toBeGreaterThanOrEqual(1.5);
});
