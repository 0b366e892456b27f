/**
 * The triangles of two fronts near each other: few, which are compared as if they were all.
 *
 * Promise: at the pose where it was made, it has the triangles that represent any two originals within `reach`. Where
 * those of b within reach have moved relative to a by no more than m since, it has those for reach − m.
 */
import type { NearParts } from '@impinge/model/internal/level-queries/near-parts.js';
import { IDENTITY, type RigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import { distancePlaced } from 'impinge/internal/query/pair/distance.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import { middleOf } from '../box-middle.js';
import type { BodyShape, PairMotion, PosedPair } from '../contact-engine.js';
import { CONTACT_NUMBERS, type ContactSet } from '../contact-set.js';
import { ContactShape } from '../contact-shape.js';
import { bendOf } from '../engines/pair-motion.js';
import { GAP, NORMAL, POINT_A, POINT_B } from '../exact/layout.generated.js';
import type { OwnedMemory } from '../exact/owned-memory.js';
import { PairContacts } from '../exact/pair-contacts.js';
import { restPose } from '../placing.js';
import { searchedShareOf } from '../searched-share.js';
import { type CutTriangles, cutTriangles } from './cut-triangles.js';
import type { FrontShape } from './front-shape.js';

export class FrontCut {
  /** Which of the fronts it is of. */
  readonly fineness: number;
  readonly reach: number;
  /** Maximum amounts by which the fronts may be farther apart than the originals, and nearer. */
  readonly off: number;
  readonly into: number;
  /** The pose of b in the frame of a at which it was made. */
  readonly pose: Float64Array;
  readonly #sides: { readonly a: CutSide; readonly b: CutSide; readonly pair: PairContacts } | undefined;

  constructor(
    near: NearParts,
    { a, b, pose }: PosedPair,
    { fineness, reach }: Pick<FrontCut, 'fineness' | 'reach'>,
    memory: OwnedMemory,
  ) {
    this.fineness = fineness;
    this.reach = reach;
    this.pose = pose.slice();
    const found = cutTriangles(near, restPose(a, b, pose), reach);
    const rounding = found ? found[0].rounding + found[1].rounding : 0;
    this.off = near.a.out + near.b.out + rounding;
    this.into = near.a.in + near.b.in + rounding;
    if (!found) return;
    const [sideA, sideB] = [new CutSide(a, found[0]), new CutSide(b, found[1])];
    this.#sides = { a: sideA, b: sideB, pair: new PairContacts(memory, sideA.shape, sideB.shape) };
  }

  /** Bounds on the distance of the originals it represents. */
  apart({ pose }: PosedPair): readonly [least: number, most: number] {
    if (!this.#sides) return [Infinity, Infinity];
    const { a, b } = this.#sides;
    const placed = { bToA: restPose(a.of, b.of, pose), aToWorld: IDENTITY as RigidPose };
    const { distance } = distancePlaced(a.shape.mesh, b.shape.mesh, placed, Infinity);
    return [Math.max(0, distance - this.off), distance + this.into];
  }

  /**
   * Writes contacts of its triangles, with gaps no larger than those of the originals; these hold everything within
   * reach.
   */
  contacts({ pose }: PosedPair, reach: number, out: ContactSet): void {
    out.clear();
    out.atLeast = reach;
    if (!this.#sides) return;
    const { a, b, pair } = this.#sides;
    const { off } = this;
    const own = b.moved(pose);
    for (let k = 0; k < 3; k++) own[9 + k] -= a.shift[k];
    pair.contacts({ a: a.shape, b: b.shape, pose: own }, reach + off, out);
    out.atLeast = Math.max(0, Math.min(reach, out.atLeast - off));
    for (let i = 0; i < out.count; i++) {
      const at = CONTACT_NUMBERS * i;
      for (let k = 0; k < 3; k++) {
        out.data[at + POINT_A + k] += a.shift[k];
        out.data[at + POINT_B + k] += b.shift[k];
      }
      moveTogether(out.data, at, pose, 0.5 * off);
    }
  }

  /** Whether planes show that the originals it represents stay farther apart than a distance in a motion. */
  planesHold(motion: PairMotion, distance: number): boolean {
    if (!this.#sides) return true;
    const { a, b, pair } = this.#sides;
    const { fromA, toA, fromB, toB } = motion;
    // about their own middles shapes move straight, except for the turning of bodies about theirs
    const { stray } = bendOf(a.of.radius, b.of.radius, motion);
    const own = { fromA: a.moved(fromA), toA: a.moved(toA), fromB: b.moved(fromB), toB: b.moved(toB) };
    return pair.planesHold(own, distance + this.off + stray);
  }

  /** The share of a motion in which the originals it represents stay farther apart than a distance. */
  freeShare(motion: PairMotion, distance: number): number {
    if (!this.#sides) return 1;
    const { a, b } = this.#sides;
    const of = ({ shape: { mesh }, of: { centre } }: CutSide) => ({ mesh, centre });
    return searchedShareOf(of(a), of(b), motion, distance + this.off);
  }

  /** Writes what makes it again, and what was found in it. */
  save(out: StateWriter): void {
    out.number(this.fineness);
    out.number(this.reach);
    out.array(this.pose);
    this.#sides?.pair.save(out);
  }

  /** Takes over what was found in an equal one. */
  restore(from: StateReader): void {
    this.#sides?.pair.restore(from);
  }

  dispose(): void {
    this.#sides?.pair.dispose();
    this.#sides?.a.dispose();
    this.#sides?.b.dispose();
  }
}

/** A mesh is compared as a whole; a cut of a front is a shape about its own middle, which moves less than its ends. */
class CutSide {
  readonly of: BodyShape;
  readonly shape: ContactShape;
  /** From the centre of the body to that of the shape. */
  readonly shift: Vec3;

  constructor(of: BodyShape, triangles: CutTriangles) {
    this.of = of;
    if (of instanceof ContactShape) {
      this.shape = of;
      this.shift = [0, 0, 0];
      return;
    }
    const { name, centre, closed } = of as FrontShape;
    const middle = middleOf(triangles.positions);
    this.shape = new ContactShape({ ...triangles, name }, middle, closed);
    this.shift = [middle[0] - centre[0], middle[1] - centre[1], middle[2] - centre[2]];
  }

  /** The pose of the frame about the middle, given that of the body's. */
  moved(pose: Float64Array): Float64Array {
    const [x, y, z] = this.shift;
    const own = pose.slice();
    for (let k = 0; k < 3; k++) own[9 + k] += pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z;
    return own;
  }

  dispose(): void {
    if (this.shape !== this.of) this.shape.dispose();
  }
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
