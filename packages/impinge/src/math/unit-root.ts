/**
 * Real roots of integer polynomials in [0, 1], and the signs of other polynomials at them, without rounding.
 *
 * A root is either a dyadic number or the only root of its polynomial in an open interval with dyadic ends. Intervals
 * come from bisection with Descartes' rule of signs, and shrink by bisection on the sign of the polynomial. The sign
 * of another polynomial q at the root is the sign of q over the interval once that is constant; it is zero when a
 * common divisor of both changes sign over the interval.
 * Invariant: the polynomial is not zero at either end of the interval, and has opposite signs there.
 */
import { dyadicToDoubleDown } from './dyadic.js';
import {
  deflate,
  gcd,
  halves,
  onInterval,
  type Polynomial,
  sign,
  signAt,
  signVariations,
  squareFreePart,
} from './polynomial.js';

/** Width to which an interval shrinks before a common divisor is sought, and for rounding to a double. */
const FINE_BITS = 64;

export class UnitRoot {
  #k: bigint;
  #bits: number;
  /** Undefined where the root is the dyadic number k·2^−bits itself. */
  #polynomial: Polynomial | undefined;
  /** The polynomial's coefficients with the interval as [0, 1]. */
  #local: bigint[] = [];

  /** The number k·2^−bits; with a polynomial, its only root in the open interval from there to (k + 1)·2^−bits. */
  constructor(k: bigint, bits: number, polynomial?: Polynomial) {
    this.#k = k;
    this.#bits = bits;
    this.#polynomial = polynomial;
    if (polynomial !== undefined) this.#local = onInterval(polynomial, polynomial.length - 1, k, bits);
  }

  get isZero(): boolean {
    return this.#polynomial === undefined && this.#k === 0n;
  }

  /** Shrinks the interval to a width of at most 2^−bits. */
  refine(bits: number): void {
    while (this.#polynomial !== undefined && this.#bits < bits) {
      const { lower, upper } = halves(this.#local);
      const isLower = sign(upper[0]) !== sign(lower[0]);
      this.#local = isLower ? lower : upper;
      this.#k = 2n * this.#k + (isLower ? 0n : 1n);
      this.#bits++;
      if (upper[0] === 0n) {
        this.#k++;
        this.#polynomial = undefined;
      }
    }
  }

  /** A double that is not greater than the root and less than 2⁻⁵² below it; a function of the root's value only. */
  toDoubleDown(): number {
    this.refine(FINE_BITS);
    const excess = Math.max(0, this.#bits - FINE_BITS);
    return dyadicToDoubleDown(this.#k >> BigInt(excess), this.#bits - excess);
  }

  /** The sign of q at the root. */
  signOf(q: Polynomial): number {
    if (q.length === 0) return 0;
    let common: Polynomial | undefined;
    for (;;) {
      if (this.#polynomial === undefined) return signAt(q, this.#k, this.#bits);
      const c = onInterval(q, q.length - 1, this.#k, this.#bits);
      const variation = c.slice(1).reduce((sum, x) => sum + (sign(x) === sign(c[0]) ? 0n : abs(x)), 0n);
      if (variation < abs(c[0])) return sign(c[0]);
      if (this.#bits >= FINE_BITS && common === undefined) {
        common = gcd(this.#polynomial, q);
        if (signAt(common, this.#k, this.#bits) !== signAt(common, this.#k + 1n, this.#bits)) return 0;
      }
      this.refine(Math.max(FINE_BITS, 2 * this.#bits));
    }
  }

  /** The sign that q, whose only root in the interval may be this one, has just before the root. q is not zero. */
  signBefore(q: Polynomial): number {
    const c = onInterval(q, q.length - 1, this.#k, this.#bits);
    const first = c.findIndex((x) => x !== 0n);
    // backwards from a dyadic root, forwards from the lower end of an interval
    return this.#polynomial === undefined && first % 2 === 1 ? -sign(c[first]) : sign(c[first]);
  }

  /**
   * The values of polynomials of degree ≤ n at the root, all times one positive factor; each is off by at most 2⁻⁴⁸
   * of the value of the first. Precondition: the first is not zero at the root.
   */
  scaledValues(polynomials: readonly Polynomial[], n: number): bigint[] {
    for (;;) {
      const local = polynomials.map((p) => onInterval(p, n, this.#k, this.#bits));
      const off = local.map((c) => c.slice(1).reduce((sum, x) => sum + abs(x), 0n));
      const limit = abs(local[0][0]) >> 48n;
      if (this.#polynomial === undefined || off.every((x) => x < limit)) return local.map((c) => c[0]);
      this.refine(Math.max(FINE_BITS, 2 * this.#bits));
    }
  }
}

/** The roots of p in [0, 1], ascending, each once; none for the zero polynomial. */
export function rootsInUnitInterval(p: Polynomial): UnitRoot[] {
  let rest = p;
  const [atZero, atOne] = [0n, 1n].map((end) => {
    const length = rest.length;
    while (rest.length > 0 && signAt(rest, end, 0) === 0) rest = deflate(rest, end, 0);
    return rest.length < length ? [new UnitRoot(end, 0)] : [];
  });
  return [...atZero, ...rootsBetween(rest), ...atOne];
}

/** A polynomial on the open interval from k·2^−bits to (k + 1)·2^−bits; not zero at its ends. */
interface Interval {
  readonly p: Polynomial;
  readonly k: bigint;
  readonly bits: number;
  /** The coefficients of p with the interval as [0, 1]. */
  readonly local: bigint[];
}

/** The roots of p, which is not zero at 0 and 1, between them, ascending. */
function rootsBetween(p: Polynomial): UnitRoot[] {
  const variations = signVariations(p);
  if (variations === 0) return [];
  const roots: UnitRoot[] = [];
  const whole = variations > 1 ? squareFreePart(p) : p;
  // a list of its own instead of recursion: roots may be thousands of halvings apart
  const pending: (Interval | UnitRoot)[] = [{ p: whole, k: 0n, bits: 0, local: [...whole] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next instanceof UnitRoot) {
      roots.push(next);
      continue;
    }
    const count = signVariations(next.local);
    if (count === 1) roots.push(new UnitRoot(next.k, next.bits, next.p));
    if (count > 1) pending.push(...split(next).reverse());
  }
  return roots;
}

/** The halves of an interval, and its middle between them where that is a root; the halves then go on without it. */
function split({ p, k, bits, local }: Interval): (Interval | UnitRoot)[] {
  const middle = 2n * k + 1n;
  const { lower, upper } = halves(local);
  const half = (of: Polynomial, from: bigint, coefficients: bigint[]) => ({
    p: of,
    k: from,
    bits: bits + 1,
    local: coefficients,
  });
  if (upper[0] !== 0n) return [half(p, middle - 1n, lower), half(p, middle, upper)];
  const rest = deflate(p, middle, bits + 1);
  const n = rest.length - 1;
  return [
    half(rest, middle - 1n, onInterval(rest, n, middle - 1n, bits + 1)),
    new UnitRoot(middle, bits + 1),
    half(rest, middle, onInterval(rest, n, middle, bits + 1)),
  ];
}

function abs(x: bigint): bigint {
  return x < 0n ? -x : x;
}
