/**
 * The first moment at which two moving meshes come within a distance.
 *
 * Idea: every pair of boxes, and every pair of triangles, has a time until which it certainly stays apart. The pair
 * with the earliest one is looked at again, at that time: a slab between the two says for how much longer
 * (motion-bound.ts). Boxes that are near for their size are opened instead. So each pair advances as far as its own
 * shape and place allow, and what slides past is left behind as a whole. When the earliest pair is one of triangles and
 * within the distance, nothing can have met before. Layout: waiting pairs are slots of the trees, or triangles with
 * TRIANGLE set on a's. Errs: a pair's time is too early, never too late. Paper: Mirtich 1996, "Impulse-based dynamic
 * simulation of rigid body systems", for advancing by what is certain; Tang, Kim & Manocha 2009, "C²A: controlled
 * conservative advancement", for a bound per pair of boxes. Clocks per pair are ours.
 */
import { PairHeap } from '../../base/heap.js';
import { distanceSqTriangleTriangle } from '../../geometry/distance/triangle-triangle.js';
import { isLeaf, LANES, leafCount, leafStart, MAX_LEAF_SIZE } from '../../hierarchy/layout.js';
import { EMPTY } from '../../kernel/layout.generated.js';
import { MotionBound } from './motion-bound.js';
import { BOX_NUMBERS, type MotionSide, reachOfBox } from './motion-side.js';
import { farthest, SLABS, writeOneSlab, writeSlab } from './motion-slab.js';

/** Above every slot and triangle that memory can hold, and a small integer to engines. */
const TRIANGLE = 2 ** 29;
/** Boxes are opened when they are closer than this share of the larger one. */
const NEAR = 0.25;
/** Share of what turning adds to the speed of a box's farthest points, in guesses only. */
const SLOW = 0.5;
/** A slab is as wide as its triangles are apart; one of less than this share of it is made of rounding. */
const SURE = 0.1;

export class MotionSearch {
  /** The first pair within the distance, when, its closest points (a's, then b's), and the way from a to b. */
  time = Infinity;
  triangleA = -1;
  triangleB = -1;
  distance = Infinity;
  readonly witness = new Float64Array(8);
  readonly normal = new Float64Array(3);
  volumeTests = 0;
  triangleTests = 0;
  exactTests = 0;
  readonly #a: MotionSide;
  readonly #b: MotionSide;
  readonly #bound: MotionBound;
  readonly #waiting = new PairHeap();
  readonly #keep: number;
  readonly #contact: number;
  readonly #boxA = new Float64Array(BOX_NUMBERS);
  readonly #boxB = new Float64Array(BOX_NUMBERS);
  readonly #pair = new Float64Array(18);
  readonly #leafA = new Float64Array(9 * MAX_LEAF_SIZE);
  readonly #leafB = new Float64Array(9 * MAX_LEAF_SIZE);
  /** For how long the boxes looked at are free, and the widest gap between them. */
  #free = 0;
  #gap = 0;
  /** The slab that seems best: for how long, how wide, its normal; how fast the boxes approach, and turn. */
  #best = 0;
  #wide = 0;
  #turning = 0;
  readonly #velocity = new Float64Array(3);
  readonly #normal = new Float64Array(3);

  /** Contact is a distance of at most `contact`; what keeps more than `keep`, rounding included, is apart. */
  constructor(a: MotionSide, b: MotionSide, keep: number, contact: number) {
    this.#a = a;
    this.#b = b;
    this.#bound = new MotionBound(a.motion, b.motion);
    this.#keep = keep;
    this.#contact = contact;
  }

