/**
 * Pairs of nodes of two shapes with contact levels that represent all originals near each other, as coarse as the
 * visitor accepts.
 *
 * Certain: the originals below two nodes are apart by no less than `gap`, because `gap` is their distance along the
 * normal: the least n · x of all vertices of b below one node, less the greatest of a. Patches move along the surface
 * as levels get coarser, which the Hausdorff distance h of a hull counts in full; along the normal of two patches that
 * face each other little is left of it. So `gap` is much better than the distance of hulls less both h. Every two
 * originals within the reach are below a pair that was visited and taken: the walk down the levels leaves out none
 * (hull-walk.ts), pairs left out here are farther apart along a direction, and refused ones are divided. Rounding:
 * products of float64 lose less than `ROUNDING` of the sum of all coordinates.
 *
 * Where levels have become finer, what coarser pairs held must be found, though it may be out of reach: the visit then
 * begins at these pairs, with an extra reach, instead of at the pairs of the walk below them.
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { Allowance } from 'impinge/internal/query/pair/allowed.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import { NO_NODE } from '../../contact-levels/layout.js';
import { dualBlockOf } from '../../contact-pairs/dual-block.js';
import { HullPair } from '../../contact-pairs/hull-pair.js';
import { type HullQuestion, HullWalk, NUMBERS } from '../../contact-pairs/hull-walk.js';
import type { DualShape } from './dual-shape.js';
import type { SearchWork } from './step-levels.js';

const ROUNDING = 1e-14;
/** Where the normal is in the numbers of a walk. */
const WAY = 2;
const NOTHING_MORE = () => 0;

/** Two nodes, and the gap of the originals below along the normal, in a's frame, from a to b. */
export interface NearNodes {
  nodeA: number;
  nodeB: number;
  x: number;
  y: number;
  z: number;
  gap: number;
  /** Whether more is left out than allowed, so that it is divided if possible, whatever the visitor says. */
  coarse: boolean;
  /** For its parts, which the visitor may set: the extra reach, and the pair at which that begins. */
  room: number;
  root: number;
}

export interface FrontQuestion extends Omit<HullQuestion, 'nearer' | 'tests' | 'time'> {
  /** Pairs to begin at, by `keyOf`, and extra reaches below; of those that are too coarse for this question. */
  readonly starts?: ReadonlyMap<number, number>;
}

/** What a question took, and the largest measure of a pair of the walk. */
export interface FrontWork extends SearchWork {
  readonly reached: number;
}

export class HullFront {
  readonly a: DualShape;
  readonly b: DualShape;
  readonly #walk: HullWalk;
  readonly #pair = new HullPair();
  readonly #rest = new Float64Array(12);

  constructor(a: DualShape, b: DualShape) {
    this.a = a;
    this.b = b;
    this.#walk = new HullWalk(dualBlockOf(a.levels), dualBlockOf(b.levels));
  }

  dispose(): void {
    this.#walk.dispose();
    this.#pair.dispose();
  }

  save(out: StateWriter): void {
    const { numbers, pairs } = this.#walk.state();
    out.array(numbers);
    out.array(pairs);
  }

  restore(from: StateReader): void {
    this.#walk.takeOver({ numbers: from.doubles(), pairs: from.bytes() });
  }

  /**
   * The detail left out at two nodes, in metres, which is at most `limit` times the allowed; 0 for the surface itself.
   */
  errorOf(nodeA: number, nodeB: number, limit: number): number {
    const measure = this.#walk.measureOf(nodeA, nodeB);
    return measure > 0 ? Math.min(measure, limit) * this.#walk.allowedNear(nodeA) : 0;
  }

  /**
   * How much farther apart than the gap of two nodes the originals below them may be: the patches are `apart`, no point
   * of them is farther from the mesh than s, and that has moved along the surface by about h.
   */
  outOf({ nodeA, nodeB, gap }: NearNodes, apart: number): number {
    const { a, b } = this;
    return Math.max(0, apart - gap) + a.s[nodeA] + a.h[nodeA] + b.s[nodeB] + b.h[nodeB];
  }

  /** The detail that may be left out near a node of a, by the last question. */
  allowedNear(nodeA: number): number {
    return this.#walk.allowedNear(nodeA);
  }

