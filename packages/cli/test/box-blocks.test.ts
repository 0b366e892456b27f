import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { BoxBlocks, boxesMeet } from '../src/reports/box-blocks.js';

const interval = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.nat(4));
const box = fc
  .tuple(interval, interval, interval)
  .map((axes) => [...axes.map(([from]) => from), ...axes.map(([from, length]) => from + length)]);

test('finds the boxes that meet one, as looking at each does, seed 81', () => {
  fc.assert(
    fc.property(fc.array(box, { maxLength: 100 }), fc.array(box, { maxLength: 5 }), (boxes, asked) => {
      const flat = Float64Array.from(boxes.flat());
      const blocks = new BoxBlocks(flat);
      for (const one of asked) {
        const wanted = Float64Array.from(one);
        const each = boxes.flatMap((_, i) => (boxesMeet(flat, 6 * i, wanted) ? [i] : []));
        expect(blocks.meeting(wanted)).toEqual(each);
      }
    }),
    { seed: 81, numRuns: runs(400) },
  );
});
