/**
 * Where the surfaces of two objects meet: every pair of meeting triangles, and how each of them meets. Only pairs
 * within planes that hold many triangles of both are not listed one by one (see shared-planes.ts).
 *
 * Layout: the ends of the segment that pair i shares are segments[6 i .. 6 i + 6); zeros where it is none.
 */
import { kernelSupported } from '../../kernel/kernel.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { collidePlaced } from '../pair/collide.js';
import { BATCH, Meeting, OPEN } from './layout.generated.js';
import { MeetingBatch } from './meeting-batch.js';
import { type DescribedPairs, type DroppedPlaces, listOutsidePlanes, PAIR_STRIDE } from './pair-listing.js';
import type { PlacedPair } from './placed-pair.js';
import { findSharedPlanes, LISTED_PAIRS, PLANE_PAIRS, type SharedPlanes } from './shared-planes.js';
import { describeExactly } from './triangle-meeting.js';

export interface MeetingTriangles {
  /** Pairs that are listed. */
  readonly count: number;
  readonly pairs: Uint32Array;
  /** All pairs; at least so many where there are `planes`. */
  readonly total: number;
  /** Of very many: how they meet, and where those were that are not listed. */
  readonly described?: DescribedPairs;
  readonly dropped?: DroppedPlaces;
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
 * Finds all meeting triangles among the parts that may meet. Exact. Where there are more than `most`, pairs within
 * planes that have room for `inPlane` of them are not listed.
 */
export function findMeetingTriangles(
  pair: PlacedPair,
  most = LISTED_PAIRS,
  inPlane = PLANE_PAIRS,
): MeetingTriangles {
  const { a, b, partPairs, bToA } = pair;
  const found: Uint32Array[] = [];
  let count = 0;
  for (let i = 0; i < partPairs.length && count <= most; i += 2) {
    const [meshA, meshB] = [a.parts.meshes[partPairs[i]], b.parts.meshes[partPairs[i + 1]]];
    const result = collidePlaced(meshA, meshB, bToA, most + 1 - count);
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
  const { pairs, dropped } = others;
  const total = planes ? Math.max(most, others.total) : others.total;
  return { count: pairs.length / PAIR_STRIDE, pairs, total, planes, described: others, dropped };
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

const NOTHING = {
  meeting: new Uint8Array(0),
  segments: new Float64Array(0),
  crossings: 0,
  blurred: 0,
  isBlurred: false,
} as const;

/** Finds out how triangles meet. Exact, but for the coordinates of the segments. */
export function describeContact(pair: PlacedPair, triangles: MeetingTriangles): SurfaceContact {
  const { count, pairs, described, planes } = triangles;
  if (count === 0 && !planes) return { ...triangles, ...NOTHING };
  const { meeting, segments } = described ?? {
    meeting: new Uint8Array(count).fill(OPEN),
    segments: new Float64Array(6 * count),
  };
  if (!described && kernelSupported()) describeByKernel(pair, pairs, meeting, segments);
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
