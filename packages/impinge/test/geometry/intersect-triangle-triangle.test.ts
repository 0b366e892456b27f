import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { intersectsTriangleTriangle } from '../../src/geometry/index.js';
import { FAMILIES, type Pair } from './arbitraries.js';
import { exactTriangleTriangle } from './oracle.js';

const PERMUTATIONS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
] as const;

function permuted(pair: Pair, pa: readonly number[], pb: readonly number[]): Pair {
  const out = new Float64Array(18);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      out[3 * i + k] = pair[3 * pa[i] + k];
      out[9 + 3 * i + k] = pair[9 + 3 * pb[i] + k];
    }
  }
  return out;
}

describe('intersectsTriangleTriangle', () => {
  for (const [name, pairs] of FAMILIES) {
    it(`agrees with exact rational arithmetic: ${name} (seed 1)`, () => {
      let hits = 0;
      let total = 0;
      fc.assert(
        fc.property(pairs, (pair) => {
          const expected = exactTriangleTriangle(pair, 0, pair, 9).intersects;
          total++;
          if (expected) hits++;
          expect(intersectsTriangleTriangle(pair, 0, pair, 9)).toBe(expected);
        }),
        { seed: 1, numRuns: runs(1000) },
      );
      // the family is worth its time only if it holds both answers
      expect(hits).toBeGreaterThan(total / 100);
      expect(hits).toBeLessThan(total);
    });

    it(`does not depend on the order of sides and vertices: ${name} (seed 2)`, () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const expected = intersectsTriangleTriangle(pair, 0, pair, 9);
          for (const pa of PERMUTATIONS) {
            for (const pb of PERMUTATIONS) {
              const other = permuted(pair, pa, pb);
              if (intersectsTriangleTriangle(other, 0, other, 9) !== expected) return false;
              if (intersectsTriangleTriangle(other, 9, other, 0) !== expected) return false;
            }
          }
          return true;
        }),
        { seed: 2, numRuns: runs(200) },
      );
    });
  }

  it('takes float32 and float64 arrays on either side', () => {
    const a = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    const b = Float64Array.of(0.25, 0.25, -1, 0.25, 0.25, 1, 3, 3, 0);
    expect(intersectsTriangleTriangle(a, 0, b, 0)).toBe(true);
    expect(intersectsTriangleTriangle(b, 0, a, 0)).toBe(true);
  });

  const folder = new URL('../../../../../shared/data/triangles/', import.meta.url);
  const present = existsSync(folder);
  for (const [file, expected] of [
    ['intersected.txt.gz', true],
    ['separated.txt.gz', false],
  ] as const) {
    it.skipIf(!present)(
      `decides the 2 500 pairs of ${file}${present ? '' : ' (reference data absent)'}`,
      () => {
        const numbers = gunzipSync(readFileSync(new URL(file, folder)))
          .toString()
          .trim()
          .split(/\s+/)
          .map(Number);
        const coordinates = Float64Array.from(numbers);
        expect(coordinates.length).toBe(18 * 2500);
        const wrong: number[] = [];
        for (let i = 0; i < 2500; i++) {
          if (intersectsTriangleTriangle(coordinates, 18 * i, coordinates, 18 * i + 9) !== expected)
            wrong.push(i);
        }
        expect(wrong).toEqual([]);
      },
    );
  }
});
