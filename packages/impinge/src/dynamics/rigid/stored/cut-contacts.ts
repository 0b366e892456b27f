/**
 * Contacts of stored models: of what their fronts have near each other, by the exact engine.
 *
 * Promise: as of any engine, for the originals. Proof. Let each side be a front, from which no original is farther than `out`,
 * and let off be the sum of both (0 for a mesh; a little more for rounding). Originals that are d apart stand on points of
 * the fronts that are at most d + off apart. So what is nearer than a reach is looked for with reach + off, the gap of a
 * contact of the fronts is counted as less by off, and fronts that stay farther apart than distance + off have originals
 * that stay farther apart than the distance. All of these err towards keeping apart, so the originals never meet,
 * whatever the error; contacts hold them farther apart than without an error, by at most what fronts are off.
 * Instead of the fronts, cuts of them are compared (front-cut.ts), which have all that originals within reach stand on.
 * Where originals are so near that fronts cannot tell them apart, finer fronts are asked, in the end the originals.
 * So another front is another bound of the same gap: what it changes is below the error, and no contact is lost.
 *
 * Motions: originals that are apart by more than they move against each other are free. So a motion is made by what the
 * distance allows; where that is little, by the exact search in a cut that has all which comes near in a part of it.
 */
import { IDENTITY, type RigidPose, relativePose } from '../../../math/pose.js';
import { closestNow } from '../../../query/levels/closest-at.js';
import { NearBoxes } from '../../../query/levels/near-boxes.js';
import { NearParts } from '../../../query/levels/near-parts.js';
import { MeshSide, type Side } from '../../../query/levels/side.js';
import type { ContactEngine, ContactSettings, PairMotion, PosedPair, Shape } from '../contact-engine.js';
import { CONTACT_NUMBERS, ContactSet, GAP, NORMAL, POINT_A, POINT_B } from '../contact-set.js';
import { ContactShape } from '../contact-shape.js';
import { ExactContacts } from '../exact-contacts.js';
import { ContactNames } from './contact-names.js';
import { FrontCut, type MadeAt, restPose } from './front-cut.js';
import type { FrontShape } from './front-shape.js';
import { MotionParts, movedBetween } from './motion-parts.js';

/** Each front's error is so many times smaller than that of the one before; so many are tried before the originals. */
const FINER = 4;
const FRONTS = 3;
/** The distance is looked for at errors that are so many times smaller than the one before; at first at this share of the size. */
const COARSER = 8;
const COARSEST = 1 / 16;
/** Of a distance that is known not to be exceeded: errors that are of use. Of a distance: how well it has to be known. */
const COARSE = 0.5;
const WELL = 0.5;
/** Thicknesses: what is nearer than this, as far as fronts can tell, is looked at more closely. */
const TELL = 1 / 4;
/** Scales, which are thicknesses or errors, and of the reach: what is cut out beyond need, so that it lasts. */
const BEYOND = 1;
const BEYOND_REACH = 0.25;
/** Scales: reaches beyond are better looked at where bodies first come near; longer motions are made in parts. */
const FAR = 4;
const WAY = 8;
/** Of that way: what a cut must be good for to be used again. */
const MOST_OF = 0.4;
/** Of it, too: no distance that is certainly less is looked for; no shorter way is made on the strength of a distance. */
const NEAR = 2;
const SHORT = 0.25;
/** Times the error: fronts whose boxes tell what of a body may come near. */
const BOXES = 1;
/** Times that a bound of a motion is made tighter, and by how much that has to be. */
const LOOKS = 3;
const WORTH = 0.8;
/** Cuts that are kept: a motion is looked at twice, where it would go and where it goes. */
const CUTS = 4;
/** Parts of one motion; where these do not do, it is made as far as they go. */
const MOST_PARTS = 64;
/** Scales: contacts that are no farther apart may be one. */
const SAME = 8;
/** Relative: more than rounding does to the lengths of motions. */
const ROUNDING = 1e-9;

export class CutContacts implements ContactEngine {
  readonly far: number;
  readonly #way: number;
  readonly #error: number;
  readonly #thickness: number;
  /** What lengths are measured by: the thickness or the error, whichever is more. */
  readonly #scale: number;
  readonly #exact = new ExactContacts();
  readonly #found = new ContactSet();
  readonly #names = new ContactNames();
  readonly #near = new Map<number, NearParts>();
  readonly #boxes = new WeakMap<NearParts, NearBoxes>();
  /** The last ones, the latest first. */
  readonly #cuts: FrontCut[] = [];
  /** Which of the fronts the last cut is of. */
  #fineness = 0;
  /** Between which numbers the distance was at a pose. */
  #apart: { readonly pose: Float64Array; readonly least: number; readonly most: number } | undefined;
  /** The last motion that was found to be free of all nearer than a distance. */
  #free: { readonly parts: MotionParts; readonly distance: number } | undefined;

