/**
 * How deep a piece of one surface lies under another one: the largest distance to the other surface over all its
 * points inside. Not over its vertices: two bars that cross have no vertex inside each other.
 *
 * Idea: branch and bound. Runs of neighbouring triangles are bounded by a ball (distance is 1-Lipschitz), a single
 * triangle by the best of a few triangles of the other surface: the distance to one triangle is convex, so its
 * corners bound it. What may be deeper than the deepest point so far is divided: a triangle that meets the other
 * surface along the curves, to drop what lies outside; others into four.
 * Errs: the point found is inside, at that depth but for rounding. Nothing lies deeper than `bound`, which is within
 * 0.1 % of the depth unless the budget of evaluations ran out.
 */
import { PairHeap } from '../../base/heap.js';
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import type { PosedSurface } from './posed-surface.js';
import { splitTriangle } from './split-triangle.js';

export interface Deepest {
  readonly depth: number;
  /** No point of the piece is deeper. */
  readonly bound: number;
  /** Where the depth was found, in the common frame; meaningless when the depth is 0. */
  readonly point: Float64Array;
}

/** A bound this close to the depth, relative to it, ends the search. */
const GOOD_ENOUGH = 1e-3;
/** Points closer than this to the other surface, relative to the coordinates, count as being on it. */
const ON_SURFACE = 1e-13;
/** Closest-point queries per piece. Fewer leave a larger gap between depth and bound; each costs about 10 µs. */
const BUDGET = 4000;
const TRIANGLES_PER_RUN = 4;

const CELL = 0;
const RUN = 1;
const MEETING = 2;

/** A triangle that meets the other surface. */
export interface MeetingTriangle {
  readonly triangle: number;
  /** Triangles of the other surface. */
  readonly partners: number[];
  /** Where it meets them: six numbers per segment. */
  readonly segments: number[];
}

export class DepthSearch {
  depth = 0;
  readonly point = new Float64Array(3);
  evaluations = 0;
  readonly #surface: PosedSurface;
  readonly #other: PosedSurface;
  readonly #scale: number;
  readonly #heap = new PairHeap();
  readonly #cells: Float64Array[] = [];
  readonly #meeting: MeetingTriangle[] = [];
  #triangles: Uint32Array = new Uint32Array(0);
  /** Of each run of a few triangles: minimum and maximum. */
  #boxes = new Float64Array(0);
  readonly #runs: number[] = [];
  readonly #corners = new Float64Array(9);
  readonly #partner = new Float64Array(9);
  readonly #middle = new Float64Array(3);

  /** `scale` bounds the coordinates. `known` is a depth that is already certain. */
  constructor(surface: PosedSurface, other: PosedSurface, scale: number, known?: Deepest) {
    this.#surface = surface;
    this.#other = other;
    this.#scale = scale;
    if (known) {
      this.depth = known.depth;
      this.point.set(known.point);
    }
  }

  /** Adds triangles that lie inside as a whole, best in the order of the tree. */
  addPatch(triangles: Uint32Array): void {
    this.#triangles = triangles;
    const runs = Math.ceil(triangles.length / TRIANGLES_PER_RUN);
    this.#boxes = new Float64Array(6 * runs);
    for (let run = 0; run < runs; run++) {
      this.#boxes.fill(Infinity, 6 * run, 6 * run + 3);
      this.#boxes.fill(-Infinity, 6 * run + 3, 6 * run + 6);
    }
    triangles.forEach((triangle, i) => {
      this.#surface.writeTriangle(triangle, this.#corners, 0);
      const box = 6 * Math.floor(i / TRIANGLES_PER_RUN);
      for (let k = 0; k < 9; k++) {
        const at = box + (k % 3);
        this.#boxes[at] = Math.min(this.#boxes[at], this.#corners[k]);
        this.#boxes[at + 3] = Math.max(this.#boxes[at + 3], this.#corners[k]);
      }
    });
    this.#addRuns(0, runs);
  }

