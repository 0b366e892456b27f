import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { least, runs } from '../../../../test/budget.js';
import { orient2dValueAt, orient3dValueAt } from '../../src/math/determinants.js';
import { orient2dAt, orient2dSign, orient3dAt } from '../../src/math/predicates.js';
import { extentOf } from '../geometry/measures.js';
import { exactOrient2d, exactOrient3d } from '../geometry/oracle.js';

/** Four points, the last one moved onto the plane of the others, up to rounding, and then by a few ulps. */
const nearlyFlat = fc
  .tuple(
    fc.array(
      fc.maxSafeInteger().map((x) => x / 2 ** 53),
      { minLength: 9, maxLength: 9 },
    ),
    fc.integer({ min: -8, max: 8 }),
    fc.integer({ min: -8, max: 8 }),
    fc.integer({ min: -2, max: 2 }),
    fc.constantFrom(0, 1e6),
  )
  .map(([xs, s, t, ulps, offset]) => {
    const out = new Float64Array(12);
    for (let k = 0; k < 9; k++) out[k] = xs[k] + offset;
    for (let k = 0; k < 3; k++) {
      out[9 + k] = out[k] + (s / 4) * (out[3 + k] - out[k]) + (t / 4) * (out[6 + k] - out[k]);
    }
    out[9] = out[9] * (1 + ulps * 2 ** -52);
    return out;
  });

describe('orientation signs', () => {
  it('follow the documented convention', () => {
    const p = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    expect(orient3dAt(p, 0, p, 3, p, 6, p, 9)).toBe(1);
    expect(orient3dAt(p, 0, p, 6, p, 3, p, 9)).toBe(-1);
    expect(orient3dAt(p, 0, p, 6, p, 3, p, 3)).toBe(0);
    expect(orient2dSign(0, 0, 1, 0, 0, 1)).toBe(1);
    expect(orient2dAt(p, 0, p, 3, p, 6, 2)).toBe(1);
    expect(orient2dAt(p, 0, p, 6, p, 9, 0)).toBe(1);
    expect(orient2dAt(p, 0, p, 9, p, 3, 1)).toBe(1);
  });

  it('orient3d is exact where float64 is not (seed 3)', () => {
    let zeros = 0;
    let wrongInFloat64 = 0;
    fc.assert(
      fc.property(nearlyFlat, (p) => {
        const { sign } = exactOrient3d(p);
        expect(orient3dAt(p, 0, p, 3, p, 6, p, 9)).toBe(sign);
        if (sign === 0) zeros++;
        const u = [3, 4, 5].map((i) => p[i] - p[i - 3]) as [number, number, number];
        const v = [6, 7, 8].map((i) => p[i] - p[i - 6]) as [number, number, number];
        const w = [9, 10, 11].map((i) => p[i] - p[i - 9]) as [number, number, number];
        const det =
          w[0] * (u[1] * v[2] - u[2] * v[1]) +
          w[1] * (u[2] * v[0] - u[0] * v[2]) +
          w[2] * (u[0] * v[1] - u[1] * v[0]);
        if (Math.sign(det) !== sign) wrongInFloat64++;
      }),
      { seed: 3, numRuns: runs(5000) },
    );
    expect(zeros).toBeGreaterThan(least(100));
    expect(wrongInFloat64).toBeGreaterThan(least(100));
  });

  it('orient2d is exact on every axis (seed 4)', () => {
    fc.assert(
      fc.property(nearlyFlat, fc.integer({ min: 0, max: 2 }), fc.boolean(), (p, axis, straight) => {
        // on a line, up to rounding
        if (straight) for (let k = 0; k < 3; k++) p[6 + k] = p[k] + 0.3 * (p[3 + k] - p[k]);
        expect(orient2dAt(p, 0, p, 3, p, 6, axis)).toBe(exactOrient2d(p, axis).sign);
      }),
      { seed: 4, numRuns: runs(5000) },
    );
  });
});

describe('orientation values', () => {
  it('orient3d keeps all but the last digits through cancellation (seed 5)', () => {
    fc.assert(
      fc.property(nearlyFlat, (p) => {
        const { sign, value } = exactOrient3d(p);
        const found = orient3dValueAt(p, 0, p, 3, p, 6, p, 9);
        expect(Math.sign(found) === sign).toBe(true);
        const products = 6 * extentOf(p) ** 3;
        expect(Math.abs(found - value)).toBeLessThanOrEqual(1e-15 * Math.abs(value) + 1e-30 * products);
      }),
      { seed: 5, numRuns: runs(5000) },
    );
  });

  it('orient2d keeps all but the last digits through cancellation (seed 6)', () => {
    fc.assert(
      fc.property(nearlyFlat, fc.integer({ min: 0, max: 2 }), (p, axis) => {
        for (let k = 0; k < 3; k++) p[6 + k] = p[k] + 0.3 * (p[3 + k] - p[k]);
        const { sign, value } = exactOrient2d(p, axis);
        const found = orient2dValueAt(p, 0, p, 3, p, 6, axis);
        expect(Math.sign(found) === sign).toBe(true);
        const products = 2 * extentOf(p) ** 2;
        expect(Math.abs(found - value)).toBeLessThanOrEqual(1e-15 * Math.abs(value) + 1e-30 * products);
      }),
      { seed: 6, numRuns: runs(5000) },
    );
  });
});
