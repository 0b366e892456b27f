/**
 * How two objects lie to each other: do their surfaces pass through each other, do they share space, and does either
 * reach beyond the other? `contains` and a check both ask here.
 *
 * Idea: where triangles or the faces around an edge pass through each other (see contact-hinges.ts), the solids cross.
 * Else the places where the surfaces meet cut each of them into regions that lie inside or outside the other as a
 * whole. A region that borders on a line of contact shows at a hinge on which side it lies; one that touches in points
 * only, by any other point of it; one that touches nowhere, by a seed. What is left are faces that coincide: the solids
 * lie on the same side of them or on both. Posed numbers are rounded. Where such surfaces meet without passing through
 * each other by more than rounding, that says nothing, and measures decide: how deep the surfaces lie in each other,
 * and how far outside. Errs: only a closed object has an inside. An open one can lie in a closed one. For numbers that
 * are not posed, never about what passes through; sides of faces are judged a millionth of their height off them, and
 * an overlap that rests on such a judgement alone counts only if something lies inside or a face is shared. For posed
 * ones, what is within 1e-12 of the coordinates counts as touching.
 */
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import { intersectionTriangleTriangle } from '../../geometry/intersect/triangle-triangle-segment.js';
import { posePoint } from '../../math/pose.js';
import { componentSeedsOf, isPinched } from './component-seeds.js';
import {
  findHinges,
  type Hinge,
  ON_RAY,
  passesThrough,
  type Ray,
  raysAlong,
  sectorOf,
} from './contact-hinges.js';
import { type Depth, liesBeyond, measureDepth } from './depth.js';
import { Meeting } from './layout.generated.js';
import type { PointLocation } from './locate.js';
import { measureOverlap, type Overlap } from './overlap.js';
import { PAIR_STRIDE } from './pair-listing.js';
import type { PlacedPair } from './placed-pair.js';
import { heightOf, normalOf, type PlacedSolid, solidsOf } from './placed-solid.js';
import { pairsBesidePlanes } from './plane-faces.js';
import { besideBits, Space } from './space.js';
import {
  describeContact,
  MeetingReader,
  type MeetingTriangles,
  type SurfaceContact,
} from './surface-contact.js';

/** How far to step from a line or a face, relative to the size of the triangle there. */
const STEP_ASIDE = 1e-6;
/** Relative to that step: what is this close to a face lies on it. */
const ON_FACE = 1e-3;
/** Barycentric weights of a point inside a triangle, at which nothing else is likely to be. */
const INNER_WEIGHTS = [0.371, 0.338, 0.291];

const ALL_SPACE = Space.shared | Space.onlyA | Space.onlyB;
const SIDES = [0, 1] as const;

/** What a point of a surface says: inside the other solid, space of both meets space of that alone. */
function spaceAt(side: 0 | 1, where: PointLocation): number {
  if (where === 'inside') return Space.shared | (side === 0 ? Space.onlyB : Space.onlyA);
  return where === 'outside' ? (side === 0 ? Space.onlyA : Space.onlyB) : 0;
}

export class SolidRelation {
  readonly contact: SurfaceContact;
  readonly #pair: PlacedPair;
  #placedSolids: readonly [PlacedSolid, PlacedSolid] | undefined;
  readonly #world = new Float64Array(3);
  #overlapSearches = 0;
  #hinges: Hinge[] | undefined;
  #crossing: boolean | undefined;
  #depth: Depth | undefined;
  #coplanar: Map<number, number[]>[] | undefined;

  /** `triangles` are all that meet. */
  constructor(pair: PlacedPair, triangles: MeetingTriangles) {
    this.contact = describeContact(pair, triangles);
    this.#pair = pair;
  }

