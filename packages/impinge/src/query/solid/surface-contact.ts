/**
 * Where the surfaces of two objects meet: every pair of meeting triangles, and how each of them meets. Only pairs within
 * planes that hold many triangles of both are not listed one by one (see shared-planes.ts).
 *
 * Two triangles that share a segment either pass through each other, or the segment lies on an edge of one of them
 * or of both: then the neighbours at that edge decide (see contact-hinges.ts).
 * Layout: the ends of the segment that pair i shares are segments[6 i .. 6 i + 6); zeros where it is none.
 */
import { projectionAxis } from '../../geometry/intersect/degenerate.js';
import { ALL_ON, sidesOfPlane } from '../../geometry/intersect/plane-sides.js';
import { intersectionTriangleTriangle } from '../../geometry/intersect/triangle-triangle-segment.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { collide } from '../pair/collide.js';
import { BATCH, MeetingBatch, OPEN } from './meeting-batch.js';
import { listOutsidePlanes, PAIR_STRIDE } from './pair-listing.js';
import { asPose, type PlacedPair } from './placed-pair.js';
import { findSharedPlanes, LISTED_PAIRS, PLANE_PAIRS, type SharedPlanes } from './shared-planes.js';

/** How two triangles meet; 0: in a point. */
export const Meeting = {
  /** They pass through each other. */
  crossing: 1,
  /** They do, but by no more than rounding. */
  blurred: 2,
  /** Along an edge of a's triangle, of b's. */
  edgeA: 4,
  edgeB: 8,
  /** In one plane. */
  coplanar: 16,
  /** One of them has no area. */
  degenerate: 32,
} as const;

export interface MeetingTriangles {
  /** Pairs that are listed. */
  readonly count: number;
  readonly pairs: Uint32Array;
  /** All pairs; at least so many where there are `planes`. */
  readonly total: number;
  /** Planes whose own pairs are not listed. Whoever looked for them disposes of them. */
  readonly planes: SharedPlanes | undefined;
}

export interface SurfaceContact extends MeetingTriangles {
  readonly meeting: Uint8Array;
  readonly segments: Float64Array;
  /** How many pairs pass through each other; how many by no more than rounding. */
  readonly crossings: number;
  readonly blurred: number;
  /** Whether rounding blurs how some of them hang together. */
  readonly isBlurred: boolean;
}

/**
 * Finds all meeting triangles among the parts that may meet. Exact. Where there are more than `most`, pairs within planes
 * that have room for `inPlane` of them are not listed.
 */
export function findMeetingTriangles(
  pair: PlacedPair,
  most = LISTED_PAIRS,
  inPlane = PLANE_PAIRS,
): MeetingTriangles {
  const { a, b, partPairs, bToA } = pair;
  const pose = asPose(bToA);
  const found: Uint32Array[] = [];
  let count = 0;
  for (let i = 0; i < partPairs.length && count <= most; i += 2) {
    const [meshA, meshB] = [a.parts.meshes[partPairs[i]], b.parts.meshes[partPairs[i + 1]]];
    const result = collide(meshA, meshB, { pose, limit: most + 1 - count });
    found.push(result.pairs);
    count += result.count;
  }
  if (count <= most) {
    const pairs = new Uint32Array(PAIR_STRIDE * count);
    let at = 0;
    found.forEach((triangles, i) => {
      for (let k = 0; k < triangles.length; k += 2) {
        pairs[at++] = partPairs[2 * i];
        pairs[at++] = triangles[k];
        pairs[at++] = partPairs[2 * i + 1];
        pairs[at++] = triangles[k + 1];
      }
    });
    return { count, pairs, total: count, planes: undefined };
  }
  const planes = findSharedPlanes(pair, inPlane);
  const others = listOutsidePlanes(pair, planes);
  const total = planes ? Math.max(most, others.count) : others.count;
  return { ...others, total, planes };
}

/** The meeting triangles of two objects of one part each, from pairs as `collide` lists them. */
export function meetingOfParts(triangles: Uint32Array): MeetingTriangles {
  const count = triangles.length / 2;
  const pairs = new Uint32Array(PAIR_STRIDE * count);
  for (let i = 0; i < count; i++) {
    pairs[PAIR_STRIDE * i + 1] = triangles[2 * i];
    pairs[PAIR_STRIDE * i + 3] = triangles[2 * i + 1];
  }
  return { count, pairs, total: count, planes: undefined };
}

/** Finds out how triangles meet. Exact, but for the coordinates of the segments. */
export function describeContact(pair: PlacedPair, triangles: MeetingTriangles): SurfaceContact {
  const { count, pairs, planes } = triangles;
  const meeting = new Uint8Array(count);
  const segments = new Float64Array(6 * count);
  if (kernelSupported()) describeByKernel(pair, pairs, meeting, segments);
  else meeting.fill(OPEN);
  const reader = new MeetingReader(pair, pairs);
  const shared = new Float64Array(18);
  let crossings = 0;
  let blurred = 0;
  for (let i = 0; i < count; i++) {
    if (meeting[i] === OPEN) {
      shared.fill(0, 0, 6);
      meeting[i] = describeExactly(reader.read(i), pair.slack, shared);
      for (let k = 0; k < 6; k++) segments[6 * i + k] = shared[k];
    }
    if (meeting[i] === Meeting.crossing) crossings++;
    else if (meeting[i] === Meeting.blurred) blurred++;
  }
  // posed triangles of one plane pass through each other by rounding
  const isBlurred = blurred > 0 || (pair.slack > 0 && planes !== undefined);
  return { ...triangles, meeting, segments, crossings, blurred, isBlurred };
}

