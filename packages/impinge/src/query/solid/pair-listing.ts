/**
 * Lists of very many meeting pairs, in bounded memory, whatever meshes they were found in: pairs are described as they
 * are found, and dropped where they say nothing that others of the same triangles do not say. Layout: part and triangle
 * of a, part and triangle of b, `PAIR_STRIDE` numbers for each pair.
 */
import { f64Column, u8Column, u32Column } from '../../base/column.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { posePoint, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { eachMeeting } from '../pair/collide.js';
import { keysToPairs } from '../pair/pair-list.js';
import { BATCH, Meeting, OPEN } from './layout.generated.js';
import { MeetingBatch } from './meeting-batch.js';
import type { PlacedPair } from './placed-pair.js';
import type { Members, SharedPlanes } from './shared-planes.js';
import { describeExactly } from './triangle-meeting.js';

export const PAIR_STRIDE = 4;

/** Of each way to meet, so many pairs are kept, whatever they say. */
const MOST_KEPT = 2 ** 19;

/** Pairs, and how each of them meets. */
export interface DescribedPairs {
  readonly pairs: Uint32Array;
  readonly meeting: Uint8Array;
  readonly segments: Float64Array;
}

/**
 * Of pairs that were not kept: boxes, minimum and maximum, around single points and around the rest; turned, see
 * `PlacedPair`.
 */
export interface DroppedPlaces {
  readonly points: Float64Array;
  readonly others: Float64Array;
}

export interface PairListing extends DescribedPairs {
  /** How many there are; `pairs` may hold fewer. */
  readonly total: number;
  readonly dropped: DroppedPlaces;
}

/** Collects pairs, as many as may matter. */
class PairList {
  total = 0;
  readonly dropped: DroppedPlaces = { points: noBox(), others: noBox() };
  readonly #pair: PlacedPair;
  readonly #pairs = u32Column();
  readonly #meeting = u8Column();
  readonly #segments = f64Column();
  /** Pairs of parts that may meet, in their order. */
  readonly #ranks = new Map<number, number>();
  /** By way to meet: how many were kept. By side and part: in which ways each triangle has been kept, as bits. */
  readonly #kept = [MOST_KEPT, 0, 0, 0];
  readonly #seen: readonly Uint8Array[][] = [[], []];
  readonly #turned = new Float64Array(18);

  constructor(pair: PlacedPair) {
    this.#pair = pair;
    const { partPairs } = pair;
    for (let i = 0; i < partPairs.length; i += 2)
      this.#ranks.set(this.#parts(partPairs[i], partPairs[i + 1]), i);
  }

  /** Whether two parts may meet. */
  holds(partA: number, partB: number): boolean {
    return this.#ranks.has(this.#parts(partA, partB));
  }

