/**
 * Polynomials in one variable with integer coefficients: the algebra that exact decisions over time need.
 *
 * Times are dyadic, k·2^−bits, so that evaluation stays within the integers: it returns the value times a positive
 * power of two. Division multiplies by leading coefficients as needed; degrees are at most four here, so
 * the growth of the coefficients does no harm.
 * Layout: coefficients ascending, the last one not zero; the zero polynomial is empty.
 */
export type Polynomial = readonly bigint[];

const degree = (p: Polynomial) => p.length - 1;

function trimmed(coefficients: bigint[]): Polynomial {
  while (coefficients.length > 0 && coefficients[coefficients.length - 1] === 0n) coefficients.pop();
  return coefficients;
}

/** The polynomial that moves linearly from x0 at time 0 to x1 at time 1. */
export function linear(x0: bigint, x1: bigint): Polynomial {
  return trimmed([x0, x1 - x0]);
}

/** p + factor·q. */
export function addScaled(p: Polynomial, factor: bigint, q: Polynomial): Polynomial {
  const sum: bigint[] = [];
  for (let i = 0; i < p.length || i < q.length; i++) sum.push((p[i] ?? 0n) + factor * (q[i] ?? 0n));
  return trimmed(sum);
}

export function multiply(p: Polynomial, q: Polynomial): Polynomial {
  if (p.length === 0 || q.length === 0) return [];
  const product: bigint[] = new Array(p.length + q.length - 1).fill(0n);
  for (let i = 0; i < p.length; i++) for (let j = 0; j < q.length; j++) product[i + j] += p[i] * q[j];
  return product;
}

/** Quotient and remainder of p by q after p was multiplied by a power of q's leading coefficient. q is not zero. */
function pseudoDivide(p: Polynomial, q: Polynomial): { quotient: Polynomial; remainder: Polynomial } {
  const lead = q[degree(q)];
  const remainder = [...p];
  let quotient: bigint[] = new Array(Math.max(0, p.length - q.length + 1)).fill(0n);
  for (let shift = p.length - q.length; shift >= 0; shift--) {
    const factor = remainder[shift + degree(q)];
    quotient = quotient.map((c) => c * lead);
    quotient[shift] += factor;
    for (let i = 0; i < remainder.length; i++)
      remainder[i] = remainder[i] * lead - factor * (q[i - shift] ?? 0n);
  }
  return { quotient: trimmed(quotient), remainder: trimmed(remainder) };
}

/** A greatest common divisor, up to a constant factor. */
export function gcd(p: Polynomial, q: Polynomial): Polynomial {
  return q.length === 0 ? p : gcd(q, pseudoDivide(p, q).remainder);
}

/** The polynomial with the same roots, each simple, up to a constant factor. */
export function squareFreePart(p: Polynomial): Polynomial {
  const repeated = gcd(
    p,
    p.slice(1).map((c, i) => c * BigInt(i + 1)),
  );
  return degree(repeated) < 1 ? p : pseudoDivide(p, repeated).quotient;
}

/** p / (2^bits·x − k), for a root k·2^−bits in lowest terms: the division leaves no remainder. */
export function deflate(p: Polynomial, k: bigint, bits: number): Polynomial {
  const quotient: bigint[] = [];
  let carried = 0n;
  for (let i = degree(p); i > 0; i--) {
    carried = (p[i] + k * carried) >> BigInt(bits);
    quotient[i - 1] = carried;
  }
  return quotient;
}

/** 2^(bits·n)·p(k·2^−bits), n ≥ the degree of p. */
function scaledValue(p: Polynomial, n: number, k: bigint, bits: number): bigint {
  let value = 0n;
  for (let i = n; i >= 0; i--) value = value * k + ((p[i] ?? 0n) << BigInt(bits * (n - i)));
  return value;
}

/** The sign of p at k·2^−bits. */
export function signAt(p: Polynomial, k: bigint, bits: number): number {
  return sign(scaledValue(p, degree(p), k, bits));
}

/** The coefficients c of 2^(bits·n)·p((k + x)·2^−bits) in x, n + 1 of them: the interval from k to k + 1 as [0, 1]. */
export function onInterval(p: Polynomial, n: number, k: bigint, bits: number): bigint[] {
  const c: bigint[] = [];
  for (let i = 0; i <= n; i++) c.push((p[i] ?? 0n) << BigInt(bits * (n - i)));
  return shifted(c, k);
}

/** The coefficients of p(x + k), in place. */
function shifted(c: bigint[], k: bigint): bigint[] {
  for (let from = 0; from < c.length - 1; from++)
    for (let i = c.length - 2; i >= from; i--) c[i] += k === 1n ? c[i + 1] : k * c[i + 1];
  return c;
}

/** The coefficients c, for [0, 1], times a power of two on the lower and on the upper half of that as [0, 1]. */
export function halves(c: readonly bigint[]): { lower: bigint[]; upper: bigint[] } {
  const lower = c.map((x, i) => x << BigInt(c.length - 1 - i));
  return { lower, upper: shifted([...lower], 1n) };
}

/**
 * Sign variations of the polynomial with coefficients c on the open interval (0, 1), by the rule of Descartes: its
 * roots there, counted with multiplicity, are that many or fewer by an even number.
 */
export function signVariations(c: readonly bigint[]): number {
  let count = 0;
  let last = 0;
  for (const coefficient of shifted([...c].reverse(), 1n)) {
    const s = sign(coefficient);
    if (s !== 0 && last !== 0 && s !== last) count++;
    if (s !== 0) last = s;
  }
  return count;
}

export function sign(x: bigint): number {
  return x > 0n ? 1 : x < 0n ? -1 : 0;
}
