/** Triangle pairs that provoke: small grids, floats, slivers, far from the origin, very large and very small. */
import fc from 'fast-check';

/** Eighteen coordinates: triangle a, then triangle b. */
export type Pair = Float64Array<ArrayBuffer>;

const pairOf = (coordinate: fc.Arbitrary<number>) =>
  fc.array(coordinate, { minLength: 18, maxLength: 18 }).map((xs) => Float64Array.from(xs));

/** A grid of few values makes most pairs coplanar, touching, sharing vertices or edges, or degenerate. */
export const grid = (size: number): fc.Arbitrary<Pair> => pairOf(fc.integer({ min: 0, max: size }));

/** Both in one tilted plane, on a grid of it. */
export const tiltedPlane: fc.Arbitrary<Pair> = fc
  .tuple(
    fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 12, maxLength: 12 }),
    fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 9, maxLength: 9 }),
  )
  .map(([uv, frame]) => {
    const out = new Float64Array(18);
    for (let i = 0; i < 6; i++) {
      for (let k = 0; k < 3; k++)
        out[3 * i + k] = uv[2 * i] * frame[k] + uv[2 * i + 1] * frame[3 + k] + frame[6 + k];
    }
    return out;
  });

/** Spread evenly over [−1, 1], all 53 bits in use. */
export const floats: fc.Arbitrary<Pair> = pairOf(fc.maxSafeInteger().map((x) => x / 2 ** 53));

/** Mostly tiny, of all magnitudes. */
const anyDoubles: fc.Arbitrary<Pair> = pairOf(fc.double({ min: -1, max: 1, noNaN: true }));

/** Long and thin, with widths down to rounding; b lies along a, close to it or through it. */
export const slivers: fc.Arbitrary<Pair> = fc
  .tuple(
    floats,
    fc.integer({ min: 1, max: 17 }),
    fc.integer({ min: 1, max: 17 }),
    fc.integer({ min: -1000, max: 2000 }).map((x) => x / 1000),
    fc.integer({ min: -1000, max: 2000 }).map((x) => x / 1000),
  )
  .map(([xs, widthA, widthB, along, gap]) => {
    const out = Float64Array.from(xs);
    for (let k = 0; k < 3; k++) {
      const direction = xs[3 + k] - xs[k];
      out[6 + k] = xs[k] + along * direction + 10 ** -widthA * xs[6 + k];
      out[9 + k] = xs[k] + gap * 10 ** -widthB * xs[9 + k];
      out[12 + k] = xs[3 + k] + 10 ** -widthB * xs[12 + k];
      out[15 + k] = xs[k] + gap * direction + 10 ** -widthA * xs[15 + k];
    }
    return out;
  });

/** Rounded after moving, so that nearly flat pairs become flat or cross by an ulp. */
export const moved = (pairs: fc.Arbitrary<Pair>, offset: number, scale: number): fc.Arbitrary<Pair> =>
  pairs.map((xs) => xs.map((x) => x * scale + offset));

/** float32 storage, as meshes have. */
export const asFloat32 = (pairs: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> =>
  pairs.map((xs) => xs.map((x) => Math.fround(x)));

/** One vertex of b on a's plane up to rounding: inside, on the border or outside a. */
export const nearlyTouching: fc.Arbitrary<Pair> = fc
  .tuple(
    floats,
    fc.integer({ min: -20, max: 120 }).map((x) => x / 100),
    fc.constantFrom(0, 0.25, 0.5, 1),
    fc.boolean(),
  )
  .map(([xs, s, t, folded]) => {
    const out = Float64Array.from(xs);
    for (let k = 0; k < 3; k++) {
      const e1 = xs[3 + k] - xs[k];
      const e2 = xs[6 + k] - xs[k];
      out[9 + k] = xs[k] + s * e1 + t * e2;
      if (folded) out[12 + k] = xs[k] + t * e1 + s * e2;
    }
    return out;
  });

const RAW: readonly (readonly [string, fc.Arbitrary<Pair>])[] = [
  ['grid of 2', grid(1)],
  ['grid of 3', grid(2)],
  ['grid of 5', grid(4)],
  ['one tilted plane', tiltedPlane],
  ['floats', floats],
  ['floats of all magnitudes', anyDoubles],
  ['slivers', slivers],
  ['nearly touching', nearlyTouching],
  ['nearly touching, float32', asFloat32(nearlyTouching)],
  ['tilted plane times 0.1, 1e6 from the origin', moved(tiltedPlane, 1e6, 0.1)],
  ['floats 1e6 from the origin', moved(floats, 1e6, 1)],
  ['slivers times 1e6', moved(slivers, 0, 1e6)],
  ['nearly touching times 1e-6', moved(nearlyTouching, 0, 1e-6)],
  ['grid times 1e-6', moved(grid(3), 0, 1e-6)],
];

/** Without numbers so small that the signs' products would underflow: outside the predicates' contract. */
export const FAMILIES = RAW.map(
  ([name, pairs]) => [name, pairs.map((xs) => xs.map((x) => (Math.abs(x) < 1e-80 ? 0 : x)))] as const,
);

/** Slivers and nearly parallel edges at gaps from 1 down to rounding, where cancellation is at its worst. */
export const thinAndClose: fc.Arbitrary<Pair> = fc
  .tuple(
    floats,
    floats,
    fc.integer({ min: 0, max: 16 }),
    fc.integer({ min: 0, max: 16 }),
    fc.integer({ min: 0, max: 2 }),
  )
  .map(([xs, noise, width, gap, kind]) => {
    const out = Float64Array.from(xs);
    const thin = 10 ** -width;
    const near = 10 ** -gap;
    for (let k = 0; k < 3; k++) {
      const along = (s: number, i: number) => xs[k] + s * xs[3 + k] + thin * noise[3 * i + k];
      out[k] = along(0, 0);
      out[3 + k] = along(1, 1);
      out[6 + k] = along(xs[6], 2);
      if (kind === 0) for (let i = 3; i < 6; i++) out[3 * i + k] = along(2 * xs[3 * i], i);
      if (kind === 1) out[9 + k] = along(xs[9], 3);
      if (kind === 2)
        for (let i = 3; i < 6; i++) out[3 * i + k] = out[3 * (i - 3) + k] + near * noise[3 * i + k];
    }
    const shift = near * noise[0];
    for (let i = 3; i < 6; i++)
      for (let k = 0; k < 3; k++) out[3 * i + k] = out[3 * i + k] + shift * noise[k + 1];
    return out;
  });