  add(pair: readonly number[], how: number, corners: Float64Array, segments: Float64Array, s: number): void {
    if (!this.holds(pair[0], pair[2])) return;
    this.total++;
    const way = wayOf(how);
    const isNew = [0, 1].map((side) => this.#isNew(side, pair[2 * side], pair[2 * side + 1], way));
    if (this.#kept[way] >= MOST_KEPT && !isNew[0] && !isNew[1]) {
      this.#drop(way, corners, segments, s);
      return;
    }
    this.#kept[way]++;
    this.#pairs.append(pair);
    this.#meeting.push(how);
    this.#segments.append(segments.subarray(s, s + 6));
  }

  #isNew(side: number, part: number, triangle: number, way: number): boolean {
    const { meshes } = (side === 0 ? this.#pair.a : this.#pair.b).parts;
    const seen = (this.#seen[side][part] ??= new Uint8Array(meshes[part].triangleCount));
    const isNew = (seen[triangle] & (1 << way)) === 0;
    seen[triangle] |= 1 << way;
    return isNew;
  }

  /** What is left of a pair is where it is: the segment, or what the boxes of the triangles have in common. */
  #drop(way: number, corners: Float64Array, segments: Float64Array, s: number): void {
    const box = way === POINTS ? this.dropped.points : this.dropped.others;
    if (way === CROSSINGS || way === EDGES) {
      this.#pair.growTurned(segments, s, box);
      this.#pair.growTurned(segments, s + 3, box);
      return;
    }
    const turned = this.#turned;
    for (let c = 0; c < 18; c += 3) this.#pair.writeTurned(corners, c, turned, c);
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], Math.max(least(turned, k), least(turned, 9 + k)));
      box[3 + k] = Math.max(box[3 + k], Math.min(most(turned, k), most(turned, 9 + k)));
    }
  }

  /** By parts, then by triangles. */
  sorted(): PairListing {
    const given = {
      pairs: this.#pairs.values(),
      meeting: this.#meeting.values(),
      segments: this.#segments.values(),
    };
    const count = given.meeting.length;
    const { triangleCount } = this.#largestPart();
    const keys = new Float64Array(count);
    const ranks = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const at = PAIR_STRIDE * i;
      ranks[i] = this.#ranks.get(this.#parts(given.pairs[at], given.pairs[at + 2]))!;
      keys[i] = given.pairs[at + 1] * triangleCount + given.pairs[at + 3];
    }
    const order = Uint32Array.from(keys, (_, i) => i).sort(
      (p, q) => ranks[p] - ranks[q] || keys[p] - keys[q],
    );
    const pairs = new Uint32Array(PAIR_STRIDE * count);
    const meeting = new Uint8Array(count);
    const segments = new Float64Array(6 * count);
    order.forEach((from, to) => {
      pairs.set(given.pairs.subarray(PAIR_STRIDE * from, PAIR_STRIDE * (from + 1)), PAIR_STRIDE * to);
      meeting[to] = given.meeting[from];
      segments.set(given.segments.subarray(6 * from, 6 * from + 6), 6 * to);
    });
    return { pairs, meeting, segments, total: this.total, dropped: this.dropped };
  }

  #largestPart(): Mesh {
    return this.#pair.b.parts.meshes.reduce((p, q) => (q.triangleCount > p.triangleCount ? q : p));
  }

  #parts(partA: number, partB: number): number {
    return partA * this.#pair.b.parts.meshes.length + partB;
  }
}

/** Ways to meet that are counted for themselves. */
const POINTS = 0;
const EDGES = 1;
const FACES = 2;
const CROSSINGS = 3;

function wayOf(how: number): number {
  if (how & (Meeting.crossing | Meeting.blurred)) return CROSSINGS;
  if (how & (Meeting.edgeA | Meeting.edgeB)) return EDGES;
  return how & Meeting.coplanar ? FACES : POINTS;
}

function noBox(): Float64Array {
  return Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
}

function least(c: Float64Array, at: number): number {
  return Math.min(c[at], c[at + 3], c[at + 6]);
}

function most(c: Float64Array, at: number): number {
  return Math.max(c[at], c[at + 3], c[at + 6]);
}

/** Some triangles of a side as a mesh: those in a plane, or of a part. */
interface SomeTriangles {
  readonly mesh: Mesh;
  /** −1: none. */
  readonly plane: number;
  readonly part: number;
  /** Undefined: all triangles of the part. */
  readonly members: Members | undefined;
  /** In the common frame. */
  readonly box: Float64Array;
}

/**
 * All meeting pairs but those of which both triangles are in one of the planes, and how they meet. Of pairs that meet
 * in points, one for each triangle; of those that meet in another way, `MOST_KEPT` and one for each triangle.
 */
export function listOutsidePlanes(pair: PlacedPair, planes: SharedPlanes | undefined): PairListing {
  const list = new PairList(pair);
  const batch = kernelSupported() ? new MeetingBatch(pair.pose, pair.slack) : undefined;
  const sides = ([0, 1] as const).map((side) => parted(pair, planes, side));
  try {
    for (const a of sides[0]) {
      for (const b of sides[1]) {
        if (a.plane >= 0 ? a.plane === b.plane : b.plane < 0 && !list.holds(a.part, b.part)) continue;
        if (areApart(a.box, b.box, pair.slack)) continue;
        eachMeeting(a.mesh, b.mesh, pair.bToA, (keys) =>
          describe(pair, list, batch, a, b, keysToPairs(keys)),
        );
      }
    }
  } finally {
    batch?.release();
    for (const { mesh, members } of sides.flat()) if (members) mesh.dispose();
  }
  return list.sorted();
}

