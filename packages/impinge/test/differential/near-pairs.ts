/**
 * Pairs of triangles that nearly touch, made of triangles of real models: where two programs would differ, if they did.
 * Each kind writes the nine numbers of b, given those of a; most leave it undecided by a few bits.
 */
import { randomDirection, randomRotation } from '../../../../lab/scenes/index.mjs';

type Random = () => number;
/** Alters the pair (a, then b, nine numbers each) at `at`. */
type Kind = (pairs: Float64Array, at: number, random: Random) => void;

const below = (random: Random, n: number) => Math.floor(random() * n);

/** A corner, a point of an edge or of the inside, as rounded. */
function pointOf(t: Float64Array, at: number, random: Random): [number, number, number] {
  const feature = below(random, 3);
  const u = feature === 0 ? 0 : random();
  const v = feature === 2 ? (1 - u) * random() : 0;
  const first = below(random, 3);
  const [i, j, k] = [0, 1, 2].map((corner) => at + 3 * ((first + corner) % 3));
  const along = (c: number) => t[i + c] + u * (t[j + c] - t[i + c]) + v * (t[k + c] - t[i + c]);
  return [along(0), along(1), along(2)];
}

function sizeOf(t: Float64Array, at: number): number {
  let size = 0;
  for (let c = 0; c < 3; c++) {
    const xs = [t[at + c], t[at + 3 + c], t[at + 6 + c]];
    size = Math.max(size, Math.max(...xs) - Math.min(...xs));
  }
  return size;
}

/** Moves b so that a point of it lies at a point of a, up to nothing, a few last bits, or a little. */
function touch(pairs: Float64Array, at: number, random: Random): void {
  const p = pointOf(pairs, at, random);
  const q = pointOf(pairs, at + 9, random);
  const gap = below(random, 3) === 0 ? 0 : sizeOf(pairs, at) * 10 ** (-3 - 14 * random());
  const away = randomDirection(random);
  for (let i = 0; i < 9; i++) pairs[at + 9 + i] += p[i % 3] - q[i % 3] + gap * away[i % 3];
}

function turn(pairs: Float64Array, at: number, random: Random): void {
  const r = randomRotation(random);
  for (let i = at + 9; i < at + 18; i += 3) {
    const [x, y, z] = [pairs[i], pairs[i + 1], pairs[i + 2]];
    for (let row = 0; row < 3; row++) {
      pairs[i + row] = r[3 * row] * x + r[3 * row + 1] * y + r[3 * row + 2] * z;
    }
  }
}

const near: Kind = (pairs, at, random) => {
  turn(pairs, at, random);
  touch(pairs, at, random);
};

/** One or two corners of b are corners of a, to the bit or to the last but one. */
const sharing: Kind = (pairs, at, random) => {
  near(pairs, at, random);
  for (let corner = below(random, 2); corner >= 0; corner--) {
    const from = at + 3 * below(random, 3);
    const to = at + 9 + 3 * corner;
    pairs.copyWithin(to, from, from + 3);
    if (below(random, 3) > 0) pairs[to + below(random, 3)] *= 1 + 2 ** -52 * (1 - 2 * below(random, 2));
  }
};

/** Both in one plane of the axes, or on a grid so coarse that sums are exact: coplanar, collinear, equal. */
const coplanar: Kind = (pairs, at, random) => {
  const step = 2 ** Math.ceil(Math.log2(sizeOf(pairs, at) + 1e-30)) / (below(random, 2) === 0 ? 4 : 64);
  touch(pairs, at, random);
  for (let i = 0; i < 18; i++) pairs[at + i] = step * Math.round(pairs[at + i] / step);
  const axis = below(random, 4);
  if (axis < 3) for (let i = axis; i < 18; i += 3) pairs[at + i] = pairs[at + axis];
};

/** b is a sliver, a segment or a point: its third corner lies on its first edge as far as rounding goes. */
const flat: Kind = (pairs, at, random) => {
  near(pairs, at, random);
  const b = at + 9;
  const u = [0, 1, 0.5, random(), 2 * random() - 0.5][below(random, 5)];
  for (let c = 0; c < 3; c++) pairs[b + 6 + c] = pairs[b + c] + u * (pairs[b + 3 + c] - pairs[b + c]);
  if (below(random, 8) === 0) pairs.copyWithin(b + 3, b, b + 3);
  if (below(random, 4) === 0) touch(pairs, at, random);
  if (below(random, 8) === 0) pairs.copyWithin(at + 6, at + 3, at + 6);
};

/** Far from the origin, where coordinates have few bits left for the triangle. */
const far: Kind = (pairs, at, random) => {
  near(pairs, at, random);
  const distance = sizeOf(pairs, at) * 10 ** (3 + 11 * random());
  const away = randomDirection(random);
  for (let i = 0; i < 18; i++) pairs[at + i] += distance * away[i % 3];
};

/** As in the model: neighbours share corners and edges. */
const asTheyAre: Kind = () => {};

export const KINDS: Readonly<Record<string, Kind>> = { near, sharing, coplanar, flat, far, asTheyAre };

/** `count` pairs of one kind; triangles of `corners` (nine numbers each), b near a in the model's own order. */
export function nearPairs(corners: Float64Array, kind: Kind, count: number, random: Random): Float64Array {
  const triangles = corners.length / 9;
  const pairs = new Float64Array(18 * count);
  for (let i = 0; i < count; i++) {
    const a = below(random, triangles);
    const b = (a + 1 + below(random, 12)) % triangles;
    pairs.set(corners.subarray(9 * a, 9 * a + 9), 18 * i);
    pairs.set(corners.subarray(9 * b, 9 * b + 9), 18 * i + 9);
    kind(pairs, 18 * i, random);
  }
  return pairs;
}
