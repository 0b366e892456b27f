/**
 * Which parts of two sides are near each other, while b moves.
 *
 * State between questions: a cut, and the pairs found in it, a little farther apart than asked, which are good until b
 * has moved that much. So the cut is moved once in a few steps, and what will be near after these is fetched by then.
 * Answers do not depend on it: of the pairs found, those are asked about that are near enough now.
 */
import { composePoses, type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import type { Part, PartPairs } from './batch-query.js';
import { Cut, type Open, Walked } from './cut.js';
import type { PlacedTree } from './level-tree.js';
import { type BoxPair, NearBoxes } from './near-boxes.js';
import { type NearestBatch, NearestBatches } from './nearest-batches.js';
import { eachBatch, type HeldParts, type PartBatch } from './part-batches.js';
import { PosedBoxes, squareAbove } from './posed-boxes.js';
import type { Side } from './side.js';

/**
 * How many steps like the last one the pairs found are good for, if that is less than this share of a part's size, or
 * of a side's as long as no part is known.
 */
const AHEAD = 8;
const MOST = 0.1;
/** Of the largest numbers involved; see distanceRounding. */
const ROUNDING = 1e-14;
/** Steps longer than this many of these shares are jumps. */
const JUMP = 8;
/** Ways that are longer than so many times the largest coordinate are rounded to more than `ROUNDING`. */
const LONGEST = 32;

export interface Candidates {
  /** Part of a · parts of b + part of b, rising: all pairs that are as near as asked, and others. */
  readonly keys: Float64Array;
  /** How far b has gone so far, step by step, and in its last step (0 after a jump): no point of it went farther. */
  readonly way: number;
  readonly step: number;
}

/** What was looked up: pairs up to `reach` apart when b had gone `way`. */
interface LookedUp {
  readonly keys: Float64Array;
  readonly way: number;
  readonly reach: number;
}

const NOTHING: LookedUp = { keys: new Float64Array(0), way: 0, reach: -Infinity };

export class NearParts {
  readonly boxes: PosedBoxes;
  readonly #cut: Cut;
  #a: Side;
  #b: Side;
  #near: NearBoxes;
  #nearest: NearestBatches;
  /** Farther ahead than that is not looked: a share of the parts' sizes, as far as these are known. */
  #most: number;
  #keys = new Float64Array(1024);
  #looked = NOTHING;
  #last: RigidPose | undefined;
  #step = 0;
  #way = 0;

  constructor(a: Side, b: Side, boxes = new PosedBoxes(a.tree, b.tree), walked = new Walked()) {
    this.boxes = boxes;
    this.#cut = new Cut(a.tree, b.tree, boxes, walked, openerOf(a), openerOf(b));
    this.#a = a;
    this.#b = b;
    this.#near = new NearBoxes(a, b, boxes);
    this.#nearest = new NearestBatches(this.#near, a, b);
    this.#most = MOST * Math.min(diagonalOf(a.tree, a.tree.root), diagonalOf(b.tree, b.tree.root));
  }

  get a(): Side {
    return this.#a;
  }
  get b(): Side {
    return this.#b;
  }

  /** Asks about other fronts of the same two from now on. */
  use(a: Side, b: Side): void {
    if (this.#a === a && this.#b === b) return;
    this.#a = a;
    this.#b = b;
    this.#near = new NearBoxes(a, b, this.boxes);
    this.#nearest = new NearestBatches(this.#near, a, b);
    const looked = this.#looked;
    this.#looked = NOTHING;
    if (!this.#cut.openAgain(openerOf(a), openerOf(b))) this.#looked = looked;
  }

  /** All pairs of parts no farther apart than that, in the order of their numbers. */
  within(bToA: RigidPose, reach: number): Iterable<PartBatch> {
    const { keys } = this.candidates(bToA, reach);
    const gapSq = this.gapsSq(bToA);
    const limit = squareAbove(reach);
    return eachBatch(keys, this.#a, this.#b, (a, b) => gapSq(a, b) <= limit);
  }

  /** The same pairs and others that are a little farther apart, which are good until b has moved that much. */
  candidates(bToA: RigidPose, reach: number): Candidates {
    const step = this.#follow(bToA);
    const { way, reach: known } = this.#looked;
    if (reach + this.#way - way > known) this.#lookUp(bToA, reach, step);
    return { keys: this.#looked.keys, way: this.#way, step };
  }

  /** Moves the cut, and begins to bring into memory what will be near after that. */
  #lookUp(bToA: RigidPose, reach: number, step: number): void {
    const margin = this.#margin(step);
    const rounding = this.roundingAt(bToA); // of ways, too
    const farther = reach + margin;
    const soon = step > 0 ? farther + step + margin : farther;
    const way = this.#way;
    const [ofA, ofB] = [new Set<number>(), new Set<number>()];
    const { parts } = this.#b.tree;
    let count = 0;
    this.#looked = NOTHING; // the walk may fail
    this.#cut.move({ bToA, way, reach: soon + rounding }, (a, b, gap) => {
      ofA.add(a);
      ofB.add(b);
      if (gap > farther + rounding) return;
      if (count === this.#keys.length) {
        const larger = new Float64Array(2 * count);
        larger.set(this.#keys);
        this.#keys = larger;
      }
      this.#keys[count++] = a * parts + b;
    });
    this.#looked = { keys: this.#keys.slice(0, count).sort(), way, reach: farther };
    if (ofA.size > 0) this.#most = MOST * Math.min(meanDiagonal(this.#a, ofA), meanDiagonal(this.#b, ofB));
    if (soon === farther) return;
    this.#a.prefetch([...ofA]);
    this.#b.prefetch([...ofB]);
  }

  /** Begins to bring into memory what will be that near after a few steps like the last one. */
  fetchAhead(bToA: RigidPose, reach: number): void {
    if (this.#follow(bToA) > 0) this.candidates(bToA, reach);
  }

  /** More than distances of level points lose to rounding. */
  roundingAt(bToA: RigidPose): number {
    const far = Math.abs(bToA[9]) + Math.abs(bToA[10]) + Math.abs(bToA[11]);
    return ROUNDING * (farthestOf(this.#a.tree) + farthestOf(this.#b.tree) + far);
  }

  /** The square of how far the boxes of two parts are apart at least. */
  gapsSq(bToA: RigidPose): (a: number, b: number) => number {
    return this.#near.gapsSq(bToA);
  }

  /** Whether b has gone so far that short steps are lost in the way. */
  get isWorn(): boolean {
    return this.#way > LONGEST * (farthestOf(this.#a.tree) + farthestOf(this.#b.tree));
  }

  /** Returns how far b has moved in its last step; 0 after a jump. */
  #follow(bToA: RigidPose): number {
    const step = this.#last ? this.#moved(this.#last, bToA) : 0;
    if (step > 0 || !this.#last) {
      this.#last = bToA.slice() as RigidPose;
      this.#way = (this.#way + step) * (1 + Number.EPSILON); // no shorter than it was
      // what jumps farther than that is not about to do it again
      this.#step = step <= JUMP * this.#most ? step : 0;
    }
    return this.#step;
  }

  /** How much farther apart than asked pairs are kept; nothing where that would not do for another step. */
  #margin(step: number): number {
    return step <= this.#most ? Math.min(AHEAD * step, this.#most) : 0;
  }

  /** Pairs of parts, the nearest first, until they are farther apart than `bound()` says then. */
  nearestFirst(bToA: RigidPose, bound: () => number): Generator<BoxPair> {
    return this.#near.nearestFirst(bToA, bound);
  }

  /** Pairs of parts to find the closest triangles in, until those left are farther apart than `bound()` says then. */
  nearestBatches(bToA: RigidPose, bound: () => number): Generator<NearestBatch> {
    return this.#nearest.all(bToA, bound);
  }

  /** What a batch is made of, once it is held. */
  parts({ partsA, partsB, pairs, poseA, poseB }: PartBatch, bToA: RigidPose): PartPairs {
    const [ofA, ofB] = [partsA.map((part) => this.#a.part(part)), partsB.map((part) => this.b.part(part))];
    const [a, b]: [Part[], Part[]] = [[], []];
    for (let i = 0; i < pairs.length; i += 2) {
      a.push(ofA[pairs[i]]);
      b.push(ofB[pairs[i + 1]]);
    }
    return { a, b, bToA: this.between(poseA, poseB, bToA) };
  }

  /** From the frame of parts of b to that of parts of a, which have these poses. */
  between(poseA: RigidPose, poseB: RigidPose, bToA: RigidPose): RigidPose {
    return relativePose(poseA, composePoses(bToA, poseB));
  }

  /** Holds parts of both sides in memory; undefined when they are there at once. When it fails, nothing is held. */
  hold({ partsA, partsB }: HeldParts): Promise<void> | undefined {
    const wait = this.a.hold(partsA);
    if (wait) return wait.then(() => this.#holdB(partsA, partsB));
    return this.#holdB(partsA, partsB);
  }
  release({ partsA, partsB }: HeldParts): void {
    this.a.release(partsA);
    this.b.release(partsB);
  }

  #holdB(partsA: readonly number[], partsB: readonly number[]): Promise<void> | undefined {
    const letGo = (error: unknown): never => {
      this.a.release(partsA);
      throw error;
    };
    try {
      return this.b.hold(partsB)?.catch(letGo);
    } catch (error) {
      return letGo(error);
    }
  }

  /** How far a point of b moves at most: distances are convex, so it is one of the corners of its box. */
  #moved(from: RigidPose, to: RigidPose): number {
    const { tree } = this.#b;
    const box = tree.boxes;
    const at = tree.boxAt(tree.root);
    let most = 0;
    for (let corner = 0; corner < 8; corner++) {
      const x = box[at + (corner & 1 ? 3 : 0)];
      const y = box[at + (corner & 2 ? 4 : 1)];
      const z = box[at + (corner & 4 ? 5 : 2)];
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const r = 3 * k;
        const by =
          (to[r] - from[r]) * x +
          (to[r + 1] - from[r + 1]) * y +
          (to[r + 2] - from[r + 2]) * z +
          to[9 + k] -
          from[9 + k];
        sum += by * by;
      }
      if (sum > most) most = sum;
    }
    return Math.sqrt(most) * (1 + 1e-12);
  }
}

function openerOf(side: Side): Open {
  return (node) => side.open(node);
}

function meanDiagonal({ tree }: Side, parts: ReadonlySet<number>): number {
  let sum = 0;
  for (const part of parts) sum += diagonalOf(tree, tree.nodes + part);
  return sum / parts.size;
}

/** Of a node's box. */
function diagonalOf(tree: PlacedTree, node: number): number {
  if (tree.parts === 0) return 0;
  const { boxes } = tree;
  const at = tree.boxAt(node);
  return Math.hypot(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2]);
}

/** The largest coordinate of anything in a tree. */
function farthestOf(tree: PlacedTree): number {
  if (tree.parts === 0) return 0;
  const at = tree.boxAt(tree.root);
  let most = 0;
  for (let k = 0; k < 6; k++) most = Math.max(most, Math.abs(tree.boxes[at + k]));
  return most;
}
