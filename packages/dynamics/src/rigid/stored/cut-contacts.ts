/**
 * Contacts of stored models: of the parts of their fronts near each other, by the exact engine.
 *
 * Promise: as of any engine, for the originals. Proof. Let each side be a front, from which no original is farther than
 * `out`, and let off be the sum of both (0 for a mesh; a little more for rounding). Originals that are d apart are
 * represented by points of the fronts that are at most d + off apart. So anything nearer than a reach is searched with
 * reach + off, the gap of a contact of the fronts is reduced by off, and fronts that stay farther apart than distance +
 * off have originals that stay farther apart than the distance. All of these err towards keeping apart, so the
 * originals never meet, whatever the error; contacts hold them farther apart than without an error, by at most the
 * error of the fronts. Instead of the fronts, cuts of them are compared (front-cut.ts), which contain the triangles
 * that represent originals within reach. Where originals are too near for fronts to separate them, finer fronts are
 * used, in the end the originals. So another front is another bound of the same gap: the change is below the error, and
 * no contact is lost.
 *
 * Motions: originals farther apart than their relative motion are free, for which near-zone.ts bounds the motion of
 * points that may come near. Else planes between the triangles of a cut with everything that comes near prove it. Where
 * they do not, a motion is made as far as the distance allows; where that is little, by the exact search in a cut.
 */