  /**
   * Visits pairs with b at `pose` in the frame of a, beginning at those that omit no more than allowed; pairs for which
   * the visitor returns false are divided where possible. The object passed is reused.
   */
  each(
    pose: Float64Array,
    { starts, ...question }: FrontQuestion,
    visit: (found: NearNodes, divisible: boolean, limit: number) => boolean,
  ): FrontWork {
    const { reach, limit: asked = 1 } = question;
    const rest = this.#restPose(pose);
    const walk = this.#walk;
    const out = this.a.out + this.b.out;
    const { count, nodes, numbers, measure, tests, coarsest } = walk.near(rest, {
      ...question,
      reach: reach + out,
    });
    const limit = Math.max(asked, measure);
    const isCoarse = (a: number, b: number) => walk.measureOf(a, b) > limit;
    const descent = this.#descent(pose, rest, reach, (found, divisible) => {
      found.coarse &&= isCoarse(found.nodeA, found.nodeB);
      return visit(found, divisible, limit);
    });
    const above = starts && starts.size > 0 ? new PairsAbove(this, starts, isCoarse) : undefined;
    const none = nearNodes();
    for (let i = 0; i < count; i++) {
      const [nodeA, nodeB, at] = [nodes[2 * i], nodes[2 * i + 1], NUMBERS * i + WAY];
      if (above?.has(nodeA, nodeB)) continue;
      descent.enter(nodeA, nodeB, numbers[at], numbers[at + 1], numbers[at + 2], none);
    }
    above?.each((nodeA, nodeB, room) =>
      descent.look(nodeA, nodeB, { ...none, room, root: keyOf(nodeA, nodeB), coarse: true }),
    );
    return { walked: tests, coarsest, beyond: descent.looks, reached: measure };
  }

  /**
   * Visits two nodes and pairs below them, likewise; returns the pairs of hulls to look at. Where that is more than
   * `most`, the rest were not.
   */
  below(
    nodeA: number,
    nodeB: number,
    pose: Float64Array,
    reach: number,
    visit: (found: NearNodes, divisible: boolean) => boolean,
    most = Infinity,
  ): number {
    const descent = this.#descent(pose, this.#restPose(pose), reach, visit, most);
    descent.look(nodeA, nodeB, nearNodes());
    return descent.looks;
  }

  /**
   * Calls for pairs of the coarsest surfaces with their normals, below which all originals within a reach are, with b
   * at `pose`; returns the tests that it took.
   */
  coarsest(
    pose: Float64Array,
    reach: number,
    allowance: Allowance,
    call: (nodeA: number, nodeB: number, x: number, y: number, z: number) => void,
  ): number {
    const question = { reach: reach + this.a.out + this.b.out, allowance, most: NOTHING_MORE };
    const { count, nodes, numbers, tests } = this.#walk.near(this.#restPose(pose), question);
    for (let i = 0; i < count; i++) {
      const at = NUMBERS * i + WAY;
      call(nodes[2 * i], nodes[2 * i + 1], numbers[at], numbers[at + 1], numbers[at + 2]);
    }
    return tests;
  }

  /**
   * From pairs down to their parts: `enter` takes two nodes with a normal, `look` finds that first. Both take the pair
   * that they come from, `coarse` if they may be above pairs of the walk, as may their parts if the visitor leaves it.
   */
  #descent(
    pose: Float64Array,
    rest: RigidPose,
    reach: number,
    visit: (found: NearNodes, divisible: boolean) => boolean,
    most = Infinity,
  ) {
    const out = this.a.out + this.b.out;
    const { childStart: childrenA, h: hA } = this.a;
    const { childStart: childrenB, h: hB } = this.b;
    const [blockA, blockB] = [dualBlockOf(this.a.levels), dualBlockOf(this.b.levels)];
    const rounding = this.#rounding(pose);
    const found = nearNodes();
    const look = (nodeA: number, nodeB: number, from: Readonly<NearNodes>): void => {
      if (descent.looks++ >= most) return;
      const far = reach + from.room + out + hA[nodeA] + hB[nodeB];
      this.#pair.forget();
      const { lower, normal } = this.#pair.distance(blockA.hull(nodeA), blockB.hull(nodeB), rest, far);
      if (lower <= far) enter(nodeA, nodeB, normal[0], normal[1], normal[2], from);
    };
    const enter = (
      nodeA: number,
      nodeB: number,
      x: number,
      y: number,
      z: number,
      { room, root, coarse }: Readonly<NearNodes>,
    ): void => {
      const gap = this.gapAlong(nodeA, nodeB, x, y, z, pose) - rounding;
      if (gap > reach + room) return;
      Object.assign(found, { nodeA, nodeB, x, y, z, gap, room, root, coarse });
      const partsA = childrenA[nodeA + 1] - childrenA[nodeA];
      const partsB = childrenB[nodeB + 1] - childrenB[nodeB];
      if (visit(found, partsA + partsB > 0) || partsA + partsB === 0) return;
      const divideA = partsB === 0 || (partsA > 0 && hA[nodeA] >= hB[nodeB]);
      const first = divideA ? childrenA[nodeA] : childrenB[nodeB];
      const from = { ...found };
      for (let i = first; i < first + (divideA ? partsA : partsB); i++)
        look(divideA ? i : nodeA, divideA ? nodeB : i, from);
    };
    const descent = { looks: 0, look, enter };
    return descent;
  }

  /** The gap of the originals below two nodes along a direction of a's frame, up to rounding. */
  gapAlong(nodeA: number, nodeB: number, x: number, y: number, z: number, p: Float64Array): number {
    const top = this.a.farthest(nodeA, x, y, z);
    // −n, as b sees it
    const bx = -(p[0] * x + p[3] * y + p[6] * z);
    const by = -(p[1] * x + p[4] * y + p[7] * z);
    const bz = -(p[2] * x + p[5] * y + p[8] * z);
    const bottom = x * p[9] + y * p[10] + z * p[11] - this.b.farthest(nodeB, bx, by, bz);
    return bottom - top;
  }

  #rounding(pose: Float64Array): number {
    return (
      ROUNDING *
      (this.a.radius + this.b.radius + Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11])) *
      8
    );
  }

  /** Between the numbers of the contact levels. */
  #restPose(p: Float64Array): RigidPose {
    const { a, b } = this;
    const rest = this.#rest;
    const [x, y, z] = b.centre.map((c, k) => c - b.levels.origin[k]);
    rest.set(p);
    for (let k = 0; k < 3; k++)
      rest[9 + k] += a.centre[k] - a.levels.origin[k] - (p[3 * k] * x + p[3 * k + 1] * y + p[3 * k + 2] * z);
    return rest as RigidPose;
  }
}

