/**
 * Classifies and measures the clash of two objects.
 *
 * One kind per pair, the first that holds: the same geometry in the same place is a `duplicate`; surfaces that pass
 * through each other are `hard`; solids that share space without that are `inside`; surfaces that meet otherwise
 * `touch`; the rest are within the `clearance` or no clash. An object of several components is `inside` when any of
 * them is. Cheap tests come first: boxes that only touch rule out all depth, and a kind that the rule does not report
 * is not measured. Overlaps within the tolerance or the model's rounding touch, and so do surfaces as far apart as
 * rounding: that nothing is deeper is proved; if that search is abandoned, it is a clash. Errs: other decisions are
 * exact for the posed numbers. Where b has to be posed, and the model's rounding is no more than that of posing,
 * crossings by less than 1e-12 of the coordinates count as touching unless the solids lie deeper in each other than
 * that.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import type { RigidPose, Vec3 } from 'impinge/internal/math/pose.js';
import { gapSqOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import {
  type Box,
  contactBox,
  contactPoint,
  movedBox,
  movedPoint,
  turnedContactBox,
} from 'impinge/internal/query/solid/contact-extent.js';
import { passesThrough } from 'impinge/internal/query/solid/contact-hinges.js';
import { countLoops } from 'impinge/internal/query/solid/contact-loops.js';
import { isDuplicate } from 'impinge/internal/query/solid/duplicate.js';
import { Meeting } from 'impinge/internal/query/solid/layout.generated.js';
import { isNarrow } from 'impinge/internal/query/solid/overlap.js';
import { asPose, PlacedPair, type PlacedParts } from 'impinge/internal/query/solid/placed-pair.js';
import { SolidRelation } from 'impinge/internal/query/solid/solid-relation.js';
import {
  findMeetingTriangles,
  type MeetingTriangles,
  type SurfaceContact,
} from 'impinge/internal/query/solid/surface-contact.js';
import { type ClashForm, type ClashMeasure, clashOf, commonBox } from './clash.js';
import { kindBit } from './clash-kinds.js';
import type { RepeatedClashes, TurnedClash } from './repeated-clashes.js';

export type { PlacedParts } from 'impinge/internal/query/solid/placed-pair.js';

export interface PairAsk {
  /** Report objects closer than this. */
  readonly clearance: number;
  /** Overlaps no deeper than this count as touching. */
  readonly tolerance: number;
  /** The bits of the kinds to report, see `kindBit`. */
  readonly kinds: number;
}

/** Counts of the work done; they add up. */
export class MeasureStats {
  pairs = 0;
  /** Pairs of triangles that meet. */
  trianglePairs = 0;
  /** Points located in solids to decide sides, apart from depth searches. */
  pointTests = 0;
  depthSearches = 0;
  /** Pairs in contact under a rule that reports clearances but not touching. */
  touches = 0;
  distances = 0;

  /** Counts a touch that is not reported. */
  noteTouch({ clearance, kinds }: PairAsk): void {
    if (clearance > 0 && kinds & CLEARANCE) this.touches++;
  }
}

const HARD = kindBit('hard');
const INSIDE = kindBit('inside');
const TOUCH = kindBit('touch');
const CLEARANCE = kindBit('clearance');
const DUPLICATE = kindBit('duplicate');

/** Depths are distinguished if they exceed the rounding of posing by this factor. */
const POSED_ROUNDINGS = 32;
/** Tolerance of the entries of an axis-aligned rotation. */
const ROUNDED = 1e-9;

interface Depth {
  readonly depth: number;
  readonly bound: number;
  /** In a's frame; undefined where nothing lies inside. */
  readonly point: Vec3 | undefined;
}

const NO_DEPTH: Depth = { depth: 0, bound: 0, point: undefined };

/**
 * Measures a pair of objects; undefined when it has no clash of the reported kinds. Every part of a closed object must
 * be given. `partPairs` (part of a, part of b, alternating) lists the parts within the clearance of each other; by
 * default, all. The answer depends neither on the order of a and b nor on how they are split into parts; points, depths
 * and boxes are in the world. `repeats` caches measures of repeated arrangements.
 */
