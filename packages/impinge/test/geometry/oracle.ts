/**
 * The slow truth: squared distances between points, segments and triangles in exact rational arithmetic. float64
 * coordinates become integers over a common power of two; every candidate pair of features is solved by its
 * normal equations, with no orientation signs. Triangles intersect when the distance is zero or an edge pierces
 * a face, the latter by Cramer's rule.
 */
type Vec = readonly [bigint, bigint, bigint];
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

/** Exact squared distance as the nearest double, and whether the two triangles intersect. */
export function exactTriangleTriangle(
  a: ArrayLike<number>,
  ao: number,
  b: ArrayLike<number>,
  bo: number,
): { intersects: boolean; distanceSq: number } {
  const numbers = [...slice(a, ao, 9), ...slice(b, bo, 9)];
  const { integers, exponent } = toIntegers(numbers);
  const p = [0, 3, 6].map((i) => vec(integers, i));
  const q = [9, 12, 15].map((i) => vec(integers, i));
  let best: Fraction | undefined;
  const consider = (x: Fraction) => {
    if (best === undefined || x.n * best.d < best.n * x.d) best = x;
  };
  let pierced = false;
  for (let i = 0; i < 3; i++) {
    consider(pointTriangle(p[i], q));
    consider(pointTriangle(q[i], p));
    pierced ||= pierces(p[i], p[(i + 1) % 3], q) || pierces(q[i], q[(i + 1) % 3], p);
    for (let j = 0; j < 3; j++) consider(segmentSegment(p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]));
  }
  const intersects = pierced || best!.n === 0n;
  return { intersects, distanceSq: intersects ? 0 : toNumber(best!, 2 * exponent) };
}

/** Exact squared distance of the segments p0 p1 and q0 q1 (six numbers each). */
export function exactSegmentSegment(p: ArrayLike<number>, q: ArrayLike<number>): number {
  const { integers, exponent } = toIntegers([...slice(p, 0, 6), ...slice(q, 0, 6)]);
  const distance = segmentSegment(vec(integers, 0), vec(integers, 3), vec(integers, 6), vec(integers, 9));
  return toNumber(distance, 2 * exponent);
}

/** Exact squared distance of a segment and a triangle, 0 where they meet. */
export function exactSegmentTriangle(s: ArrayLike<number>, t: ArrayLike<number>): number {
  const { integers, exponent } = toIntegers([...slice(s, 0, 6), ...slice(t, 0, 9)]);
  const p0 = vec(integers, 0);
  const p1 = vec(integers, 3);
  const triangle = [6, 9, 12].map((i) => vec(integers, i));
  if (pierces(p0, p1, triangle)) return 0;
  const edges = [0, 1, 2].map((i) => segmentSegment(p0, p1, triangle[i], triangle[(i + 1) % 3]));
  return toNumber(least([pointTriangle(p0, triangle), pointTriangle(p1, triangle), ...edges]), 2 * exponent);
}

/** Exact squared distance of a point and a triangle. */
export function exactPointTriangle(p: ArrayLike<number>, t: ArrayLike<number>): number {
  const { integers, exponent } = toIntegers([...slice(p, 0, 3), ...slice(t, 0, 9)]);
  const triangle = [3, 6, 9].map((i) => vec(integers, i));
  return toNumber(pointTriangle(vec(integers, 0), triangle), 2 * exponent);
}

/** det(b − a, c − a, d − a) of four points: the exact sign, and the value as the nearest double. */
export function exactOrient3d(points: ArrayLike<number>): { sign: number; value: number } {
  const { integers, exponent } = toIntegers(slice(points, 0, 12));
  const [a, b, c, d] = [0, 3, 6, 9].map((i) => vec(integers, i)) as [Vec, Vec, Vec, Vec];
  return signed(dot(cross(sub(b, a), sub(c, a)), sub(d, a)), 3 * exponent);
}

/** The component along `axis` of (b − a) × (c − a). */
export function exactOrient2d(points: ArrayLike<number>, axis: number): { sign: number; value: number } {
  const { integers, exponent } = toIntegers(slice(points, 0, 9));
  const [a, b, c] = [0, 3, 6].map((i) => vec(integers, i)) as [Vec, Vec, Vec];
  return signed(cross(sub(b, a), sub(c, a))[axis], 2 * exponent);
}

function signed(x: bigint, exponent: number): { sign: number; value: number } {
  if (x === 0n) return { sign: 0, value: 0 };
  const magnitude = toNumber({ n: x < 0n ? -x : x, d: 1n }, exponent);
  return x < 0n ? { sign: -1, value: -magnitude } : { sign: 1, value: magnitude };
}

