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
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { dualBlockOf } from '../../contact-pairs/dual-block.js';
import { HullPair } from '../../contact-pairs/hull-pair.js';
import { HullWalk, NUMBERS } from '../../contact-pairs/hull-walk.js';
import type { DualShape } from './dual-shape.js';

const ROUNDING = 1e-14;
/** Where the normal is in the numbers of a walk. */
const WAY = 2;

/** Two nodes, and the gap of the originals below along the normal, in a's frame, from a to b. */
export interface NearNodes {
  nodeA: number;
  nodeB: number;
  x: number;
  y: number;
  z: number;
  gap: number;
  /** The parent pair, by `keyOf`; NO_PAIR where the walk begins. */
  of: number;
  /** The extra reach for its parts, and the pair at which that begins; the visitor may set them. */
  room: number;
  root: number;
}

export class HullFront {
  readonly a: DualShape;
  readonly b: DualShape;
  readonly #walk: HullWalk;
  readonly #pair = new HullPair();
  readonly #rest = new Float64Array(12);
  readonly #found: NearNodes = {
    nodeA: 0,
    nodeB: 0,
    x: 0,
    y: 0,
    z: 0,
    gap: 0,
    of: NO_PAIR,
    room: 0,
    root: NO_PAIR,
  };

  constructor(a: DualShape, b: DualShape) {
    this.a = a;
    this.b = b;
    this.#walk = new HullWalk(dualBlockOf(a.levels), dualBlockOf(b.levels));
  }

  dispose(): void {
    this.#walk.dispose();
    this.#pair.dispose();
  }

  /**
   * Visits pairs with b at `pose` in the frame of a, beginning at those that omit no more than `allowed`; pairs for
   * which the visitor returns false are divided where possible. The object passed is reused. `room`: extra reach.
   */
  each(
    pose: Float64Array,
    reach: number,
    room: number,
    allowed: number,
    visit: (found: NearNodes, divisible: boolean) => boolean,
  ): void {
    const rest = this.#restPose(pose);
    const within = reach + room + this.a.out + this.b.out;
    const { count, nodes, numbers } = this.#walk.near(rest, { reach: within, allowance: { size: allowed } });
    const { childStart: childrenA, h: hA } = this.a;
    const { childStart: childrenB, h: hB } = this.b;
    const [blockA, blockB] = [dualBlockOf(this.a.levels), dualBlockOf(this.b.levels)];
    const found = this.#found;
    const rounding = this.#rounding(pose);
    const enter = (
      nodeA: number,
      nodeB: number,
      x: number,
      y: number,
      z: number,
      of: number,
      more: number,
      root: number,
    ): void => {
      found.gap = this.gapAlong(nodeA, nodeB, x, y, z, pose) - rounding;
      if (found.gap > reach + more) return;
      found.nodeA = nodeA;
      found.nodeB = nodeB;
      found.x = x;
      found.y = y;
      found.z = z;
      found.of = of;
      found.room = more;
      found.root = root;
      const [partsA, partsB] = [
        childrenA[nodeA + 1] - childrenA[nodeA],
        childrenB[nodeB + 1] - childrenB[nodeB],
      ];
      if (visit(found, partsA + partsB > 0) || partsA + partsB === 0) return;
      const divideA = partsB === 0 || (partsA > 0 && hA[nodeA] >= hB[nodeB]);
      const first = divideA ? childrenA[nodeA] : childrenB[nodeB];
      const key = keyOf(nodeA, nodeB);
      const { room: partRoom, root: partRoot } = found;
      for (let i = first; i < first + (divideA ? partsA : partsB); i++) {
        const [a, b] = divideA ? [i, nodeB] : [nodeA, i];
        const far = reach + partRoom + this.a.out + this.b.out + hA[a] + hB[b];
        this.#pair.forget();
        const { lower, normal } = this.#pair.distance(blockA.hull(a), blockB.hull(b), rest, far);
        if (lower <= far) enter(a, b, normal[0], normal[1], normal[2], key, partRoom, partRoot);
      }
    };
    for (let i = 0; i < count; i++) {
      const at = NUMBERS * i + WAY;
      enter(
        nodes[2 * i],
        nodes[2 * i + 1],
        numbers[at],
        numbers[at + 1],
        numbers[at + 2],
        NO_PAIR,
        room,
        NO_PAIR,
      );
    }
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

export const NO_PAIR = -1;

/** One number for two nodes. */
export function keyOf(nodeA: number, nodeB: number): number {
  return nodeA * 2 ** 26 + nodeB;
}