  constructor({ error, engine, thickness }: ContactSettings) {
    this.#error = engine === 'exact' ? 0 : error;
    this.#thickness = thickness;
    this.#scale = Math.max(thickness, this.#error);
    this.far = FAR * this.#scale;
    this.#way = WAY * this.#scale;
  }

  contacts(pair: PosedPair, reach: number, out: ContactSet): void {
    out.clear();
    out.atLeast = reach;
    const cut = this.#cutFor(pair, reach);
    if (!cut) return;
    const { off } = cut;
    const found = this.#found;
    const any = cut.withShapes(pair.pose, reach, (shapes) =>
      this.#exact.contacts({ ...shapes, pose: pair.pose }, reach + off, found),
    );
    if (!any) return;
    out.atLeast = Math.max(0, Math.min(reach, found.atLeast - off));
    for (let i = 0; i < found.count; i++) {
      out.take(found, i);
      moveTogether(out.data, CONTACT_NUMBERS * i, pair.pose, 0.5 * off);
    }
    this.#names.name(out, SAME * this.#scale);
  }

  freeShare(a: Shape, b: Shape, motion: PairMotion, distance: number): number {
    const parts = new MotionParts(a, b, motion);
    const start = { a, b, pose: relativePose(parts.a(0), parts.b(0)) };
    const cut = this.#keptCut(start, distance);
    if (cut && this.#cutApart(cut, start) <= distance) return 0;
    const last = this.#free;
    if (last && parts.strayFrom(last.parts) < last.distance - distance) return 1;
    const share = this.#freeShare(a, b, parts, distance);
    if (share >= 1) this.#free = { parts, distance };
    return share;
  }

  /** No more than the originals are apart, and less by no more than the fronts are off. */
  distance(pair: PosedPair): number {
    const cut = this.#cutFor(pair, this.far);
    return cut ? Math.min(cut.reachAt(pair), this.#cutApart(cut, pair)) : this.#atLeast(pair, Infinity);
  }

  dispose(): void {
    while (this.#cuts.length > 0) this.#forgetCut();
  }

  #freeShare(a: Shape, b: Shape, parts: MotionParts, distance: number): number {
    const length = this.#lengthNear(a, b, parts, distance);
    if (length === 0) return 1;
    let done = 0;
    for (let i = 0; i < MOST_PARTS && done < 1; i++) {
      const pair = { a, b, pose: relativePose(parts.a(done), parts.b(done)) };
      const left = (1 - done) * length;
      let way = Math.min(left, this.#way);
      const reachOf = (cut: FrontCut) => Math.max(cut.reachAt(pair), cut.reachAlong(parts, done, length));
      let cut = this.#cuts.find((kept) => reachOf(kept) >= distance + MOST_OF * way);
      let apart: number;
      if (cut) {
        const reach = reachOf(cut);
        way = Math.min(left, reach - distance);
        apart = Math.min(reach, this.#cutApart(cut, pair));
      } else {
        apart = this.#atLeast(pair, distance + left);
        if (apart - distance <= way) {
          cut = this.#newCut(pair, distance + way, { parts, share: done });
          apart = Math.min(cut.reach, this.#cutApart(cut, pair));
        }
      }
      if (apart - distance > left) return 1;
      if (!cut || apart - distance > SHORT * way) {
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

  /** How far b moves against a at most, of what may come within a distance; 0 where nothing may. */
  #lengthNear(a: Shape, b: Shape, parts: MotionParts, distance: number): number {
    let { length } = parts;
    if (length <= this.#way) return length;
    const pose = restPose(a, b, relativePose(parts.a(0), parts.b(0)));
    const near = this.#nearAt(a, b, BOXES * this.#coarseErrors(a, b).pop()!);
    const boxes = this.#boxesOf(near);
    const seen = new Map<number, number>();
    for (let i = 0; i < LOOKS && length > 0; i++) {
      let most = 0;
      boxes.forEach(pose, distance + length + near.a.out + near.b.out, (_, box) => {
        let own = seen.get(box);
        if (own === undefined) seen.set(box, (own = parts.lengthOf(near.b.boxes.boxes, 6 * box, near.b.out)));
        most = Math.max(most, own);
      });
      if (!(most < WORTH * length)) break;
      length = most;
    }
    return length;
  }

  /** A cut that has everything of the originals within reach; undefined where that is nothing. */
  #cutFor(pair: PosedPair, reach: number): FrontCut | undefined {
    const kept = this.#keptCut(pair, reach);
    if (kept || this.#atLeast(pair, reach) > reach) return kept;
    return this.#newCut(pair, reach);
  }

  #keptCut(pair: PosedPair, reach: number): FrontCut | undefined {
    return this.#cuts.find((cut) => cut.reachAt(pair) >= reach);
  }

  /** Of the coarsest fronts that can tell the originals apart. */
  #newCut(pair: PosedPair, reach: number, made?: MadeAt): FrontCut {
    const wide = reach + BEYOND * this.#scale + BEYOND_REACH * reach;
    // another try with a coarser one
    for (let fineness = Math.max(0, this.#fineness - 1); ; fineness++) {
      const error = this.#errorAt(fineness);
      if (this.#cuts.length === CUTS) this.#forgetCut();
      const cut = new FrontCut(this.#nearAt(pair.a, pair.b, error), pair, wide, made);
      if (error > 0 && this.#cutApart(cut, pair) < TELL * this.#thickness) {
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

  /** How far apart the originals are at least, of those whose front is in a cut. */
  #cutApart(cut: FrontCut, pair: PosedPair): number {
    const [least, most] = cut.apart(pair);
    const known = Math.max(0, Math.min(least, cut.reachAt(pair)));
    this.#apart = { pose: pair.pose.slice(), least: known, most };
    return least;
  }

  /** How far apart the originals are at least; not well known where it is more than `enough`, or where a cut tells better. */
  #atLeast({ a, b, pose }: PosedPair, enough: number): number {
    const known = this.#apart;
    let [least, most] = [0, Infinity];
    if (known) {
      const moved = movedBetween(b, known.pose, pose);
      least = Math.max(0, known.least - moved);
      most = known.most + moved;
      if (least > enough || most <= NEAR * this.#way) return least;
    }
    const placed = { bToA: restPose(a, b, pose), aToWorld: IDENTITY as RigidPose };
    for (const error of this.#coarseErrors(a, b)) {
      // what is known already is better than what it could tell
      if (error > COARSE * most) continue;
      const ask = { atMost: most, error: 2 * error, upperWillDo: false };
      const { bounds } = closestNow(this.#nearAt(a, b, error), placed, ask).answer;
      least = Math.max(least, bounds[0]);
      most = Math.min(most, bounds[1]);
      if (least > enough || most - least < WELL * least || most <= this.#way) break;
    }
    this.#apart = { pose: pose.slice(), least, most };
    return least;
  }

  /** Errors to look for the distance at, the largest first. */
  #coarseErrors(a: Shape, b: Shape): number[] {
    const errors = [this.#error > 0 ? this.#error : this.#thickness];
    const most = COARSEST * Math.min(a.radius, b.radius);
    while (COARSER * errors[0] < most) errors.unshift(COARSER * errors[0]);
    return errors;
  }

  #errorAt(fineness: number): number {
    return fineness < FRONTS ? this.#error / FINER ** fineness : 0;
  }

  #nearAt(a: Shape, b: Shape, error: number): NearParts {
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
    if (!boxes) this.#boxes.set(near, (boxes = new NearBoxes(near.a.boxes, near.b.boxes)));
    return boxes;
  }
}

function sideOf(shape: Shape, error: number): Side {
  return shape instanceof ContactShape ? new MeshSide(shape.mesh) : (shape as FrontShape).at(error);
}

/** Moves both points of a contact towards each other, so that the gap is that of the originals at least. */
function moveTogether(data: Float64Array, at: number, p: Float64Array, by: number): void {
  const n = [data[at + NORMAL], data[at + NORMAL + 1], data[at + NORMAL + 2]];
  for (let k = 0; k < 3; k++) {
    data[at + POINT_A + k] += by * n[k];
    data[at + POINT_B + k] -= by * (p[k] * n[0] + p[3 + k] * n[1] + p[6 + k] * n[2]);
  }
  data[at + GAP] -= 2 * by;
}
