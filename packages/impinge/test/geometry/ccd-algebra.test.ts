import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { bitLength, dyadicToDoubleDown, ratio, toCommonIntegers } from '../../src/math/dyadic.js';
import { gcd, multiply, type Polynomial, squareFreePart } from '../../src/math/polynomial.js';
import { rootsInUnitInterval } from '../../src/math/unit-root.js';

describe('doubles as integers (seed 51)', () => {
  it('keeps all ratios', () => {
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(numbers, (values) => {
        const integers = toCommonIntegers(Float64Array.from(values));
        const power = values.findIndex((x) => x !== 0);
        if (power < 0) return expect(integers.every((x) => x === 0n)).toBe(true);
        expect(integers.some((x) => x % 2n !== 0n)).toBe(true);
        // each value divided by the first one that is not zero, as fractions of integers made independently
        const fraction = (x: number): [bigint, bigint] => {
          let denominator = 1n;
          let scaled = x;
          while (!Number.isInteger(scaled)) {
            const step = Math.abs(scaled) < 2 ** 900 ? 2 ** 100 : 2;
            scaled *= step;
            denominator *= BigInt(step);
          }
          return [BigInt(scaled), denominator];
        };
        const [n0, d0] = fraction(values[power]);
        values.forEach((x, i) => {
          const [n, d] = fraction(x);
          expect(integers[i] * n0 * d).toBe(integers[power] * n * d0);
        });
      }),
      { seed: 51, numRuns: runs(200) },
    );
  });

  it('counts binary digits, rounds down and divides', () => {
    expect([0n, 1n, -1n, 7n, 8n, -255n, 256n, 1n << 200n].map(bitLength)).toEqual([0, 1, 1, 3, 4, 8, 9, 201]);
    expect(dyadicToDoubleDown(3n, 2)).toBe(0.75);
    expect(dyadicToDoubleDown((1n << 60n) - 1n, 60)).toBe(1 - 2 ** -53);
    expect(ratio(10n ** 60n, 3n * 10n ** 60n)).toBeCloseTo(1 / 3, 15);
    expect(ratio(-7n, 2n)).toBe(-3.5);
  });
});

/** The polynomial (d·x − n) for the rational n/d. */
const factor = ([n, d]: readonly [number, number]): Polynomial => [BigInt(-n), BigInt(d)];
const product = (factors: readonly Polynomial[]) => factors.reduce(multiply, [1n]);

describe('roots in [0, 1] (seed 52)', () => {
  const rational = fc.tuple(fc.integer({ min: -3, max: 12 }), fc.integer({ min: 1, max: 9 }));
  const rationals = fc.array(rational, { minLength: 1, maxLength: 4 });

  it('finds each root of a product of linear factors once, ascending', () => {
    fc.assert(
      fc.property(rationals, (list) => {
        const p = product(list.map(factor));
        const expected = [...new Set(list.map(([n, d]) => n / d))]
          .filter((x) => x >= 0 && x <= 1)
          .sort((a, b) => a - b);
        const found = rootsInUnitInterval(p).map((root) => root.toDoubleDown());
        expect(found).toHaveLength(expected.length);
        found.forEach((x, i) => {
          expect(Math.abs(x - expected[i])).toBeLessThan(2 ** -52);
        });
      }),
      { seed: 52, numRuns: runs(1000) },
    );
  });

  it('knows the sign of another polynomial at a root, zero included', () => {
    fc.assert(
      fc.property(rational, rationals, rationals, (root, others, list) => {
        const [n, d] = root;
        fc.pre(n >= 0 && n <= d);
        // the irrational root of 2x² − 1 beside the rational ones
        const p = product([[-1n, 0n, 2n], factor(root), ...others.map(factor)]);
        const q = product(list.map(factor));
        const at = n / d;
        const signs = rootsInUnitInterval(p)
          .filter((x) => Math.abs(x.toDoubleDown() - at) < 2 ** -50)
          .map((x) => x.signOf(q));
        const expected = list.reduce((s, [qn, qd]) => s * Math.sign(n * qd - qn * d), 1);
        expect(signs.map((s) => s + 0)).toEqual([expected + 0]);
      }),
      { seed: 52, numRuns: runs(1000) },
    );
  });

  it('tells √½ from its neighbours to any number of digits', () => {
    const [root] = rootsInUnitInterval([-1n, 0n, 2n]);
    expect(root.toDoubleDown()).toBe(0.7071067811865475);
    for (const bits of [10, 60, 200, 1000]) {
      const scale = 1n << BigInt(bits);
      let low = 0n;
      let high = scale;
      while (high - low > 1n) {
        const middle = (low + high) / 2n;
        if (2n * middle * middle < scale * scale) low = middle;
        else high = middle;
      }
      expect(root.signOf([-low, scale])).toBe(1);
      expect(root.signOf([-high, scale])).toBe(-1);
    }
    expect(root.signOf([-3n, 0n, 6n])).toBe(0);
  });

  it('separates roots 2⁻³⁰⁰⁰ apart', () => {
    const scale = 1n << 3000n;
    const near = [1n, 2n, 3n].map((i): Polynomial => [-(scale / 3n + i), scale]);
    const roots = rootsInUnitInterval(product(near));
    expect(roots).toHaveLength(3);
    expect(roots.map((root) => root.signOf(near[1]))).toEqual([-1, 0, 1]);
  });

  it('has the sign just before a root, single or double, dyadic or not', () => {
    const before = (p: Polynomial) => rootsInUnitInterval(p).map((root) => root.signBefore(p));
    expect(before([-1n, 2n])).toEqual([-1]);
    expect(before([1n, -2n])).toEqual([1]);
    expect(before([1n, -4n, 4n])).toEqual([1]);
    expect(before([-1n, 3n])).toEqual([-1]);
    expect(before([-1n, 6n, -9n])).toEqual([-1]);
    expect(before([0n, 1n])).toEqual([-1]);
    expect(
      before(
        product([
          [-1n, 2n],
          [-1n, 3n],
          [0n, 1n],
        ]),
      ),
    ).toEqual([-1, 1, -1]);
  });

  it('has none for constants and zero', () => {
    expect(rootsInUnitInterval([])).toEqual([]);
    expect(rootsInUnitInterval([5n])).toEqual([]);
  });
});

describe('divisors (seed 53)', () => {
  it('finds the common factors, and each factor once', () => {
    const linear = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 1, max: 3 })).map(factor);
    const list = fc.array(linear, { maxLength: 2 });
    fc.assert(
      fc.property(list, list, list, (common, a, b) => {
        const divisor = gcd(product([...common, ...a]), product([...common, ...b]));
        expect(divisor.length - 1).toBeGreaterThanOrEqual(common.length);
        const single = squareFreePart(product([...a, ...a, ...common]));
        const distinct = new Set([...a, ...common].map(([n, d]) => Number(n) / Number(d)));
        expect(single.length - 1).toBe(distinct.size);
      }),
      { seed: 53, numRuns: runs(500) },
    );
  });
});
