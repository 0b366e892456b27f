/**
 * Where a contact is in the world: a box around it, and a point of it.
 *
 * Idea: a segment in which two triangles pass through each other is known by its ends; other contact lies within what
 * the boxes of the two triangles have in common, and that is good enough: of faces along the axes it is exact.
 */
import { intersectionTriangleTriangle } from '../../geometry/intersect/triangle-triangle-segment.js';
import type { RigidPose, Vec3 } from '../../math/pose.js';
import { Meeting } from './layout.generated.js';
import { PAIR_STRIDE } from './pair-listing.js';
import type { PlacedPair } from './placed-pair.js';
import { growByPlanes, pairsNear } from './plane-extent.js';
import { MeetingReader, type MeetingTriangles, type SurfaceContact } from './surface-contact.js';

export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** The box around a contact of at least one pair. */
export function contactBox(pair: PlacedPair, contact: MeetingTriangles | SurfaceContact): Box {
  return movedBox(turnedContactBox(pair, contact), pair.a.pose);
}

/** The same less a's translation: of the contact's shape and how a is turned, not of where a is. */
export function turnedContactBox(pair: PlacedPair, contact: MeetingTriangles | SurfaceContact): Box {
  const box = new ContactPlaces(pair, contact).box();
  return { min: [box[0], box[1], box[2]], max: [box[3], box[4], box[5]] };
}

/** A box moved by a pose's translation. */
export function movedBox({ min, max }: Box, pose: RigidPose): Box {
  return { min: movedPoint(min, pose), max: movedPoint(max, pose) };
}
export function movedPoint([x, y, z]: Vec3, pose: RigidPose): Vec3 {
  return [x + pose[9], y + pose[10], z + pose[11]];
}

/** A point in which triangles meet, the nearest to the box's centre. */
export function contactPoint(
  pair: PlacedPair,
  contact: MeetingTriangles | SurfaceContact,
  { min, max }: Box,
): Vec3 {
  const twice: Vec3 = [min[0] + max[0], min[1] + max[1], min[2] + max[2]];
  let nearest = new ContactPlaces(pair, contact).nearest(twice);
  if (contact.planes) {
    const middle = Float64Array.from(twice, (x) => x / 2);
    for (const pairs of pairsNear(pair, contact.planes, middle)) {
      const listed = { pairs, count: pairs.length / PAIR_STRIDE, total: 0, planes: undefined };
      const inPlane = new ContactPlaces(pair, listed).nearest(twice);
      if (inPlane.distanceSq < nearest.distanceSq) nearest = inPlane;
    }
  }
  return pointOf(pair, nearest.corners);
}

/** The triangles of a pair, and how far the middle of their place is from what was asked about, times two, squared. */
interface Nearest {
  readonly corners: Float64Array;
  readonly distanceSq: number;
}

/** The boxes of the places where triangles meet, turned as in `PlacedPair`. */
class ContactPlaces {
  readonly #pair: PlacedPair;
  readonly #contact: MeetingTriangles;
  readonly #described: SurfaceContact | undefined;
  readonly #reader: MeetingReader;
  readonly #turned = new Float64Array(18);
  readonly #place = new Float64Array(6);

  constructor(pair: PlacedPair, contact: MeetingTriangles | SurfaceContact) {
    this.#pair = pair;
    this.#contact = contact;
    // beside shared faces single points do not count, either
    const isLonger = 'segments' in contact && (contact.planes || contact.meeting.some((how) => how !== 0));
    this.#described = isLonger ? contact : undefined;
    this.#reader = new MeetingReader(pair, contact.pairs);
  }

  box(): Float64Array {
    const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    const place = this.#place;
    for (let i = 0; i < this.#contact.count; i++) {
      const segments = this.#segmentsOf(i);
      if (segments) {
        this.#pair.growTurned(segments, 6 * i, box);
        this.#pair.growTurned(segments, 6 * i + 3, box);
      } else if (this.#read(i)) {
        for (let k = 0; k < 3; k++) {
          if (place[k] < box[k]) box[k] = place[k];
          if (place[3 + k] > box[3 + k]) box[3 + k] = place[3 + k];
        }
      }
    }
    if (this.#contact.planes) growByPlanes(this.#pair, this.#contact.planes, box);
    if (this.#contact.dropped) {
      grow(box, this.#contact.dropped.others);
      if (!this.#described) grow(box, this.#contact.dropped.points);
    }
    return box;
  }

  /** The pair whose place is nearest to a point of the world, given times two. */
  nearest(twice: Vec3): Nearest {
    const place = this.#place;
    const move = this.#pair.a.pose.subarray(9, 12);
    let nearest = 0;
    let leastSq = Infinity;
    for (let i = 0; i < this.#contact.count; i++) {
      if (!this.#read(i)) continue;
      let distanceSq = 0;
      for (let k = 0; k < 3; k++)
        distanceSq += (place[k] + move[k] + (place[3 + k] + move[k]) - twice[k]) ** 2;
      if (!(distanceSq < leastSq)) continue;
      leastSq = distanceSq;
      nearest = i;
    }
    const corners = this.#contact.count > 0 ? this.#reader.read(nearest).slice() : new Float64Array(18);
    return { corners, distanceSq: leastSq };
  }

  /** The known segments, if pair i meets in one of them. */
  #segmentsOf(i: number): Float64Array | undefined {
    const how = this.#described ? this.#described.meeting[i] : 0;
    const isSegment = how !== 0 && !(how & (Meeting.coplanar | Meeting.degenerate));
    return isSegment ? this.#described?.segments : undefined;
  }

  /** Writes where pair i meets; false for single points beside a longer contact, which do not count. */
  #read(i: number): boolean {
    const turned = this.#turned;
    const place = this.#place;
    const segments = this.#segmentsOf(i);
    if (segments) {
      place.fill(Infinity, 0, 3).fill(-Infinity, 3, 6);
      this.#pair.growTurned(segments, 6 * i, place);
      this.#pair.growTurned(segments, 6 * i + 3, place);
      return true;
    }
    if (this.#described?.meeting[i] === 0) return false;
    const corners = this.#reader.read(i);
    for (let c = 0; c < 18; c += 3) this.#pair.writeTurned(corners, c, turned, c);
    writeCommonBox(turned, place, 0);
    return true;
  }
}

function grow(box: Float64Array, by: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    box[k] = Math.min(box[k], by[k]);
    box[3 + k] = Math.max(box[3 + k], by[3 + k]);
  }
}

/** What the boxes of two triangles have in common: lower corner, upper corner. */
function writeCommonBox(c: Float64Array, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    out[o + k] = Math.max(Math.min(c[k], c[3 + k], c[6 + k]), Math.min(c[9 + k], c[12 + k], c[15 + k]));
    out[o + 3 + k] = Math.min(Math.max(c[k], c[3 + k], c[6 + k]), Math.max(c[9 + k], c[12 + k], c[15 + k]));
  }
}

/** The middle of what two triangles share. */
function pointOf(pair: PlacedPair, corners: Float64Array): Vec3 {
  const shared = new Float64Array(18);
  const count = intersectionTriangleTriangle(corners, 0, corners, 9, shared, 0);
  const middle = new Float64Array(3);
  for (let c = 0; c < 3 * count; c++) middle[c % 3] += shared[c] / count;
  pair.writeWorld(middle, 0, middle, 0);
  return [middle[0], middle[1], middle[2]];
}