/** Finds out how pairs of two of these meet, and lists them. */
function describe(
  pair: PlacedPair,
  list: PairList,
  batch: MeetingBatch | undefined,
  a: SomeTriangles,
  b: SomeTriangles,
  pairs: Uint32Array,
): void {
  const reader = new PairReader(a.mesh, b.mesh, pair.pose);
  const meeting = new Uint8Array(BATCH);
  const segments = new Float64Array(6 * BATCH);
  const shared = new Float64Array(18);
  for (let from = 0; from < pairs.length; from += 2 * BATCH) {
    const count = Math.min(BATCH, (pairs.length - from) / 2);
    meeting.fill(OPEN);
    if (batch) {
      for (let i = 0; i < count; i++) batch.setPair(i, pairs[from + 2 * i], pairs[from + 2 * i + 1]);
      batch.run(a.mesh, b.mesh, count, meeting, segments, 0);
    }
    for (let i = 0; i < count; i++) {
      const [triangleA, triangleB] = [pairs[from + 2 * i], pairs[from + 2 * i + 1]];
      const corners = reader.read(triangleA, triangleB);
      if (meeting[i] === OPEN) {
        shared.fill(0, 0, 6);
        meeting[i] = describeExactly(corners, pair.slack, shared);
        segments.set(shared.subarray(0, 6), 6 * i);
      }
      list.add([...memberOf(a, triangleA), ...memberOf(b, triangleB)], meeting[i], corners, segments, 6 * i);
    }
  }
}

function memberOf({ members, part }: SomeTriangles, triangle: number): [number, number] {
  return members ? [members[2 * triangle], members[2 * triangle + 1]] : [part, triangle];
}

/** The faces in the planes, and of each part what is in none. */
function parted(pair: PlacedPair, planes: SharedPlanes | undefined, side: 0 | 1): SomeTriangles[] {
  const all: SomeTriangles[] = [];
  const add = (mesh: Mesh, plane: number, part: number, members: Members | undefined) => {
    all.push({ mesh, plane, part, members, box: boxOf(mesh, side === 1 ? pair.pose : undefined) });
  };
  const { meshes } = (side === 0 ? pair.a : pair.b).parts;
  for (const part of new Set(pair.partPairs.filter((_, i) => i % 2 === side))) {
    const mesh = meshes[part];
    const rest: number[] = [];
    for (let t = 0; t < mesh.triangleCount; t++) {
      if (!planes || planes.planeOf(side, part, t) < 0) rest.push(part, t);
    }
    if (rest.length === 2 * mesh.triangleCount) add(mesh, -1, part, undefined);
    else if (planes && rest.length > 0) {
      const members = Uint32Array.from(rest);
      add(planes.soup(side, members), -1, part, members);
    }
  }
  for (let plane = 0; planes && plane < planes.count; plane++) {
    const members = planes.members(plane, side);
    if (members.length > 0) add(planes.soup(side, members), plane, -1, members);
  }
  return all;
}

function boxOf({ storedPositions: positions }: Mesh, pose: RigidPose | undefined): Float64Array {
  const box = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
  const point = new Float64Array(3);
  for (let v = 0; v < positions.length; v += 3) {
    point.set(positions.subarray(v, v + 3));
    if (pose) posePoint(pose, point[0], point[1], point[2], point, 0);
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], point[k]);
      box[3 + k] = Math.max(box[3 + k], point[k]);
    }
  }
  return box;
}

/** Posed corners are the same numbers here and in queries; the slack is to spare. */
function areApart(a: Float64Array, b: Float64Array, slack: number): boolean {
  for (let k = 0; k < 3; k++) if (a[k] > b[3 + k] + slack || b[k] > a[3 + k] + slack) return true;
  return false;
}