/** Describes what float64 can tell, and leaves the rest `OPEN`. */
function describeByKernel(
  { a, b, pose, slack }: PlacedPair,
  pairs: Uint32Array,
  meeting: Uint8Array,
  segments: Float64Array,
): void {
  const batch = new MeetingBatch(pose, slack);
  for (let from = 0; from < meeting.length; ) {
    const partA = pairs[PAIR_STRIDE * from];
    const partB = pairs[PAIR_STRIDE * from + 2];
    let count = 0;
    for (let at = PAIR_STRIDE * from; count < BATCH; at += PAIR_STRIDE, count++) {
      if (pairs[at] !== partA || pairs[at + 2] !== partB) break;
      batch.setPair(count, pairs[at + 1], pairs[at + 3]);
    }
    batch.run(a.parts.meshes[partA], b.parts.meshes[partB], count, meeting, segments, from);
    from += count;
  }
  batch.release();
}

/** How two triangles that meet do so; writes the ends of the segment they share, where it is one. */
export function describeExactly(corners: Float64Array, slack: number, shared: Float64Array): number {
  const sidesA = sidesOfPlane(corners, 9, corners, 0);
  const sidesB = sidesOfPlane(corners, 0, corners, 9);
  if (sidesA === ALL_ON || sidesB === ALL_ON) {
    const areas = projectionAxis(corners, 0) >= 0 && projectionAxis(corners, 9) >= 0;
    return areas ? Meeting.coplanar : Meeting.degenerate;
  }
  // a single point, unless both reach through the other's plane or an edge lies in it
  if (!(SPANS[sidesA] && SPANS[sidesB]) && !TWO_ON[sidesA] && !TWO_ON[sidesB]) return 0;
  if (intersectionTriangleTriangle(corners, 0, corners, 9, shared, 0) === 2) {
    return meetingOf(corners, sidesA, sidesB, shared, slack);
  }
  shared.fill(0, 0, 6);
  return 0;
}

/** Reads the triangles of meeting pairs into eighteen numbers, whatever parts they belong to. */
export class MeetingReader {
  readonly #pair: PlacedPair;
  readonly #pairs: Uint32Array;
  #partA = -1;
  #partB = -1;
  #reader: PairReader | undefined;

  /** Nothing may be allocated among meshes and trees while it is in use. */
  constructor(pair: PlacedPair, pairs: Uint32Array) {
    this.#pair = pair;
    this.#pairs = pairs;
  }

  read(i: number): Float64Array {
    const pairs = this.#pairs;
    const at = PAIR_STRIDE * i;
    if (!this.#reader || pairs[at] !== this.#partA || pairs[at + 2] !== this.#partB) {
      const { a, b, pose } = this.#pair;
      this.#partA = pairs[at];
      this.#partB = pairs[at + 2];
      this.#reader = new PairReader(a.parts.meshes[this.#partA], b.parts.meshes[this.#partB], pose);
    }
    return this.#reader.read(pairs[at + 1], pairs[at + 3]);
  }
}

/** Of the packed signs of three corners: whether they lie on both sides, whether exactly two of them lie on the plane. */
const SPANS = Array.from(
  { length: 27 },
  (_, signs) => digits(signs).includes(0) && digits(signs).includes(2),
);
const TWO_ON = Array.from({ length: 27 }, (_, signs) => digits(signs).filter((s) => s === 1).length === 2);

function digits(signs: number): number[] {
  return [signs % 3, Math.floor(signs / 3) % 3, Math.floor(signs / 9)];
}

/** How two triangles that share a segment meet, neither of them lying in the plane of the other. */
function meetingOf(
  corners: Float64Array,
  sidesA: number,
  sidesB: number,
  segment: Float64Array,
  slack: number,
): number {
  if (SPANS[sidesA] && SPANS[sidesB]) {
    if (slack === 0) return Meeting.crossing;
    const length = Math.hypot(segment[3] - segment[0], segment[4] - segment[1], segment[5] - segment[2]);
    const clear = length > slack && reach(corners, 0, 9) > slack && reach(corners, 9, 0) > slack;
    return clear ? Meeting.crossing : Meeting.blurred;
  }
  return (TWO_ON[sidesA] ? Meeting.edgeA : 0) | (TWO_ON[sidesB] ? Meeting.edgeB : 0);
}

/** How far the triangle at `t` reaches to both sides of the plane of the one at `p`: the lesser of the two. */
function reach(c: Float64Array, t: number, p: number): number {
  const ux = c[p + 3] - c[p];
  const uy = c[p + 4] - c[p + 1];
  const uz = c[p + 5] - c[p + 2];
  const vx = c[p + 6] - c[p];
  const vy = c[p + 7] - c[p + 1];
  const vz = c[p + 8] - c[p + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  let above = 0;
  let below = 0;
  for (let k = t; k < t + 9; k += 3) {
    const height = nx * (c[k] - c[p]) + ny * (c[k + 1] - c[p + 1]) + nz * (c[k + 2] - c[p + 2]);
    above = Math.max(above, height);
    below = Math.max(below, -height);
  }
  return Math.min(above, below) / Math.sqrt(nx * nx + ny * ny + nz * nz);
}