export function measurePair(
  a: PlacedParts,
  b: PlacedParts,
  ask: PairAsk,
  partPairs?: Uint32Array,
  stats: MeasureStats = new MeasureStats(),
  repeats?: RepeatedClashes,
): ClashMeasure | undefined {
  if (!(ask.clearance >= 0) || !(ask.tolerance >= 0)) {
    throw new ImpingeError(
      'bad-option',
      `clearance and tolerance must be at least 0, got ${shown(ask.clearance)} and ${shown(ask.tolerance)}`,
    );
  }
  return new Measurement(PlacedPair.inOrder(a, b, partPairs), ask, stats, repeats).run();
}

class Measurement {
  readonly #pair: PlacedPair;
  readonly #ask: PairAsk;
  readonly #stats: MeasureStats;
  readonly #repeats: RepeatedClashes | undefined;
  #isWide = false;

  constructor(pair: PlacedPair, ask: PairAsk, stats: MeasureStats, repeats: RepeatedClashes | undefined) {
    this.#pair = pair;
    this.#ask = ask;
    this.#stats = stats;
    this.#repeats = repeats;
  }

  run(): ClashMeasure | undefined {
    this.#stats.pairs++;
    const pair = this.#pair;
    const limit = pair.depthLimit;
    if (limit < 0) return this.#apart();
    if (isDuplicate(pair)) return this.#wants(DUPLICATE) ? this.#duplicate() : undefined;
    const shallow = limit <= Math.max(this.#permitted, pair.slack);
    if (shallow && !this.#wants(TOUCH)) return this.#apart();
    if (!this.#wants(TOUCH) && this.#isNarrow()) return this.#apart();
    const known = shallow || !this.#wants(HARD) ? undefined : this.#repeats?.find(pair, this.#permitted);
    if (known) {
      this.#stats.trianglePairs += known.trianglePairs;
      return this.#placed(known);
    }
    const triangles = findMeetingTriangles(pair);
    this.#stats.trianglePairs += triangles.total;
    try {
      if (shallow) return triangles.total > 0 ? this.#touch(triangles, limit) : this.#apart();
      const relation = new SolidRelation(pair, triangles);
      const found = this.#overlap(relation);
      this.#stats.pointTests += relation.pointTests;
      this.#stats.depthSearches += relation.depthSearches;
      if (found !== 'none') return found;
      return triangles.total > 0 ? this.#touch(relation.contact, 0) : this.#apart();
    } finally {
      triangles.planes?.dispose();
    }
  }

  #wants(kinds: number): boolean {
    return (this.#ask.kinds & kinds) !== 0;
  }

  /**
   * Overlaps up to this deep count as touching: the tolerance, or the model's possible rounding. Where both objects are
   * open, depth is a convention, and rounding does not count. 0: the exact numbers decide.
   */
  get #permitted(): number {
    const { a, b, rounding, slack } = this.#pair;
    const { tolerance } = this.#ask;
    const permitted = a.parts.closed || b.parts.closed ? Math.max(tolerance, rounding) : tolerance;
    return permitted > POSED_ROUNDINGS * slack ? permitted : 0;
  }

  /**
   * Whether the objects' own boxes prove that no overlap exceeds the permitted depth, where the world boxes do not:
   * they are the same where both are axis-aligned, and rarely help where only rounding is permitted. Only hard and
   * inside clashes are ruled out, and only if both are reported: the distance remains to be measured.
   */
  #isNarrow(): boolean {
    const { a, b, bToA } = this.#pair;
    if (this.#permitted === 0 || !this.#wants(HARD) || !this.#wants(INSIDE)) return false;
    if (this.#ask.tolerance < this.#permitted) return false;
    if (isAlongAxes(a.pose) && isAlongAxes(bToA)) return false;
    this.#isWide = !isNarrow(a.parts, b.parts, bToA, this.#permitted);
    return !this.#isWide;
  }

  /** A hard or inside clash; `none` when the solids share no space. */
  #overlap(relation: SolidRelation): ClashMeasure | undefined | 'none' {
    const tolerant = this.#permitted > 0 && this.#wants(TOUCH);
    const { contact } = relation;
    if (relation.crossing) {
      if (!this.#wants(HARD) && !tolerant) return undefined;
      const depth = this.#depth(relation);
      if (this.#passes(depth)) return this.#touch(contact, depth.bound, depth);
      return this.#wants(HARD) ? this.#hard(relation, depth) : undefined;
    }
    if (!this.#wants(INSIDE | TOUCH | CLEARANCE)) return undefined;
    // a mere touch is not reported, and nothing else can follow from it
    if (contact.total > 0 && !this.#wants(INSIDE | TOUCH)) return undefined;
    if (!relation.mayShareSpace()) return 'none';
    if (!relation.doubtful && !this.#wants(INSIDE) && !tolerant) return undefined;
    // numbers that are not posed decide exactly, whatever is permitted
    if ((this.#permitted === 0 || !relation.doubtful) && !relation.sharesSpace()) return 'none';
    if (!this.#wants(INSIDE) && !tolerant) return undefined;
    const depth = this.#depth(relation);
    if (this.#passes(depth)) {
      return contact.total > 0 ? this.#touch(contact, depth.bound, depth) : this.#apart();
    }
    return this.#wants(INSIDE) ? this.#inside(contact, depth) : undefined;
  }

  /** Whether an overlap counts as touching: nothing in it is deeper than permitted. */
  #passes({ bound }: Depth): boolean {
    return this.#permitted > 0 && bound <= this.#permitted;
  }

  #depth(relation: SolidRelation): Depth {
    const { depth, bound, point } = relation.overlap(this.#permitted, this.#isWide);
    if (!(depth > 0)) return { depth: 0, bound, point: undefined };
    return { depth, bound, point };
  }

  #hard(relation: SolidRelation, { depth, bound, point }: Depth): ClashMeasure {
    const { contact } = relation;
    const { pose } = this.#pair.a;
    const box = turnedContactBox(this.#pair, contact);
    const form = formOf(this.#pair, relation);
    const clash: TurnedClash = {
      form,
      depth,
      depthBound: bound,
      point: point ? turned(pose, point) : [0, 0, 0],
      box,
      trianglePairs: contact.total,
    };
    const placed = this.#placed(clash);
    if (!point) return { ...placed, point: contactPoint(this.#pair, contact, placed.box) };
    this.#repeats?.keep(this.#pair, this.#permitted, clash);
    return placed;
  }

  /** A hard clash where it is in the world. */
  #placed({ form, depth, depthBound, point, box, trianglePairs }: TurnedClash): ClashMeasure {
    const { pose } = this.#pair.a;
    const at = { point: movedPoint(point, pose), box: movedBox(box, pose) };
    return clashOf('hard', { form, depth, depthBound, ...at, trianglePairs });
  }

  #inside({ total }: SurfaceContact, { depth, bound, point }: Depth): ClashMeasure {
    const { a, b } = this.#pair;
    const box = commonBox(a.box, b.box);
    const at = { point: point ? posed(a.pose, point) : middleOf(box), box };
    return clashOf('inside', { depth, depthBound: bound, ...at, trianglePairs: total });
  }

  #touch(contact: MeetingTriangles, bound: number, { depth }: Depth = NO_DEPTH): ClashMeasure | undefined {
    if (!this.#wants(TOUCH)) {
      this.#stats.noteTouch(this.#ask);
      return undefined;
    }
    const box = contactBox(this.#pair, contact);
    const at = { point: contactPoint(this.#pair, contact, box), box };
    return clashOf('touch', { depth, depthBound: bound, ...at, trianglePairs: contact.total });
  }

  #duplicate(): ClashMeasure {
    const { a, b, depthLimit } = this.#pair;
    const box = commonBox(a.box, b.box);
    return clashOf('duplicate', { depthBound: Math.max(0, depthLimit), point: middleOf(box), box });
  }

  /** Measures objects that do not meet: closer than the clearance, or touching within rounding. */
  #apart(): ClashMeasure | undefined {
    const clearance = this.#wants(CLEARANCE) ? this.#ask.clearance : 0;
    const { a, b, bToA, partPairs, gapRounding } = this.#pair;
    let best = this.#wants(TOUCH) ? Math.max(clearance, gapRounding) : clearance;
    if (best === 0 || gapSqOfBoxes(a.box, 0, b.box, 0) >= best * best) return undefined;
    const pose = asPose(bToA);
    let witness: readonly [Vec3, Vec3] | undefined;
    for (let i = 0; i < partPairs.length; i += 2) {
      this.#stats.distances++;
      const found = distance(a.parts.meshes[partPairs[i]], b.parts.meshes[partPairs[i + 1]], {
        pose,
        atMost: best,
      });
      if (found.distance <= gapRounding && !this.#wants(TOUCH)) {
        this.#stats.touches++;
        return undefined;
      }
      if (!found.pointA || !found.pointB || found.distance >= best) continue;
      best = found.distance;
      witness = [found.pointA, found.pointB];
    }
    if (!witness) return undefined;
    const [p, q] = witness.map((end) => posed(a.pose, end));
    const ends = (pick: typeof Math.min): Vec3 => [pick(p[0], q[0]), pick(p[1], q[1]), pick(p[2], q[2])];
    const box = { min: ends(Math.min), max: ends(Math.max) };
    const kind = best <= gapRounding ? 'touch' : 'clearance';
    return clashOf(kind, { distance: best, point: middleOf(box), box });
  }
}

/**
 * Whether one object emerges from the other again: the curves along which the surfaces pass through each other form two
 * loops or more. Where faces coincide, such curves end; then the border of the part of one surface inside the other
 * counts.
 */
function formOf(pair: PlacedPair, relation: SolidRelation): ClashForm {
  const segments = crossingSegments(relation.contact);
  const loops = countLoops(segments);
  if (loops.closed >= 2) return 'piercing';
  if (loops.open === 0 && segments.length > 0) return 'protruding';
  const { hinges } = relation;
  const through = hinges.map((hinge) => passesThrough(hinge, pair.slack));
  const bounding = new Float64Array(segments.length + 6 * hinges.length);
  bounding.set(segments);
  for (const side of [0, 1] as const) {
    let end = segments.length;
    for (const [i, hinge] of hinges.entries()) {
      if (!through[i] && !relation.entersAt(hinge, side)) continue;
      bounding.set(hinge.segment, end);
      end += 6;
    }
    if (end > segments.length && countLoops(bounding.subarray(0, end)).closed >= 2) return 'piercing';
  }
  return 'protruding';
}

/** The segments in which triangles pass through each other, by rounding or more. */
function crossingSegments({ meeting, segments, crossings, blurred }: SurfaceContact): Float64Array {
  const count = crossings + blurred;
  if (count === meeting.length) return segments;
  const out = new Float64Array(6 * count);
  let at = 0;
  for (let i = 0; i < meeting.length; i++) {
    if (!(meeting[i] & (Meeting.crossing | Meeting.blurred))) continue;
    for (let k = 6 * i; k < 6 * i + 6; k++) out[at++] = segments[k];
  }
  return out;
}

function posed(pose: RigidPose, point: Vec3): Vec3 {
  return movedPoint(turned(pose, point), pose);
}

/** Whether a pose turns by quarters only, but for rounding. */
function isAlongAxes(pose: RigidPose): boolean {
  for (let k = 0; k < 9; k++) {
    const size = Math.abs(pose[k]);
    if (Math.min(size, Math.abs(1 - size)) > ROUNDED) return false;
  }
  return true;
}

/** As a pose turns it. */
function turned(p: RigidPose, [x, y, z]: Vec3): Vec3 {
  return [p[0] * x + p[1] * y + p[2] * z, p[3] * x + p[4] * y + p[5] * z, p[6] * x + p[7] * y + p[8] * z];
}

function middleOf({ min, max }: Box): Vec3 {
  return [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1]), 0.5 * (min[2] + max[2])];
}
