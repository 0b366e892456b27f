import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../impinge/test/budget.js';
import { type Box, closePairs, distanceBoxBox, greatestDistanceBoxBox, transformedBox } from '../src/box.js';
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
