import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import {
  type Box,
  closePairs,
  distanceBoxBox,
  greatestDistanceBoxBox,
  transformedBox,
  usedVertices,
  worldBox,
} from '../src/box.js';
import { transformedAxis } from '../src/matrix.js';
import { parsePose } from '../src/pose-text.js';

const coordinate = fc.integer({ min: -6, max: 6 });
const size = fc.integer({ min: 0, max: 4 });
const box = fc
  .tuple(coordinate, coordinate, coordinate, size, size, size)
  .map(([x, y, z, dx, dy, dz]): Box => Float64Array.of(x, y, z, x + dx, y + dy, z + dz));

test('close pairs are those of the double loop, touching and equal boxes included, seed 11', () => {
  fc.assert(
    fc.property(
      fc.array(box, { maxLength: 12 }),
      fc.array(box, { maxLength: 12 }),
      fc.constantFrom(0, 0.5, 1),
      (a, b, margin) => {
        const expected: [number, number][] = [];
        for (let i = 0; i < a.length; i++) {
          for (let j = 0; j < b.length; j++) {
            const p = a[i];
            const q = b[j];
            const meets = [0, 1, 2].every((k) => p[k] <= q[3 + k] + margin && q[k] <= p[3 + k] + margin);
            if (meets) expected.push([i, j]);
          }
        }
        expect(closePairs(a, b, margin)).toEqual(expected);
      },
    ),
    { seed: 11, numRuns: runs(500) },
  );
});

test('box distances bound those of the corners, seed 12', () => {
  const corner = (b: Box, c: number) => [0, 1, 2].map((k) => b[(c >> k) & 1 ? 3 + k : k]);
  fc.assert(
    fc.property(box, box, (a, b) => {
      let greatest = 0;
      for (let c = 0; c < 64; c++) {
        const [p, q] = [corner(a, c & 7), corner(b, c >> 3)];
        const d = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        greatest = Math.max(greatest, d);
        expect(distanceBoxBox(a, b)).toBeLessThanOrEqual(d);
      }
      expect(greatestDistanceBoxBox(a, b)).toBeCloseTo(greatest, 12);
    }),
    { seed: 12, numRuns: runs(200) },
  );
});

test('a transformed box holds its transformed points', () => {
  const pose = parsePose('rx=31 ry=-77 rz=12 t=1e6,0,-3', '--pose');
  const moved = transformedBox(Float64Array.of(-1, -2, -3, 4, 5, 6), pose);
  for (const point of [
    [-1, -2, -3],
    [4, 5, 6],
    [0, 5, -3],
    [4, -2, 6],
  ] as [number, number, number][]) {
    for (let axis = 0; axis < 3; axis++) {
      const value = transformedAxis(pose, axis, ...point);
      expect(value).toBeGreaterThan(moved[axis]);
      expect(value).toBeLessThan(moved[3 + axis]);
    }
  }
});

test('the world box is that of every corner of every triangle, seed 15', () => {
  const points = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(points, fc.array(fc.nat(19), { minLength: 3, maxLength: 30 }), (list, corners) => {
      const indices = Uint32Array.from(corners, (v) => v % list.length);
      const shape = { positions: Float64Array.from(list.flat()), indices };
      const pose = parsePose('rz=90 t=1,2,3', '--pose');
      const placed = [...indices].map((v) => {
        const [x, y, z] = list[v];
        return [0, 1, 2].map((axis) => transformedAxis(pose, axis, x, y, z));
      });
      const least = [0, 1, 2].map((axis) => Math.min(...placed.map((p) => p[axis])));
      const most = [0, 1, 2].map((axis) => Math.max(...placed.map((p) => p[axis])));
      const used = usedVertices(shape);
      expect(new Set(used)).toEqual(new Set(indices));
      expect(used.length).toBe(new Set(used).size);
      expect([...worldBox(shape, used, pose)].map((x) => x + 0)).toEqual(
        [...least, ...most].map((x) => x + 0),
      );
    }),
    { seed: 15, numRuns: runs(200) },
  );
});