function nearNodes(): NearNodes {
  const nodes = { nodeA: 0, nodeB: 0, x: 0, y: 0, z: 0, gap: 0 };
  return { ...nodes, coarse: false, room: 0, root: NO_PAIR };
}

/** Pairs of nodes that are too coarse, none of them below another. */
class PairsAbove {
  readonly #front: HullFront;
  readonly #rooms = new Map<number, number>();
  readonly #ofA = new Set<number>();
  readonly #ofB = new Set<number>();

  constructor(
    front: HullFront,
    starts: ReadonlyMap<number, number>,
    isCoarse: (nodeA: number, nodeB: number) => boolean,
  ) {
    this.#front = front;
    const coarse = Array.from(starts).filter(([key]) => isCoarse(...nodesOf(key)));
    for (const [key, room] of coarse) {
      this.#rooms.set(key, room);
      const [nodeA, nodeB] = nodesOf(key);
      this.#ofA.add(nodeA);
      this.#ofB.add(nodeB);
    }
    const nested = coarse.filter(([key]) => this.has(...nodesOf(key), key));
    for (const [key] of nested) this.#rooms.delete(key);
  }

  /** Whether two nodes are one of these pairs or below one, but for a pair that does not count. */
  has(nodeA: number, nodeB: number, but = NO_PAIR): boolean {
    if (this.#rooms.size === 0) return false;
    const { a, b } = this.#front;
    for (let i = nodeA; i !== NO_NODE; i = a.parent[i]) {
      if (!this.#ofA.has(i)) continue;
      for (let j = nodeB; j !== NO_NODE; j = b.parent[j]) {
        if (!this.#ofB.has(j)) continue;
        const key = keyOf(i, j);
        if (key !== but && this.#rooms.has(key)) return true;
      }
    }
    return false;
  }

  each(visit: (nodeA: number, nodeB: number, room: number) => void): void {
    for (const [key, room] of this.#rooms) visit(...nodesOf(key), room);
  }
}

export const NO_PAIR = -1;

const PER_NODE = 2 ** 26;

/** One number for two nodes. */
export function keyOf(nodeA: number, nodeB: number): number {
  return nodeA * PER_NODE + nodeB;
}

/** The two nodes of such a number. */
export function nodesOf(key: number): [nodeA: number, nodeB: number] {
  return [Math.floor(key / PER_NODE), key % PER_NODE];
}