function pierces(p: Vec, q: Vec, t: readonly Vec[]): boolean {
  const e1 = sub(t[1], t[0]);
  const e2 = sub(t[2], t[0]);
  const n = cross(e1, e2);
  const d = sub(q, p);
  let den = dot(n, d);
  if (den === 0n) return false;
  let num = dot(n, sub(t[0], p));
  if (den < 0n) {
    den = -den;
    num = -num;
  }
  if (num < 0n || num > den) return false;
  // den · (p + s d − t0)
  const w = sub(p, t[0]);
  const x: Vec = [den * w[0] + num * d[0], den * w[1] + num * d[1], den * w[2] + num * d[2]];
  return insideTriangle(x, den, e1, e2);
}

/** Whether x / scale, projected on the plane of e1 and e2, has barycentric coordinates within the triangle. */
function insideTriangle(x: Vec, scale: bigint, e1: Vec, e2: Vec): boolean {
  const d11 = dot(e1, e1);
  const d12 = dot(e1, e2);
  const d22 = dot(e2, e2);
  const beta = d22 * dot(e1, x) - d12 * dot(e2, x);
  const gamma = d11 * dot(e2, x) - d12 * dot(e1, x);
  return beta >= 0n && gamma >= 0n && beta + gamma <= (d11 * d22 - d12 * d12) * scale;
}

function pointTriangle(p: Vec, t: readonly Vec[]): Fraction {
  const e1 = sub(t[1], t[0]);
  const e2 = sub(t[2], t[0]);
  const n = cross(e1, e2);
  const w = sub(p, t[0]);
  const nn = dot(n, n);
  if (nn > 0n && insideTriangle(w, 1n, e1, e2)) return { n: dot(w, n) ** 2n, d: nn };
  return least([0, 1, 2].map((i) => pointSegment(p, t[i], t[(i + 1) % 3])));
}

function segmentSegment(p0: Vec, p1: Vec, q0: Vec, q1: Vec): Fraction {
  const ends = [
    pointSegment(p0, q0, q1),
    pointSegment(p1, q0, q1),
    pointSegment(q0, p0, p1),
    pointSegment(q1, p0, p1),
  ];
  const d1 = sub(p1, p0);
  const d2 = sub(q1, q0);
  const r = sub(p0, q0);
  const n = cross(d1, d2);
  const nn = dot(n, n);
  const s = dot(d1, d2) * dot(d2, r) - dot(d1, r) * dot(d2, d2);
  const t = dot(d1, d1) * dot(d2, r) - dot(d1, d2) * dot(d1, r);
  if (nn > 0n && s >= 0n && s <= nn && t >= 0n && t <= nn) ends.push({ n: dot(r, n) ** 2n, d: nn });
  return least(ends);
}

function pointSegment(p: Vec, a: Vec, b: Vec): Fraction {
  const e = sub(b, a);
  const w = sub(p, a);
  const t = dot(w, e);
  const length = dot(e, e);
  if (length === 0n || t <= 0n) return { n: dot(w, w), d: 1n };
  const v = sub(p, b);
  if (t >= length) return { n: dot(v, v), d: 1n };
  return { n: dot(w, w) * length - t * t, d: length };
}

function least(xs: readonly Fraction[]): Fraction {
  return xs.reduce((x, y) => (y.n * x.d < x.n * y.d ? y : x));
}

function sub(a: Vec, b: Vec): Vec {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Vec, b: Vec): bigint {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vec, b: Vec): Vec {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function vec(integers: readonly bigint[], i: number): Vec {
  return [integers[i], integers[i + 1], integers[i + 2]];
}

function slice(x: ArrayLike<number>, at: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => x[at + i]);
}

/** x = integer · 2^exponent, exactly, with one exponent for all. */
function toIntegers(xs: readonly number[]): { integers: bigint[]; exponent: number } {
  const parts = xs.map((x) => {
    const bits = new BigUint64Array(Float64Array.of(x).buffer)[0];
    const biased = Number((bits >> 52n) & 0x7ffn);
    const fraction = bits & 0xfffffffffffffn;
    const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
    return { mantissa: x < 0 ? -mantissa : mantissa, exponent: Math.max(biased, 1) - 1075 };
  });
  const used = parts.filter((x) => x.mantissa !== 0n).map((x) => x.exponent);
  const exponent = used.length === 0 ? 0 : Math.min(...used);
  return {
    integers: parts.map((x) => (x.mantissa === 0n ? 0n : x.mantissa << BigInt(x.exponent - exponent))),
    exponent,
  };
}

/** n / d · 2^exponent to about 60 bits before rounding to a double. */
function toNumber(x: Fraction, exponent: number): number {
  if (x.n === 0n) return 0;
  const shift = 64 - (bitLength(x.n) - bitLength(x.d));
  const quotient = shift >= 0 ? (x.n << BigInt(shift)) / x.d : x.n / (x.d << BigInt(-shift));
  const power = exponent - shift;
  const half = Math.trunc(power / 2);
  return Number(quotient) * 2 ** half * 2 ** (power - half);
}

function bitLength(x: bigint): number {
  return x.toString(2).length;
}
