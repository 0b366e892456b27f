/**
 * Clashes that come again: the same answers, bit for bit, as without knowing them, and only where all numbers agree.
 */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { type Arrays, cylinder, moved, torus } from '../../../impinge/test/query/solid/solids.js';
import { MeasureStats, measurePair, type PlacedParts } from '../../src/check/measure-pair.js';
import { RepeatedClashes } from '../../src/check/repeated-clashes.js';
import { ask, placed } from './support.js';

/** An object of a shape that others have, too, turned by quarters about z: then moves by whole numbers are exact. */
function shared(arrays: Arrays, shape: number, quarters: number, at: readonly number[]): PlacedParts {
  const [c, s] = [[1, 0, -1, 0][quarters % 4], [0, 1, 0, -1][quarters % 4]];
  const pose = Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1, ...at);
  return { ...placed(arrays, pose, (t) => t % 2), shape };
}

const pipe = moved(cylinder(0.4, 3, 12), 0.1, 0.02, -0.05);
const ring = torus(1, 0.3, 12, 8);

/** A pipe through a ring. */
function copyAt(at: readonly number[], quarters = 1, apart = 0.75): readonly [PlacedParts, PlacedParts] {
  const to = at.map((x, k) => x + (k === 0 ? apart : 0));
  return [shared(ring, 4, quarters, at), shared(pipe, 9, 2, to)];
}

describe('repeated clashes', () => {
  test('seed 11: copies anywhere have the answers of a measurement, and are not searched again', () => {
    const random = seededRandom(11);
    const repeats = new RepeatedClashes();
    const stats = new MeasureStats();
    for (let run = 0; run < runs(20); run++) {
      const at = [0, 1, 2].map(() => Math.floor(2000 * random()) - 1000);
      const [a, b] = copyAt(at);
      const expected = measurePair(a, b, ask);
      expect(expected?.kind).toBe('hard');
      expect(measurePair(a, b, ask, undefined, stats, repeats)).toStrictEqual(expected);
    }
    expect(stats.pairs).toBeGreaterThan(1);
    expect(stats.depthSearches).toBe(1);
  });

  test('what differs in anything that counts is measured', () => {
    const repeats = new RepeatedClashes();
    const searches = (pair: readonly [PlacedParts, PlacedParts], options = {}, parts?: Uint32Array) => {
      const stats = new MeasureStats();
      const asked = { ...ask, ...options };
      const found = measurePair(pair[0], pair[1], asked, parts, stats, repeats);
      expect(found).toStrictEqual(measurePair(pair[0], pair[1], asked, parts));
      return stats.depthSearches;
    };
    expect(searches(copyAt([0, 0, 0]))).toBe(1);
    expect(searches(copyAt([8, -4, 16]))).toBe(0);
    expect(searches(copyAt([8, -4, 16], 1, 0.8125))).toBe(1); // elsewhere
    expect(searches(copyAt([8, -4, 16], 3))).toBe(1); // turned
    expect(searches(copyAt([8, -4, 16]), { tolerance: 0.01 })).toBe(1);
    expect(searches(copyAt([8, -4, 16]), {}, Uint32Array.of(1, 1, 0, 0, 0, 1, 1, 0))).toBe(1);
    const [a, b] = copyAt([8, -4, 16]);
    expect(searches([{ ...a, shape: 5 }, b])).toBe(1);
    expect(searches([{ ...a, shape: undefined }, b])).toBe(1);
    // touching by the boxes alone, or not asked for
    expect(searches([a, b], { tolerance: 5 })).toBe(0);
    expect(measurePair(a, b, { ...ask, kinds: 0 }, undefined, new MeasureStats(), repeats)).toBeUndefined();
  });
});