  /** Looks through the times from 0 to 1 for the first contact. */
  run(): void {
    this.#a.refresh();
    this.#b.refresh();
    this.#pushRoots();
    const waiting = this.#waiting;
    while (waiting.pop()) {
      const { key: time, a, b } = waiting;
      if (a >= TRIANGLE) {
        if (this.#advanceTriangles(time, a - TRIANGLE, b)) return;
      } else this.#advanceBoxes(time, a, b);
    }
  }

  #pushRoots(): void {
    for (let i = 0; i < LANES; i++) {
      if (this.#a.tree.ref(i) === EMPTY) continue;
      for (let j = 0; j < LANES; j++) {
        if (this.#b.tree.ref(j) !== EMPTY) this.#waiting.push(0, i, j);
      }
    }
  }

  #moveTo(time: number): void {
    this.#a.step.moveTo(time);
    this.#b.step.moveTo(time);
  }

  #advanceBoxes(time: number, slotA: number, slotB: number): void {
    this.#moveTo(time);
    this.#a.writeBox(slotA, this.#boxA);
    this.#b.writeBox(slotB, this.#boxB);
    this.volumeTests++;
    const sizeA = sizeOf(this.#boxA);
    const sizeB = sizeOf(this.#boxB);
    this.#turning = this.#bound.rateA * sizeA + this.#bound.rateB * sizeB;
    this.#separateBoxes(1 - time);
    if (this.#free === Infinity) return;
    const next = time + this.#free;
    const refA = this.#a.tree.ref(slotA);
    const refB = this.#b.tree.ref(slotB);
    if (this.#gap > this.#contact + NEAR * Math.max(sizeA, sizeB)) this.#waiting.push(next, slotA, slotB);
    else if (isLeaf(refA) && isLeaf(refB)) this.#openLeaves(time, refA, refB);
    else if (isLeaf(refB) || (!isLeaf(refA) && sizeA >= sizeB)) {
      const first = this.#a.firstBelow(slotA);
      this.#b.refresh();
      for (let i = first; i < first + LANES; i++) {
        if (this.#a.tree.ref(i) !== EMPTY) this.#waiting.push(next, i, slotB);
      }
    } else {
      const first = this.#b.firstBelow(slotB);
      this.#a.refresh();
      for (let i = first; i < first + LANES; i++) {
        if (this.#b.tree.ref(i) !== EMPTY) this.#waiting.push(next, slotA, i);
      }
    }
  }

  /**
   * Finds slabs between the boxes, and how long the one holds that by the speed of their centres lasts longest; `#free`
   * is 0 when there is none.
   */
  #separateBoxes(remaining: number): void {
    this.#free = 0;
    this.#gap = 0;
    this.#best = 0;
    const a = this.#boxA;
    const b = this.#boxB;
    this.#velocity.fill(0);
    this.#a.addVelocity(a, 1, this.#velocity);
    this.#b.addVelocity(b, -1, this.#velocity);
    const dx = b[0] - a[0];
    const dy = b[1] - a[1];
    const dz = b[2] - a[2];
    for (let side = 0; side < 2; side++) {
      const own = side === 0 ? a : b;
      const other = side === 0 ? b : a;
      let nx = 0;
      let ny = 0;
      let nz = 0;
      let sumSq = 0;
      let axes = 0;
      for (let k = 0; k < 3; k++) {
        const ax = own[3 + 3 * k];
        const ay = own[4 + 3 * k];
        const az = own[5 + 3 * k];
        const along = ax * dx + ay * dy + az * dz;
        const gap = Math.abs(along) - own[12 + k] - reachOfBox(other, ax, ay, az);
        if (!(gap > 0)) continue;
        const sign = along > 0 ? 1 : -1;
        axes++;
        nx += sign * gap * ax;
        ny += sign * gap * ay;
        nz += sign * gap * az;
        sumSq += gap * gap;
        this.#offerSlab(gap, sign * ax, sign * ay, sign * az);
      }
      if (axes > 1) {
        // gaps along the axes of one box are at right angles: together they are a wider slab
        const length = Math.sqrt(sumSq);
        this.#offerSlab(length, nx / length, ny / length, nz / length);
      }
    }
    if (this.#best === 0) return;
    const n = this.#normal;
    this.#a.measureBox(a, n[0], n[1], n[2]);
    this.#b.measureBox(b, -n[0], -n[1], -n[2]);
    this.#free = this.#freeTime(this.#wide, n[0], n[1], n[2], remaining);
  }

  /** Keeps the slab that seems to last longest. */
  #offerSlab(gap: number, nx: number, ny: number, nz: number): void {
    if (gap > this.#gap) this.#gap = gap;
    const wide = gap - this.#keep;
    if (!(wide > 0)) return;
    const v = this.#velocity;
    const speed = Math.max(0, v[0] * nx + v[1] * ny + v[2] * nz);
    const lasts = wide / (speed + SLOW * this.#turning);
    if (!(lasts > this.#best)) return;
    this.#best = lasts;
    this.#wide = wide;
    const n = this.#normal;
    n[0] = nx;
    n[1] = ny;
    n[2] = nz;
  }

  /** For how long a slab holds between the two triangles. */
  #freeOfPair(wide: number, n: Float64Array, remaining: number): number {
    this.#a.measureTriangle(this.#pair, 0, n[0], n[1], n[2]);
    this.#b.measureTriangle(this.#pair, 9, -n[0], -n[1], -n[2]);
    return this.#freeTime(wide, n[0], n[1], n[2], remaining);
  }

  #freeTime(wide: number, nx: number, ny: number, nz: number, remaining: number): number {
    const { swing: swingA, rise: riseA } = this.#a;
    const { swing: swingB, rise: riseB } = this.#b;
    const approach = this.#bound.approach(nx, ny, nz);
    return this.#bound.freeTime(wide, approach, swingA, riseA, swingB, riseB, remaining);
  }

  /** Puts the triangles of two leaves in line, those that the leaves' slab keeps apart later than the others. */
  #openLeaves(time: number, refA: number, refB: number): void {
    const countA = leafCount(refA);
    const countB = leafCount(refB);
    const startA = leafStart(refA);
    const startB = leafStart(refB);
    const { tree: treeA } = this.#a;
    const { tree: treeB } = this.#b;
    for (let i = 0; i < countA; i++) this.#a.writeTriangle(treeA.triangleAt(startA + i), this.#leafA, 9 * i);
    for (let j = 0; j < countB; j++) this.#b.writeTriangle(treeB.triangleAt(startB + j), this.#leafB, 9 * j);
    const nx = this.#normal[0];
    const ny = this.#normal[1];
    const nz = this.#normal[2];
    const parted = this.#free > 0;
    for (let i = 0; i < countA; i++) {
      if (parted) this.#a.measureTriangle(this.#leafA, 9 * i, nx, ny, nz);
      const farthestA = parted ? farthest(this.#leafA, 9 * i, nx, ny, nz) : 0;
      for (let j = 0; j < countB; j++) {
        this.triangleTests++;
        let free = 0;
        if (parted) {
          this.#b.measureTriangle(this.#leafB, 9 * j, -nx, -ny, -nz);
          const wide = -farthest(this.#leafB, 9 * j, -nx, -ny, -nz) - farthestA - this.#keep;
          if (wide > 0) free = this.#freeTime(wide, nx, ny, nz, 1 - time);
          if (free === Infinity) continue;
        }
        this.#waiting.push(
          time + free,
          TRIANGLE + treeA.triangleAt(startA + i),
          treeB.triangleAt(startB + j),
        );
      }
    }
  }

  /** True when the pair is in contact. */
  #advanceTriangles(time: number, triangleA: number, triangleB: number): boolean {
    this.#moveTo(time);
    this.#a.writeTriangle(triangleA, this.#pair, 0);
    this.#b.writeTriangle(triangleB, this.#pair, 9);
    this.exactTests++;
    const w = this.witness;
    const distance = Math.sqrt(distanceSqTriangleTriangle(this.#pair, 0, this.#pair, 9, w));
    const width = writeSlab(this.#pair, w, this.normal);
    const apart = distance - this.#keep;
    if (apart > 0) {
      const wide = width - this.#keep;
      const free = wide > SURE * apart ? this.#freeOfPair(wide, this.normal, 1 - time) : 0;
      if (free === Infinity) return false;
      // where rounding has used up the slab, no more can be told
      if (distance > this.#contact && free > 0) {
        this.#waiting.push(time + free, TRIANGLE + triangleA, triangleB);
        return false;
      }
      // before calling it a contact: do they slide past each other?
      const n = this.#normal;
      for (let slab = 0; slab < SLABS; slab++) {
        const thin = writeOneSlab(this.#pair, slab, n) - this.#keep;
        if (thin > 0 && this.#freeOfPair(thin, n, 1 - time) === Infinity) return false;
      }
    }
    if (Number.isNaN(width)) this.normal.fill(0); // nothing lies between the closest points
    this.time = time;
    this.triangleA = triangleA;
    this.triangleB = triangleB;
    this.distance = distance;
    return true;
  }
}

function sizeOf(box: Float64Array): number {
  return Math.max(box[12], box[13], box[14]);
}