  /** Adds a triangle of which parts may lie inside. The other surface must be closed. */
  addMeeting(meeting: MeetingTriangle): void {
    this.#surface.writeTriangle(meeting.triangle, this.#corners, 0);
    let bound = Infinity;
    for (const partner of meeting.partners) bound = Math.min(bound, this.#boundBy(this.#corners, partner));
    if (bound <= this.#threshold()) return;
    this.#heap.push(-bound, this.#meeting.length, MEETING);
    this.#meeting.push(meeting);
  }

  run(): Deepest {
    const heap = this.#heap;
    let bound = this.depth;
    while (heap.pop()) {
      if (-heap.key <= this.#threshold()) break;
      if (this.evaluations >= BUDGET) {
        bound = -heap.key;
        break;
      }
      if (heap.b === CELL) this.#divideCell(this.#cells[heap.a]);
      else if (heap.b === MEETING) this.#divideMeeting(this.#meeting[heap.a]);
      else this.#divideRuns(this.#runs[heap.a], this.#runs[heap.a + 1]);
    }
    return { depth: this.depth, bound: Math.max(bound, this.#threshold()), point: this.point };
  }

  #threshold(): number {
    return this.depth * (1 + GOOD_ENOUGH) + ON_SURFACE * this.#scale;
  }

  #push(corners: Float64Array, bound: number): void {
    if (bound <= this.#threshold()) return;
    this.#heap.push(-bound, this.#cells.length, CELL);
    this.#cells.push(corners);
  }

  /** No point of the triangle is farther from the other surface than its corners are from one triangle of it. */
  #boundBy(corners: Float64Array, partner: number): number {
    this.#other.writeTriangle(partner, this.#partner, 0);
    let boundSq = 0;
    for (let k = 0; k < 9; k += 3) {
      boundSq = Math.max(boundSq, distanceSqPointTriangle(corners, k, this.#partner, 0));
    }
    return Math.sqrt(boundSq);
  }

  #divideCell(corners: Float64Array): void {
    const middles = new Float64Array(9);
    for (let k = 0; k < 9; k++) middles[k] = 0.5 * (corners[k] + corners[(k + 3) % 9]);
    const part = (p: Float64Array, i: number, q: Float64Array, j: number, r: Float64Array, l: number) =>
      this.#offer(
        Float64Array.of(p[i], p[i + 1], p[i + 2], q[j], q[j + 1], q[j + 2], r[l], r[l + 1], r[l + 2]),
      );
    part(middles, 0, middles, 3, middles, 6);
    part(corners, 0, middles, 0, middles, 6);
    part(corners, 3, middles, 3, middles, 0);
    part(corners, 6, middles, 6, middles, 3);
  }

  /** Looks at a triangle: may raise the depth, and keeps what may still be deeper. */
  #offer(corners: Float64Array): void {
    const middle = this.#middle;
    let radius = 0;
    for (let k = 0; k < 3; k++) middle[k] = (corners[k] + corners[3 + k] + corners[6 + k]) / 3;
    for (let k = 0; k < 9; k += 3) {
      radius = Math.max(
        radius,
        Math.hypot(corners[k] - middle[0], corners[k + 1] - middle[1], corners[k + 2] - middle[2]),
      );
    }
    const distance = this.#measure(middle, 0);
    let bound = Math.min(distance + radius, this.#boundBy(corners, this.#other.closestTriangle));
    if (bound <= this.#threshold()) return;
    for (let k = 0; k < 9; k += 3) {
      this.#measure(corners, k);
      bound = Math.min(bound, this.#boundBy(corners, this.#other.closestTriangle));
    }
    this.#push(corners, bound);
  }

  /** The distance of a point inside from the other surface; raises the depth. */
  #measure(p: Float64Array, po: number): number {
    this.evaluations++;
    const distance = this.#other.closest(p, po);
    if (distance > this.depth && distance > ON_SURFACE * this.#scale) {
      this.depth = distance;
      this.point.set(p.subarray(po, po + 3));
    }
    return distance;
  }

  /** Keeps the pieces that lie inside. */
  #divideMeeting({ triangle, segments }: MeetingTriangle): void {
    this.#surface.writeTriangle(triangle, this.#corners, 0);
    const slack = ON_SURFACE * this.#scale;
    for (const piece of splitTriangle(this.#corners, Float64Array.from(segments), slack)) {
      const count = piece.length / 3;
      this.#middle.fill(0);
      for (let k = 0; k < piece.length; k++) this.#middle[k % 3] += piece[k] / count;
      this.evaluations++;
      if (this.#other.closest(this.#middle, 0) <= slack) continue;
      if (this.#other.locate(this.#middle, 0) !== 'inside') continue;
      for (let i = 3; i + 5 < piece.length; i += 3) {
        this.#offer(Float64Array.of(...piece.slice(0, 3), ...piece.slice(i, i + 6)));
      }
    }
  }

  #divideRuns(from: number, to: number): void {
    if (to - from > 1) {
      const half = (from + to) >> 1;
      this.#addRuns(from, half);
      this.#addRuns(half, to);
      return;
    }
    const end = Math.min(TRIANGLES_PER_RUN * to, this.#triangles.length);
    for (let i = TRIANGLES_PER_RUN * from; i < end; i++) {
      const corners = new Float64Array(9);
      this.#surface.writeTriangle(this.#triangles[i], corners, 0);
      this.#offer(corners);
    }
  }

  #addRuns(from: number, to: number): void {
    const boxes = this.#boxes;
    let radiusSq = 0;
    for (let k = 0; k < 3; k++) {
      let min = Infinity;
      let max = -Infinity;
      for (let at = 6 * from + k; at < 6 * to; at += 6) {
        if (boxes[at] < min) min = boxes[at];
        if (boxes[at + 3] > max) max = boxes[at + 3];
      }
      this.#middle[k] = 0.5 * (min + max);
      radiusSq += (0.5 * (max - min)) ** 2;
    }
    this.evaluations++;
    const bound = this.#other.closest(this.#middle, 0) + Math.sqrt(radiusSq);
    if (bound <= this.#threshold()) return;
    this.#heap.push(-bound, this.#runs.length, RUN);
    this.#runs.push(from, to);
  }
}
