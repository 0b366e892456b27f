/**
 * Which boxes of b's front may be near a, and the motion of their contents relative to a: far less, as a rule, than
 * that of the farthest point of a turning body.
 *
 * Promise: no original of b within a distance of a has moved or will move by more than the returned bound, as long as
 * the zone is valid for that distance. Proof. A front point in a box represents such a point, both within the `out`s of
 * the originals, so the box was within distance + off + m of a where the zone was made, m being the motion of the box
 * since; all boxes within the zone's distance are listed with their gaps, and the rest, which have moved by no more
 * than the whole body, are out of reach while the zone is valid. Anything in a box, or beside it by no more than `out`,
 * moves by no more than a corner of the box does, since distances are convex, plus the turn times `out`.
 */
import type { NearBoxes } from '@impinge/model/internal/level-queries/near-boxes.js';
import type { NearParts } from '@impinge/model/internal/level-queries/near-parts.js';
import type { BodyShape, PosedPair } from '../contact-engine.js';
import { restPose } from '../placing.js';
import { apart, type MotionParts, movedBetween } from './motion-parts.js';

/** Relative: more than rounding does to lengths. */
const ROUNDING = 1e-9;
/** Numbers of a box: its middle in the frame of b, half its extents, and its gap where the zone was made. */
const NUMBERS = 7;

export class NearZone {
  readonly pose: Float64Array;
  readonly distance: number;
  readonly #b: BodyShape;
  readonly #off: number;
  readonly #out: number;
  readonly #boxes: Float64Array;

  constructor(parts: NearParts, boxes: NearBoxes, { a, b, pose }: PosedPair, distance: number) {
    this.#b = b;
    this.pose = pose.slice();
    this.distance = distance;
    this.#off = parts.a.out + parts.b.out;
    this.#out = parts.b.out;
    const gaps = new Map<number, number>();
    for (const { b: part, gapSq } of boxes.within(restPose(a, b, pose), distance)) {
      const known = gaps.get(part);
      if (known === undefined || gapSq < known) gaps.set(part, gapSq);
    }
    const { tree } = parts.b;
    const all = tree.boxes;
    const own = (this.#boxes = new Float64Array(NUMBERS * gaps.size));
    let at = 0;
    for (const [part, gapSq] of gaps) {
      const box = tree.boxAt(tree.nodes + part);
      for (let k = 0; k < 3; k++) {
        const [low, high] = [all[box + k], all[box + 3 + k]];
        own[at + k] = 0.5 * (low + high) - b.centre[k];
        own[at + 3 + k] = 0.5 * (high - low);
      }
      own[at + 6] = Math.sqrt(gapSq) * (1 - ROUNDING);
      at += NUMBERS;
    }
  }

  /** Whether it covers everything that is, or comes by moving on by `way`, within a distance, with b at a pose. */
  isGoodFor(pose: Float64Array, distance: number, way: number): boolean {
    return this.distance >= distance + this.#off + way + movedBetween(this.#b, this.pose, pose);
  }

  /** Whether nothing is within a distance, with b at a pose. */
  isClear(pose: Float64Array, distance: number): boolean {
    const boxes = this.#boxes;
    const since = new BoxWays(this.pose, pose, this.#out);
    for (let at = 0; at < boxes.length; at += NUMBERS)
      if (boxes[at + 6] - since.most(boxes, at) <= distance + this.#off) return false;
    return true;
  }

  /** A bound on the motion relative to a, since b was at `from`, of points within a distance with b at `to`. */
  moved(from: Float64Array, to: Float64Array, distance: number): number {
    const boxes = this.#boxes;
    const since = new BoxWays(this.pose, to, this.#out);
    const ways = new BoxWays(from, to, this.#out);
    let most = 0;
    for (let at = 0; at < boxes.length; at += NUMBERS) {
      if (boxes[at + 6] - since.most(boxes, at) > distance + this.#off) continue;
      most = Math.max(most, ways.most(boxes, at));
    }
    return most;
  }

  /**
   * A bound on the fastest motion relative to a of points that may come within a distance in a motion; 0 where none
   * may.
   */
  length(parts: MotionParts, pose: Float64Array, distance: number): number {
    const boxes = this.#boxes;
    const since = new BoxWays(this.pose, pose, this.#out);
    const ways = new BoxWays(parts.b(0), parts.b(1), this.#out, parts.a(0), parts.a(1));
    let most = 0;
    for (let at = 0; at < boxes.length; at += NUMBERS) {
      const own = ways.most(boxes, at) + parts.bend;
      const gap = boxes[at + 6] - since.most(boxes, at) - distance - this.#off;
      if (gap <= own) most = Math.max(most, own);
    }
    return most;
  }
}

/** The displacement between two poses of points in boxes, or beside them by no more than `out`. */
class BoxWays {
  readonly #by = new Float64Array(12);
  readonly #beside: number;

  /** Where the other moves, too, its way counts, but not its turn. */
  constructor(p: Float64Array, q: Float64Array, out: number, otherP?: Float64Array, otherQ?: Float64Array) {
    const by = this.#by;
    for (let k = 0; k < 12; k++) by[k] = q[k] - p[k];
    if (otherP && otherQ) for (let k = 9; k < 12; k++) by[k] -= otherQ[k] - otherP[k];
    this.#beside = apart(p, q, 0, 9) * out;
  }

  most(boxes: Float64Array, at: number): number {
    const by = this.#by;
    let mostSq = 0;
    for (let corner = 0; corner < 8; corner++) {
      const x = corner & 1 ? boxes[at] + boxes[at + 3] : boxes[at] - boxes[at + 3];
      const y = corner & 2 ? boxes[at + 1] + boxes[at + 4] : boxes[at + 1] - boxes[at + 4];
      const z = corner & 4 ? boxes[at + 2] + boxes[at + 5] : boxes[at + 2] - boxes[at + 5];
      const dx = by[0] * x + by[1] * y + by[2] * z + by[9];
      const dy = by[3] * x + by[4] * y + by[5] * z + by[10];
      const dz = by[6] * x + by[7] * y + by[8] * z + by[11];
      const sq = dx * dx + dy * dy + dz * dz;
      if (sq > mostSq) mostSq = sq;
    }
    return (Math.sqrt(mostSq) + this.#beside) * (1 + ROUNDING);
  }
}