  get #solids(): readonly [PlacedSolid, PlacedSolid] {
    this.#placedSolids ??= solidsOf(this.#pair);
    return this.#placedSolids;
  }

  get pointTests(): number {
    const solids = this.#placedSolids;
    return solids ? solids[0].pointTests + solids[1].pointTests : 0;
  }
  get depthSearches(): number {
    return this.#overlapSearches + (this.#depth ? 1 : 0);
  }

  get hinges(): readonly Hinge[] {
    this.#hinges ??= findHinges(this.#pair, this.contact);
    return this.#hinges;
  }

  /** Whether the surfaces pass through each other, by more than rounding. */
  get crossing(): boolean {
    this.#crossing ??= this.contact.crossings > 0 || !this.crossingHinges().next().done;
    return this.#crossing;
  }

  /** The hinges at which they do; none where rounding blurs what hangs together. */
  *crossingHinges(): Generator<Hinge> {
    if (this.contact.count === 0 || this.contact.isBlurred) return;
    for (const hinge of this.hinges) if (passesThrough(hinge, this.#pair.slack)) yield hinge;
  }

  /** Whether rounding hides how the surfaces meet. */
  get doubtful(): boolean {
    return this.#pair.slack > 0 && this.contact.total > 0;
  }
  get #solid(): boolean {
    return this.#pair.a.parts.closed && this.#pair.b.parts.closed;
  }

  /**
   * How deep they lie in each other. Surfaces that pass through an open one are deep behind it; else only a closed
   * object has an inside, and which way an open one faces says nothing.
   */
  get depth(): Depth {
    const { a, b, bToA } = this.#pair;
    const side = this.#searchedSide;
    this.#depth ??= measureDepth(a.parts, b.parts, bToA, side === undefined ? {} : { side });
    return this.#depth;
  }
  get #searchedSide(): 0 | 1 | undefined {
    const [a, b] = [this.#pair.a.parts.closed, this.#pair.b.parts.closed];
    return this.crossing || a === b ? undefined : a ? 1 : 0;
  }

  /** How deep they overlap, as far as that is more than `permitted`; `isWide`: they are known not to be narrow. */
  overlap(permitted: number, isWide = false): Overlap {
    const { a, b, bToA } = this.#pair;
    this.#overlapSearches++;
    return measureOverlap(a.parts, b.parts, bToA, permitted, this.#searchedSide, isWide);
  }

  /** Whether there may be space inside both: all that can be told without measuring. The surfaces do not cross. */
  mayShareSpace(): boolean {
    if (this.doubtful && this.#solid) return true;
    if (this.contact.isBlurred) return false;
    return (this.#findSpace(Space.shared) & Space.shared) !== 0;
  }

  /** Whether there is space inside both. The surfaces do not cross. */
  sharesSpace(): boolean {
    if (!this.mayShareSpace()) return false;
    if (this.contact.total === 0 || this.depth.depth > this.#pair.slack || this.#sharesFace()) return true;
    // nothing inside and no face in common: a side was misjudged, or only rounding put it there; a search that did not
    // end refutes nothing
    return this.depth.cutShort && !this.doubtful;
  }

  /** Which kinds of space two closed objects make, as bits of `Space`. */
  space(): number {
    if (this.crossing) return ALL_SPACE;
    if (this.doubtful) return this.#measureSpace();
    return this.sharesSpace() ? this.#findSpace(ALL_SPACE) : Space.onlyA | Space.onlyB;
  }

  /** Of surfaces that meet in posed numbers: what is more than rounding, inside and outside. */
  #measureSpace(): number {
    const { slack } = this.#pair;
    const [leavesA, leavesB] = SIDES.map((side) => this.#liesBeyond(slack, 'outside', side));
    const { depth, side } = this.depth;
    if (!(depth > slack)) {
      // the same surface all over; else they only touch, unless some faces are the same
      if (!leavesA && !leavesB) return Space.shared;
      if (!this.#sharesFace()) return Space.onlyA | Space.onlyB;
    }
    const [entersA, entersB] = SIDES.map(
      (own) => depth > slack && (own === side || this.#liesBeyond(slack, 'inside', own)),
    );
    return Space.shared | (leavesA || entersB ? Space.onlyA : 0) | (leavesB || entersA ? Space.onlyB : 0);
  }

  /** Whether a surface lies inside or outside the other object by more than a distance anywhere. */
  #liesBeyond(distance: number, where: 'inside' | 'outside', side: 0 | 1): boolean {
    const { a, b, bToA } = this.#pair;
    return liesBeyond(distance, where, side, a.parts, b.parts, bToA);
  }

  /** What the places where the surfaces meet and the seeds tell; stops when all of `wanted` is found. */
  #findSpace(wanted: number): number {
    let found = 0;
    for (const bits of this.#evidence(wanted)) {
      found |= bits;
      if ((found & wanted) === wanted) break;
    }
    return found;
  }

  *#evidence(wanted: number): Generator<number> {
    if (this.contact.total > 0) {
      for (const hinge of this.hinges) {
        for (const side of SIDES) for (const where of this.#sidesAt(hinge, side)) yield spaceAt(side, where);
      }
      yield* this.#sharedFaces(wanted);
      for (const side of SIDES) for (const where of this.#touchingSides(side)) yield spaceAt(side, where);
    }
    for (const side of SIDES) for (const where of this.#seedSides(side)) yield spaceAt(side, where);
  }

  /** Whether some ray of one side (0: a, 1: b) leads into the other solid. */
  entersAt(hinge: Hinge, side: 0 | 1): boolean {
    for (const where of this.#sidesAt(hinge, side)) if (where === 'inside') return true;
    return false;
  }

  /** Where the rays of one side lie in the other solid, unless they lie on its surface. */
  *#sidesAt({ line, segment, raysA, raysB }: Hinge, side: 0 | 1): Generator<PointLocation> {
    const [own, others] = side === 0 ? [raysA, raysB] : [raysB, raysA];
    const other = this.#solids[1 - side];
    if (!other.parts.closed) return;
    if (others.length % 2 === 1) {
      // without all rays of the other there are no sectors: a point near the line has to do
      for (const ray of own)
        if (!this.#liesOnFace(segment, ray, side)) yield this.#besideLine(other, segment, ray);
      return;
    }
    const { part, triangle, apex } = others[0];
    const start = raysAlong(line, others, apex);
    let first: boolean | undefined;
    for (const ray of own) {
      const sector = sectorOf(line, others, ray.apex);
      if (sector === ON_RAY || this.#liesOnFace(segment, ray, side)) continue;
      first ??= other.isInsideBeside(part, triangle, normalOf(line, 0, line, 3, apex, 0));
      yield first === ((sector - start) % 2 === 0) ? 'inside' : 'outside';
    }
  }

  #besideLine(other: PlacedSolid, segment: Float64Array, { apex }: Ray): PointLocation {
    const middle = middleOf(segment);
    const along = apex.map((x, k) => x - middle[k]);
    return other.locateBeside(middle, along, STEP_ASIDE * Math.hypot(along[0], along[1], along[2]));
  }

  /**
   * Whether a ray runs along a face of the other solid that is not part of the hinge: of another component, say, that
   * touches the one there.
   */
  #liesOnFace(segment: Float64Array, { part, triangle, apex }: Ray, side: 0 | 1): boolean {
    const pairs = this.#coplanarPairs[side].get(triangleKey(part, triangle)) ?? [];
    const { planes } = this.contact;
    const plane = planes ? planes.planeOf(side, part, triangle) : -1;
    if (pairs.length === 0 && plane < 0) return false;
    const point = middleOf(segment);
    const step = apex.map((x, k) => STEP_ASIDE * (x - point[k]));
    for (let k = 0; k < 3; k++) point[k] += step[k];
    const near = ON_FACE * Math.hypot(step[0], step[1], step[2]);
    if (plane >= 0 && planes?.isOnFace(plane, side === 0 ? 1 : 0, point, near)) return true;
    const reader = new MeetingReader(this.#pair, this.contact.pairs);
    return pairs.some((i) => {
      const corners = reader.read(i);
      return distanceSqPointTriangle(point, 0, corners, side === 0 ? 9 : 0) <= near * near;
    });
  }

  /** Of each side, the pairs of triangles in one plane, by the triangle of that side. */
  get #coplanarPairs(): readonly Map<number, number[]>[] {
    if (this.#coplanar) return this.#coplanar;
    const { pairs, meeting } = this.contact;
    this.#coplanar = SIDES.map((side) => {
      const found = new Map<number, number[]>();
      for (let i = 0; i < meeting.length; i++) {
        if (!(meeting[i] & Meeting.coplanar)) continue;
        const at = PAIR_STRIDE * i + 2 * side;
        const key = triangleKey(pairs[at], pairs[at + 1]);
        const known = found.get(key);
        if (known) known.push(i);
        else found.set(key, [i]);
      }
      return found;
    });
    return this.#coplanar;
  }

  /** Whether the solids lie on the same side of a face that both have. */
  #sharesFace(): boolean {
    for (const bits of this.#sharedFaces(Space.shared)) if (bits === Space.shared) return true;
    return false;
  }

  /** What lies beside faces that both have, as far as it is wanted. */
  *#sharedFaces(wanted: number): Generator<number> {
    if (!this.#solid) return;
    let left = wanted;
    for (const pairs of this.#coplanarLists(() => left)) {
      let reader = new MeetingReader(this.#pair, pairs);
      let tests = this.pointTests;
      for (let i = 0; i < pairs.length / PAIR_STRIDE; i++) {
        if (pairs === this.contact.pairs && !(this.contact.meeting[i] & Meeting.coplanar)) continue;
        // points located since may have moved what the reader looks at
        if (this.pointTests !== tests) reader = new MeetingReader(this.#pair, pairs);
        tests = this.pointTests;
        for (const bits of this.#besideFace(reader.read(i).slice(), pairs, PAIR_STRIDE * i, () => left)) {
          left &= ~bits;
          yield bits;
        }
      }
    }
  }

  /**
   * Pairs among which those in one plane are to be looked at: the ones listed, then of planes as far as they may tell
   * more.
   */
  *#coplanarLists(left: () => number): Generator<Uint32Array> {
    yield this.contact.pairs;
    const { planes } = this.contact;
    if (planes) yield* pairsBesidePlanes(planes, this.#solids, left);
  }

  /** What lies beside the face that two triangles share, as far as it is wanted still. */
  *#besideFace(corners: Float64Array, pairs: Uint32Array, at: number, left: () => number): Generator<number> {
    const [solidA, solidB] = this.#solids;
    const shared = new Float64Array(18);
    const count = intersectionTriangleTriangle(corners, 0, corners, 9, shared, 0);
    const polygon = shared.subarray(0, 3 * count);
    if (count < 3 || (this.#pair.slack > 0 && widthOf(polygon) <= this.#pair.slack)) return;
    const normal = normalOf(corners, 0, corners, 3, corners, 6);
    const middle = new Float64Array(3);
    for (let c = 0; c < polygon.length; c++) middle[c % 3] += polygon[c] / count;
    const step = STEP_ASIDE * heightOf(corners, normal);
    for (const way of [normal, normal.map((x) => -x)]) {
      const inA = solidA.isInsideBeside(pairs[at], pairs[at + 1], way);
      if (!inA && !(left() & Space.onlyB)) continue;
      const inB = solidB.isInsideBeside(pairs[at + 2], pairs[at + 3], way);
      const bits = besideBits(inA, inB);
      if (!(bits & left())) continue;
      // make sure at the very place
      const sure =
        (solidA.locateBeside(middle, way, step) === 'inside') === inA &&
        (solidB.locateBeside(middle, way, step) === 'inside') === inB;
      if (sure) yield bits;
    }
  }

  /** Where components lie that meet the other in points only. */
  *#touchingSides(side: 0 | 1): Generator<PointLocation> {
    const other = this.#solids[1 - side];
    if (!other.parts.closed) return;
    const { pairs, meeting } = this.contact;
    const lines = new Set<number>();
    const dots = new Map<number, number>();
    for (let i = 0; i < meeting.length; i++) {
      const at = PAIR_STRIDE * i + 2 * side;
      const key = triangleKey(pairs[at], pairs[at + 1]);
      if (meeting[i] & (Meeting.edgeA | Meeting.edgeB)) lines.add(key);
      else if (meeting[i] === 0) dots.set(key, at);
    }
    for (const key of lines) dots.delete(key);
    if (dots.size === 0) return;
    // a single component that meets the other along lines is judged there
    const { meshes } = this.#solids[side].parts;
    if (lines.size > 0 && this.#componentCount(side) === 1 && !meshes.some(isPinched)) return;
    const corners = new Float64Array(9);
    const point = new Float64Array(3);
    for (const at of dots.values()) {
      this.#solids[side].writeTriangle(pairs[at], pairs[at + 1], corners);
      point.fill(0);
      for (let k = 0; k < 9; k++) point[k % 3] += INNER_WEIGHTS[Math.floor(k / 3)] * corners[k];
      yield other.locate(point, 0);
    }
  }

  #componentCount(side: 0 | 1): number {
    let count = 0;
    for (const mesh of this.#solids[side].parts.meshes) count += componentSeedsOf(mesh).length / 3;
    return count;
  }

  /** Where components lie that do not meet the other. */
  *#seedSides(side: 0 | 1): Generator<PointLocation> {
    const other = this.#solids[1 - side];
    if (!other.parts.closed) return;
    const { box } = side === 0 ? this.#pair.b : this.#pair.a;
    const { meshes } = this.#solids[side].parts;
    if (this.contact.total > 0 && this.#componentCount(side) === 1) return;
    const point = new Float64Array(3);
    for (let part = 0; part < meshes.length; part++) {
      const seeds = componentSeedsOf(meshes[part]);
      for (let s = 0; s < seeds.length; s += 3) {
        if (side === 0) point.set(seeds.subarray(s, s + 3));
        else posePoint(this.#pair.pose, seeds[s], seeds[s + 1], seeds[s + 2], point, 0);
        const where = this.#isWithin(box, point) ? other.locate(point, 0) : 'outside';
        if (where === 'outside' || !this.#isMeeting(side, part, seeds, s)) yield where;
      }
    }
  }

  #isWithin(box: Float64Array, point: Float64Array): boolean {
    this.#pair.writeWorld(point, 0, this.#world, 0);
    return this.#world.every((x, k) => x >= box[k] && x <= box[3 + k]);
  }

  /** Whether a vertex belongs to a triangle that meets the other surface: its component is judged there. */
  #isMeeting(side: 0 | 1, part: number, seeds: Float64Array, s: number): boolean {
    const { pairs, count, planes } = this.contact;
    const {
      storedPositions: positions,
      storedIndices: indices,
      triangleCount,
    } = this.#solids[side].parts.meshes[part];
    const hasSeed = (triangle: number) => {
      for (let h = 3 * triangle; h < 3 * triangle + 3; h++) {
        const v = 3 * indices[h];
        if ([0, 1, 2].every((k) => positions[v + k] === seeds[s + k])) return true;
      }
      return false;
    };
    for (let i = 0; i < count; i++) {
      const at = PAIR_STRIDE * i + 2 * side;
      if (pairs[at] === part && hasSeed(pairs[at + 1])) return true;
    }
    if (!planes) return false;
    for (let t = 0; t < triangleCount; t++) {
      if (planes.planeOf(side, part, t) >= 0 && hasSeed(t) && planes.meets(side, part, t)) return true;
    }
    return false;
  }
}

function triangleKey(part: number, triangle: number): number {
  return part * 2 ** 28 + triangle;
}

function middleOf(segment: Float64Array): Float64Array {
  return Float64Array.from([0, 1, 2], (k) => 0.5 * (segment[k] + segment[3 + k]));
}

/** About how wide a polygon is: its area by half its outline. */
function widthOf(polygon: Float64Array): number {
  let area = 0;
  let outline = 0;
  for (let c = 0; c < polygon.length; c += 3) {
    const next = (c + 3) % polygon.length;
    const normal = normalOf(polygon, 0, polygon, c, polygon, next);
    area += 0.5 * Math.hypot(normal[0], normal[1], normal[2]);
    outline += Math.hypot(
      polygon[next] - polygon[c],
      polygon[next + 1] - polygon[c + 1],
      polygon[next + 2] - polygon[c + 2],
    );
  }
  return outline > 0 ? (2 * area) / outline : 0;
}
