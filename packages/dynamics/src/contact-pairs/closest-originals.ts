/**
 * Two original triangles that are near each other, found by a walk down two dual hierarchies that takes the nearest
 * hulls at each step. They need not be the nearest: their distance is an upper bound.
 */
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { posePoint, type RigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import type { ContactLevels } from '../contact-levels/contact-levels.js';
import { type DualBlock, dualBlockOf } from './dual-block.js';
import { HullPair } from './hull-pair.js';

/** Triangles that have moved apart by this factor are no longer near each other. */
const PARTED_FACTOR = 1.5;

/** Points of the originals, in the numbers of a. */
export interface CloseOriginals {
  readonly distance: number;
  readonly pointA: Vec3;
  readonly pointB: Vec3;
}

export class ClosestOriginals {
  readonly #a: ContactLevels;
  readonly #b: ContactLevels;
  readonly #pair = new HullPair();
  readonly #points = new Float64Array(8);
  /** Nodes of level 0 that were near each other last. */
  #last: { readonly a: number; readonly b: number; readonly distance: number } | undefined;

  constructor(a: ContactLevels, b: ContactLevels) {
    this.#a = a;
    this.#b = b;
  }

  /** Where the last ones were; at first, and where these have parted, below the roots. */
  near(bToA: RigidPose): CloseOriginals {
    const last = this.#last && this.#leaves(this.#last.a, this.#last.b, bToA);
    if (last && last.distance <= PARTED_FACTOR * (this.#last?.distance ?? 0)) return last;
    const found = this.below(this.#a.nodeCount - 1, this.#b.nodeCount - 1, bToA);
    return last && last.distance < found.distance ? last : found;
  }

  /** Below two nodes. */
  below(nodeA: number, nodeB: number, bToA: RigidPose): CloseOriginals {
    const [blockA, blockB] = [dualBlockOf(this.#a), dualBlockOf(this.#b)];
    let [a, b] = [nodeA, nodeB];
    for (;;) {
      const [childrenA, childrenB] = [childrenOf(this.#a, a), childrenOf(this.#b, b)];
      if (childrenA.length + childrenB.length === 0) break;
      const divideA =
        childrenB.length === 0 || (childrenA.length > 0 && blockA.radius(a) >= blockB.radius(b));
      if (divideA) a = this.#nearest(childrenA, (child) => this.#apart(blockA, child, blockB, b, bToA));
      else b = this.#nearest(childrenB, (child) => this.#apart(blockA, a, blockB, child, bToA));
    }
    const found = this.#leaves(a, b, bToA);
    this.#last = { a, b, distance: found.distance };
    return found;
  }

  dispose(): void {
    this.#pair.dispose();
  }

  #apart(blockA: DualBlock, a: number, blockB: DualBlock, b: number, bToA: RigidPose): number {
    this.#pair.forget();
    return this.#pair.distance(blockA.hull(a), blockB.hull(b), bToA).upper;
  }

  #nearest(nodes: readonly number[], apart: (node: number) => number): number {
    if (nodes.length === 1) return nodes[0];
    let [best, nearest] = [Infinity, nodes[0]];
    for (const node of nodes) {
      const distance = apart(node);
      if (distance < best) [best, nearest] = [distance, node];
    }
    return nearest;
  }

  /** The closest triangles of two nodes of level 0. */
  #leaves(a: number, b: number, bToA: RigidPose): CloseOriginals {
    const cornersA = cornersOf(this.#a, a);
    const cornersB = cornersOf(this.#b, b);
    for (let i = 0; i < cornersB.length; i += 3) {
      posePoint(bToA, cornersB[i], cornersB[i + 1], cornersB[i + 2], cornersB, i);
    }
    let best = Infinity;
    const out = this.#points;
    let points = out.slice();
    for (let i = 0; i < cornersA.length; i += 9) {
      for (let j = 0; j < cornersB.length; j += 9) {
        const distanceSq = distanceSqTriangleTriangle(cornersA, i, cornersB, j, out);
        if (distanceSq < best) {
          best = distanceSq;
          points = out.slice();
        }
      }
    }
    return {
      distance: Math.sqrt(best),
      pointA: [points[0], points[1], points[2]],
      pointB: [points[3], points[4], points[5]],
    };
  }
}

function childrenOf(levels: ContactLevels, node: number): number[] {
  const starts = levels.array('childStart');
  return Array.from({ length: starts[node + 1] - starts[node] }, (_, i) => starts[node] + i);
}

/** Nine numbers per triangle of a node of level 0. */
function cornersOf(levels: ContactLevels, node: number): Float64Array {
  const starts = levels.array('triangleStart');
  const triangles = levels.array('triangles').subarray(3 * starts[node], 3 * starts[node + 1]);
  const vertices = levels.array('surfaceVertices');
  const corners = new Float64Array(3 * triangles.length);
  triangles.forEach((v, i) => {
    corners.set(vertices.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  return corners;
}