import { closestNow } from '@impinge/model/internal/level-queries/closest-at.js';
import { NearBoxes } from '@impinge/model/internal/level-queries/near-boxes.js';
import { NearParts } from '@impinge/model/internal/level-queries/near-parts.js';
import { MeshSide, type Side } from '@impinge/model/internal/level-queries/side.js';
import { IDENTITY, type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import type { BodyShape, ContactEngine, ContactSettings, PairMotion, PosedPair } from '../contact-engine.js';
import { lengthOf } from '../contact-error.js';
import type { ContactSet } from '../contact-set.js';
import { ContactShape } from '../contact-shape.js';
import { OwnedMemory } from '../exact/owned-memory.js';
import { restPose } from '../placing.js';
import { ContactNames } from './contact-names.js';
import { FrontCut } from './front-cut.js';
import type { FrontShape } from './front-shape.js';
import { MotionParts, movedBetween } from './motion-parts.js';
import { NearZone } from './near-zone.js';

/** Factor between the errors of successive fronts, and the number of fronts tried before the originals. */
const FINER = 4;
const FRONTS = 3;
/** Factor between successive errors in the search for the distance, and the first error as a share of the size. */
const COARSER = 8;
const COARSEST = 1 / 16;
/**
 * Largest useful error, as a share of an upper bound of the distance; and the required precision of a distance, as a
 * share of it.
 */
const COARSE = 0.5;
const DISTANCE_PRECISION = 0.5;
/** Gaps below this many thicknesses, as far as fronts show, are resolved more finely. */
const REFINE_BELOW_THICKNESSES = 1 / 4;
/** Margin of a cut in scales (thicknesses or errors), so that it lasts; and its maximum, as a multiple of the reach. */
const MARGIN_SCALES = 2;
const MOST_MARGIN_REACHES = 2;
/** In scales: larger reaches are better searched where bodies first come near; longer motions are made in parts. */
const FAR_SCALES = 4;
const LONGEST_WAY_SCALES = 8;
/** Share of that way for which a cut must be valid to be reused. */
const REUSE_SHARE = 0.4;
/**
 * Relative to it, too: distances that are certainly less are not computed; shorter motions are not made because of a
 * distance.
 */
const NEAR = 2;
const SHORTEST_SHARE = 0.25;
/**
 * Factor of the error: fronts whose boxes bound the parts of a body that may come near; finer ones have smaller boxes.
 */
const BOX_ERROR_FACTOR = 1 / 8;
/** Extra reach of a zone relative to the way, so that it lasts. */
const ZONE_AHEAD_WAYS = 2;
/** Cuts kept: a motion is checked twice, as planned and as made. */
const CUTS_KEPT = 2;
/** Maximum parts of one motion; where these are not enough, it is made as far as they go. */
const MOST_PARTS = 64;
/** In scales: contacts no farther apart may be the same. */
const SAME_CONTACT_SCALES = 8;
/** Relative: more than rounding does to the lengths of motions. */
const ROUNDING = 1e-9;

export class CutContacts implements ContactEngine {
  #error = 0;
  readonly #thickness: number;
  readonly #memory = new OwnedMemory();
  readonly #names = new ContactNames();
  readonly #near = new Map<number, NearParts>();
  readonly #boxes = new WeakMap<NearParts, NearBoxes>();
  /** The last ones, the latest first. */
  readonly #cuts: FrontCut[] = [];
  #zone: NearZone | undefined;
  /** Which of the fronts the last cut is of. */
  #fineness = 0;
  /** Between which numbers the distance was at a pose. */
  #apart: { readonly pose: Float64Array; readonly least: number; readonly most: number } | undefined;

  constructor({ error, engine, thickness }: Omit<ContactSettings, 'step'>) {
    this.#error = engine === 'exact' ? 0 : lengthOf(error);
    this.#thickness = thickness;
  }

  get far(): number {
    return FAR_SCALES * this.#scale;
  }

  get #way(): number {
    return LONGEST_WAY_SCALES * this.#scale;
  }

  /** The unit of lengths: the thickness or the error, whichever is larger. */
  get #scale(): number {
    return Math.max(this.#thickness, this.#error);
  }

  contacts(pair: PosedPair, reach: number, out: ContactSet): void {
    const cut = this.#cutFor(pair, reach);
    if (!cut) {
      out.clear();
      out.atLeast = reach;
      return;
    }
    cut.contacts(pair, reach, out);
    this.#names.name(out, SAME_CONTACT_SCALES * this.#scale);
  }

  motionNear(a: BodyShape, b: BodyShape, motion: PairMotion, distance: number): number {
    const parts = new MotionParts(a, b, motion);
    return this.#lengthNear(a, b, parts, distance);
  }

  freeShare(a: BodyShape, b: BodyShape, motion: PairMotion, distance: number): number {
    const parts = new MotionParts(a, b, motion);
    const start = { a, b, pose: relativePose(parts.a(0), parts.b(0)) };
    const length = this.#lengthNear(a, b, parts, distance);
    if (length === 0) return 1;
    if (this.#keptCut(start, distance + length)?.planesHold(motion, distance)) return 1;
    const cut = this.#keptCut(start, distance);
    if (cut && this.#cutApart(cut, start) <= distance) return 0;
    return this.#freeShare(a, b, parts, length, distance);
  }

  /** No more than the originals are apart, and less by no more than the fronts are off. */
  distance(pair: PosedPair): number {
    const cut = this.#cutFor(pair, this.far);
    return cut
      ? Math.min(this.#reachOf(cut, pair), this.#cutApart(cut, pair))
      : this.#atLeast(pair, Infinity);
  }

  save(out: StateWriter): void {
    out.number(this.#error); // it is that of the time when the two came near each other
    out.number(this.#fineness);
    this.#names.save(out);
    const [zone, apart] = [this.#zone, this.#apart];
    out.array(Float64Array.of(...(zone ? [zone.distance, ...zone.pose] : [])));
    out.array(Float64Array.of(...(apart ? [apart.least, apart.most, ...apart.pose] : [])));
    out.number(this.#cuts.length);
    for (const cut of this.#cuts) cut.save(out);
  }

  restore(from: StateReader, a: BodyShape, b: BodyShape): void {
    this.#error = from.number();
    this.#fineness = from.number();
    this.#names.restore(from);
    const [zone, apart] = [from.doubles(), from.doubles()];
    this.#zone = zone.length > 0 ? this.#newZone({ a, b, pose: zone.slice(1) }, zone[0]) : undefined;
    this.#apart = apart.length > 0 ? { least: apart[0], most: apart[1], pose: apart.slice(2) } : undefined;
    for (let left = from.number(); left > 0; left--) {
      const is = { fineness: from.number(), reach: from.number() };
      const pair = { a, b, pose: from.doubles() };
      const cut = new FrontCut(this.#nearAt(a, b, this.#errorAt(is.fineness)), pair, is, this.#memory);
      this.#cuts.push(cut);
      cut.restore(from);
    }
  }

  dispose(): void {
    while (this.#cuts.length > 0) this.#forgetCut();
    this.#memory.dispose();
  }

  #freeShare(a: BodyShape, b: BodyShape, parts: MotionParts, length: number, distance: number): number {
    let done = 0;
    for (let i = 0; i < MOST_PARTS && done < 1; i++) {
      const pair = { a, b, pose: relativePose(parts.a(done), parts.b(done)) };
      const left = (1 - done) * length;
      let way = Math.min(left, this.#way);
      let cut = this.#keptCut(pair, distance + REUSE_SHARE * way);
      let apart: number;
      if (cut) {
        const reach = this.#reachOf(cut, pair);
        way = Math.min(left, reach - distance);
        apart = Math.min(reach, this.#cutApart(cut, pair));
      } else {
        apart = this.#atLeast(pair, distance + left);
        if (apart - distance <= way) {
          cut = this.#newCut(pair, distance + way);
          apart = Math.min(cut.reach, this.#cutApart(cut, pair));
        }
      }
      if (apart - distance > left) return 1;
      if (!cut || apart - distance > SHORTEST_SHARE * way) {
        done += ((apart - distance) / length) * (1 - ROUNDING);
        continue;
      }
      const end = way === left ? 1 : done + way / length;
      const share = cut.freeShare(parts.between(done, end), distance);
      if (share < 1) return done + share * (end - done);
      done = end;
    }
    return Math.min(1, done);
  }

  /** A bound on the relative motion of points of b that may come within a distance of a; 0 where none may. */
  #lengthNear(a: BodyShape, b: BodyShape, parts: MotionParts, distance: number): number {
    const pose = relativePose(parts.a(0), parts.b(0));
    return this.#zoneFor({ a, b, pose }, distance, parts.length).length(parts, pose, distance);
  }

  /** The zone of points that may come within a distance by moving on by `way`. */
  #zoneFor(pair: PosedPair, distance: number, way: number): NearZone {
    let zone = this.#zone;
    if (!zone?.isGoodFor(pair.pose, distance, way)) {
      const { a, b } = this.#zoneParts(pair);
      const wide = distance + a.out + b.out + way + ZONE_AHEAD_WAYS * this.#way;
      this.#zone = zone = this.#newZone(pair, wide);
    }
    return zone;
  }

  #newZone(pair: PosedPair, wide: number): NearZone {
    const near = this.#zoneParts(pair);
    return new NearZone(near, this.#boxesOf(near), pair, wide);
  }

  #zoneParts({ a, b }: PosedPair): NearParts {
    return this.#nearAt(a, b, BOX_ERROR_FACTOR * this.#coarseErrors(a, b).pop()!);
  }

  /** A bound on the motion between poses `from` and `to` of points within a distance at `to`. */
  #moved(b: BodyShape, from: Float64Array, to: Float64Array, distance: number): number {
    const zone = this.#zone;
    return zone?.isGoodFor(to, distance, 0) ? zone.moved(from, to, distance) : movedBetween(b, from, to);
  }

  /** A cut that has everything of the originals within reach; undefined where that is nothing. */
  #cutFor(pair: PosedPair, reach: number): FrontCut | undefined {
    if (this.#zoneFor(pair, reach, 0).isClear(pair.pose, reach)) return undefined;
    return this.#keptCut(pair, reach) ?? this.#newCut(pair, reach);
  }

  #keptCut(pair: PosedPair, reach: number): FrontCut | undefined {
    return this.#cuts.find((cut) => this.#reachOf(cut, pair) >= reach);
  }

  /** The distance at a pose within which the cut has the triangles that represent all originals. */
  #reachOf(cut: FrontCut, pair: PosedPair): number {
    return cut.reach - this.#zoneFor(pair, cut.reach, 0).moved(cut.pose, pair.pose, cut.reach);
  }

  /** A cut of the coarsest fronts that can separate the originals. */
  #newCut(pair: PosedPair, reach: number): FrontCut {
    const wide = reach + MARGIN_SCALES * this.#scale + Math.min(reach, MOST_MARGIN_REACHES * this.#scale);
    // try a coarser one again
    for (let fineness = Math.max(0, this.#fineness - 1); ; fineness++) {
      const error = this.#errorAt(fineness);
      if (this.#cuts.length === CUTS_KEPT) this.#forgetCut();
      const near = this.#nearAt(pair.a, pair.b, error);
      const cut = new FrontCut(near, pair, { fineness, reach: wide }, this.#memory);
      if (error > 0 && this.#cutApart(cut, pair) < REFINE_BELOW_THICKNESSES * this.#thickness) {
        cut.dispose();
        continue;
      }
      this.#cuts.unshift(cut);
      this.#fineness = fineness;
      return cut;
    }
  }

  /** Lets go of the oldest. */
  #forgetCut(): void {
    this.#cuts.pop()?.dispose();
  }

  /** A lower bound on the distance of the originals represented in a cut. */
  #cutApart(cut: FrontCut, pair: PosedPair): number {
    const [least, most] = cut.apart(pair);
    const known = Math.max(0, Math.min(least, this.#reachOf(cut, pair)));
    this.#apart = { pose: pair.pose.slice(), least: known, most };
    return least;
  }

  /**
   * A lower bound on the distance of the originals; loose where it is more than `enough`, or where a cut is more
   * precise.
   */
  #atLeast({ a, b, pose }: PosedPair, enough: number): number {
    const known = this.#apart;
    let [least, most] = [0, Infinity];
    if (known) {
      least = Math.max(0, known.least - this.#moved(b, known.pose, pose, known.least));
      // the closest two, from where they were
      most = known.most + this.#moved(b, pose, known.pose, known.most);
      if (least > enough || most <= NEAR * this.#way) return least;
    }
    const placed = { bToA: restPose(a, b, pose), aToWorld: IDENTITY as RigidPose };
    for (const error of this.#coarseErrors(a, b)) {
      // the bound so far is better than any this could give
      if (error > COARSE * most) continue;
      const ask = { atMost: most, error: 2 * error };
      const { bounds } = closestNow(this.#nearAt(a, b, error), placed, ask);
      least = Math.max(least, bounds[0]);
      most = Math.min(most, bounds[1]);
      if (least > enough || most - least < DISTANCE_PRECISION * least || most <= this.#way) break;
    }
    this.#apart = { pose: pose.slice(), least, most };
    return least;
  }

  /** Errors to look for the distance at, the largest first. */
  #coarseErrors(a: BodyShape, b: BodyShape): number[] {
    const errors = [this.#error > 0 ? this.#error : this.#thickness];
    const most = COARSEST * Math.min(a.radius, b.radius);
    while (COARSER * errors[0] < most) errors.unshift(COARSER * errors[0]);
    return errors;
  }

  #errorAt(fineness: number): number {
    return fineness < FRONTS ? this.#error / FINER ** fineness : 0;
  }

  #nearAt(a: BodyShape, b: BodyShape, error: number): NearParts {
    let near = this.#near.get(error);
    if (!near) {
      const stored = [a, b].filter((shape) => !(shape instanceof ContactShape)).length;
      near = new NearParts(sideOf(a, error / stored), sideOf(b, error / stored));
      this.#near.set(error, near);
    }
    return near;
  }

  #boxesOf(near: NearParts): NearBoxes {
    let boxes = this.#boxes.get(near);
    if (!boxes) this.#boxes.set(near, (boxes = new NearBoxes(near.a, near.b, near.boxes)));
    return boxes;
  }
}

function sideOf(shape: BodyShape, error: number): Side {
  return shape instanceof ContactShape ? new MeshSide(shape.mesh) : (shape as FrontShape).at(error);
}
