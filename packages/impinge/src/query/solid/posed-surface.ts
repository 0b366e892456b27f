/**
 * One side of a pair seen from a point: which triangle is closest, and is the point inside?
 *
 * Idea: the tree is walked in the mesh's own frame, with slack for the rounding of the way there; triangles are then
 * posed into the common frame, rounded as the kernels round, and decisions are exact for those numbers. So points
 * judged here agree with the pairs that `collide` reports.
 * Layout: the walk's stack holds slots and lower bounds. Each step takes one and leaves at most four, one level
 * deeper: 3 · 64 + 4 entries suffice.
 * Errs: lower bounds downwards, segment tests towards keeping.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import { pointOnTriangle } from '../../geometry/intersect/point-triangle.js';
import { crossingRayTriangle, RAY_DEGENERATE } from '../../geometry/intersect/ray-triangle.js';
import { expandPendingAt } from '../../hierarchy/build-obb.js';
import type { Hierarchy } from '../../hierarchy/hierarchy.js';
import { EMPTY, isLeaf, isPending, LANES, leafCount, leafStart, refIndex } from '../../hierarchy/layout.js';
import { TreeView } from '../../hierarchy/tree-view.js';
import { posePoint, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { hierarchyOf } from '../pair/hierarchy-of.js';

export type PointLocation = 'inside' | 'on' | 'outside';

const STACK = 3 * 72 + 4;
/** Share of the numbers involved by which the way into the mesh's frame may be off. */
const SLACK = 1e-13;
/** Rays that met an edge or a corner before the search for a better one is given up. */
const MAX_RAYS = 64;

export class PosedSurface {
  readonly mesh: Mesh;
  /** From the mesh's stored positions to the common frame. */
  readonly pose: RigidPose;
  /** The triangle that `closest` found. */
  closestTriangle = -1;
  pointTests = 0;
  readonly #hierarchy: Hierarchy;
  #tree: TreeView;
  #positions: Float32Array;
  #indices: Uint32Array;
  readonly #inverse: Float64Array;
  readonly #shrink: number;
  readonly #slack: number;
  readonly #triangle = new Float64Array(9);
  readonly #local = new Float64Array(3);
  readonly #slots = new Uint32Array(STACK);
  readonly #keys = new Float64Array(STACK);

  constructor(mesh: Mesh, pose: RigidPose) {
    this.mesh = mesh;
    this.pose = pose;
    this.#hierarchy = hierarchyOf(mesh);
    this.#tree = new TreeView(arena(), this.#hierarchy.block);
    this.#positions = mesh.positions;
    this.#indices = mesh.indices;
    this.#inverse = inverseOf(pose, this.#tree.centre);
    let reach = this.#tree.radius;
    for (let k = 0; k < 3; k++) reach += Math.abs(pose[9 + k]) + Math.abs(this.#tree.centre[k]);
    this.#slack = SLACK * reach;
    // a pose that is not quite rigid changes lengths
    this.#shrink = 1 - 4 * deviationOf(pose) - SLACK;
  }

  get triangleCount(): number {
    return this.mesh.triangleCount;
  }

  /** Lazy trees move when they grow, and so may the arena: fetches what has moved. */
  #refresh(): void {
    if (this.#hierarchy.block !== this.#tree.byteOffset)
      this.#tree = new TreeView(arena(), this.#hierarchy.block);
    this.#tree.refresh();
    if (this.#positions.length > 0) return;
    this.#positions = this.mesh.positions;
    this.#indices = this.mesh.indices;
  }

  /** Writes corner `corner` (a position in the mesh's indices) in the common frame. */
  writeCorner(corner: number, out: Float64Array, at: number): void {
    if (this.#positions.length === 0) this.#refresh();
    const v = 3 * this.#indices[corner];
    const p = this.#positions;
    posePoint(this.pose, p[v], p[v + 1], p[v + 2], out, at);
  }

  writeTriangle(triangle: number, out: Float64Array, at: number): void {
    for (let k = 0; k < 3; k++) this.writeCorner(3 * triangle + k, out, at + 3 * k);
  }

  /** All triangles in the order of the tree's leaves: neighbours in space are near each other in it. */
  trianglesInOrder(): Uint32Array {
    this.#refresh();
    return this.#tree.words.slice(this.#tree.orderWord, this.#tree.orderWord + this.triangleCount);
  }

  /** The distance of the point at `po` from the surface; `closestTriangle` names the place. */
  closest(p: Float64Array, po: number): number {
    this.#enter(p, po);
    let best = Infinity;
    let bestSq = Infinity;
    const near = (slot: number) => this.#lowerBound(slot);
    const test = (triangle: number) => {
      this.writeTriangle(triangle, this.#triangle, 0);
      const d = distanceSqPointTriangle(p, po, this.#triangle, 0);
      if (d < bestSq) {
        bestSq = d;
        best = Math.sqrt(d);
        this.closestTriangle = triangle;
      }
      return best;
    };
    // the last answer is often near this one: start from it
    const last = this.closestTriangle;
    this.#walk(last < 0 ? Infinity : test(last), near, test);
    return best;
  }

  /** Where a point lies relative to the solid. The mesh must be closed. Exact. */
  locate(p: Float64Array, po: number): PointLocation {
    this.pointTests++;
    this.#enter(p, po);
    const [x, y, z] = this.#local;
    if (Math.sqrt(x * x + y * y + z * z) * this.#shrink > this.#tree.radius + this.#reachSlack())
      return 'outside';
    const q = new Float64Array(3);
    for (let ray = 0; ray < MAX_RAYS; ray++) {
      this.#writeOutside(ray, q);
      const answer = this.#shoot(p, po, q);
      if (answer !== undefined) return answer;
    }
    throw new ImpingeError('unsupported', `mesh "${this.mesh.name}": no ray avoids its edges`, {
      object: this.mesh.name,
    });
  }

  /** Counts crossings on the way from p to q, which is outside; undefined when they have no meaning. */
  #shoot(p: Float64Array, po: number, q: Float64Array): PointLocation | undefined {
    const start = this.#local.slice();
    this.#enter(q, 0);
    const half = [0, 1, 2].map((k) => 0.5 * (this.#local[k] - start[k]));
    for (let k = 0; k < 3; k++) this.#local[k] = start[k] + half[k];
    const [hx, hy, hz] = half;
    let crossings = 0;
    let on = false;
    let degenerate = false;
    const near = (slot: number) => (this.#mayMeetSegment(slot, hx, hy, hz) ? 0 : Infinity);
    const test = (triangle: number) => {
      this.writeTriangle(triangle, this.#triangle, 0);
      const crossing = crossingRayTriangle(p, po, q, 0, this.#triangle, 0);
      if (crossing === RAY_DEGENERATE) {
        if (pointOnTriangle(p, po, this.#triangle, 0)) on = true;
        degenerate = true;
      } else if (crossing !== 0) crossings++;
      return on ? -1 : 0;
    };
    this.#walk(0, near, test);
    this.#local.set(start);
    if (on) return 'on';
    if (degenerate) return undefined;
    return crossings % 2 === 1 ? 'inside' : 'outside';
  }

  /** A point outside the mesh, past the side of its box that is nearest at first, at changing angles. */
  #writeOutside(ray: number, out: Float64Array): void {
    const { min, max } = this.mesh.box;
    const { origin } = this.mesh;
    const centre = this.#tree.centre;
    const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]) || 1;
    const gaps = [0, 1, 2].flatMap((k) => {
      const at = this.#local[k] + centre[k] + origin[k];
      return [
        { axis: k, sign: -1, gap: at - min[k], to: min[k] },
        { axis: k, sign: 1, gap: max[k] - at, to: max[k] },
      ];
    });
    gaps.sort((u, v) => u.gap - v.gap);
    const side = gaps[ray % 6];
    const q = [0, 1, 2].map((k) => {
      if (k === side.axis) return side.to - origin[k] + side.sign * 0.01 * size;
      const lean = ((0.754877666 * (ray + 1) + 0.569840291 * (k + 1)) % 1) - 0.5;
      return this.#local[k] + centre[k] + (lean + 0.003) * 0.3 * Math.max(side.gap, 0.01 * size);
    });
    posePoint(this.pose, q[0], q[1], q[2], out, 0);
  }

  #enter(p: Float64Array, po: number): void {
    this.#refresh();
    posePoint(
      this.#inverse,
      p[po] - this.pose[9],
      p[po + 1] - this.pose[10],
      p[po + 2] - this.pose[11],
      this.#local,
      0,
    );
  }

  #reachSlack(): number {
    const [x, y, z] = this.#local;
    return this.#slack + SLACK * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  }

  /** Depth first, nearest first; `test` returns the bound to go on with. */
  #walk(bound: number, near: (slot: number) => number, test: (triangle: number) => number): void {
    const slots = this.#slots;
    const keys = this.#keys;
    let top = 0;
    const open = (block: number) => {
      const first = top;
      const tree = this.#tree;
      for (let slot = LANES * block; slot < LANES * (block + 1); slot++) {
        if (tree.ref(slot) === EMPTY) continue;
        const key = near(slot);
        if (!(key <= bound)) continue;
        let at = top++;
        for (; at > first && keys[at - 1] < key; at--) {
          keys[at] = keys[at - 1];
          slots[at] = slots[at - 1];
        }
        keys[at] = key;
        slots[at] = slot;
      }
    };
    open(0);
    while (top > 0) {
      top--;
      if (!(keys[top] <= bound)) continue;
      if (isPending(this.#tree.ref(slots[top]))) {
        expandPendingAt(this.#hierarchy, slots[top] >>> 2, slots[top] & 3);
        this.#refresh();
      }
      const ref = this.#tree.ref(slots[top]);
      if (!isLeaf(ref)) {
        open(refIndex(ref));
        continue;
      }
      const end = leafStart(ref) + leafCount(ref);
      for (let i = leafStart(ref); i < end; i++) bound = test(this.#tree.triangleAt(i));
    }
  }

  /** Below the distance of the entered point from a slot's box. */
  #lowerBound(slot: number): number {
    const f = this.#tree.floats;
    const at = this.#tree.volumeAt(slot);
    const v = intoBox(f, at, this.#local[0] - f[at], this.#local[1] - f[at + 4], this.#local[2] - f[at + 8]);
    const x = Math.max(0, Math.abs(v[0]) - f[at + 12]);
    const y = Math.max(0, Math.abs(v[1]) - f[at + 16]);
    const z = Math.max(0, Math.abs(v[2]) - f[at + 20]);
    return Math.sqrt(x * x + y * y + z * z) * this.#shrink - this.#reachSlack();
  }

  /** Whether the segment of half vector h about the entered point may meet a slot's box: separating axes. */
  #mayMeetSegment(slot: number, hx: number, hy: number, hz: number): boolean {
    const f = this.#tree.floats;
    const at = this.#tree.volumeAt(slot);
    const c = intoBox(f, at, this.#local[0] - f[at], this.#local[1] - f[at + 4], this.#local[2] - f[at + 8]);
    const h = intoBox(f, at, hx, hy, hz);
    const grow = 1 + 4 * (1 - this.#shrink);
    const slack = this.#reachSlack() + SLACK * (Math.abs(hx) + Math.abs(hy) + Math.abs(hz));
    const ex = f[at + 12] * grow + slack;
    const ey = f[at + 16] * grow + slack;
    const ez = f[at + 20] * grow + slack;
    const ux = Math.abs(h[0]);
    const uy = Math.abs(h[1]);
    const uz = Math.abs(h[2]);
    if (Math.abs(c[0]) > ex + ux || Math.abs(c[1]) > ey + uy || Math.abs(c[2]) > ez + uz) return false;
    const rounding = SLACK * (ux + uy + uz) * (Math.abs(c[0]) + Math.abs(c[1]) + Math.abs(c[2]));
    return (
      Math.abs(c[1] * h[2] - c[2] * h[1]) <= ey * uz + ez * uy + rounding &&
      Math.abs(c[2] * h[0] - c[0] * h[2]) <= ez * ux + ex * uz + rounding &&
      Math.abs(c[0] * h[1] - c[1] * h[0]) <= ex * uy + ey * ux + rounding
    );
  }
}

/** A vector in the axes of the box at `at`: turned by the inverse of its quaternion. */
function intoBox(f: Float32Array, at: number, x: number, y: number, z: number): [number, number, number] {
  const qx = f[at + 24];
  const qy = f[at + 28];
  const qz = f[at + 32];
  const qw = f[at + 36];
  const s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  const tx = qy * z - qz * y;
  const ty = qz * x - qx * z;
  const tz = qx * y - qy * x;
  return [
    x + s * (qy * tz - qz * ty - qw * tx),
    y + s * (qz * tx - qx * tz - qw * ty),
    z + s * (qx * ty - qy * tx - qw * tz),
  ];
}

/** Takes a point, less the pose's translation, to the tree's frame: the inverse matrix and minus its centre. */
function inverseOf(m: RigidPose, centre: readonly number[]): Float64Array {
  const det =
    m[0] * (m[4] * m[8] - m[5] * m[7]) -
    m[1] * (m[3] * m[8] - m[5] * m[6]) +
    m[2] * (m[3] * m[7] - m[4] * m[6]);
  return Float64Array.of(
    (m[4] * m[8] - m[5] * m[7]) / det,
    (m[2] * m[7] - m[1] * m[8]) / det,
    (m[1] * m[5] - m[2] * m[4]) / det,
    (m[5] * m[6] - m[3] * m[8]) / det,
    (m[0] * m[8] - m[2] * m[6]) / det,
    (m[2] * m[3] - m[0] * m[5]) / det,
    (m[3] * m[7] - m[4] * m[6]) / det,
    (m[1] * m[6] - m[0] * m[7]) / det,
    (m[0] * m[4] - m[1] * m[3]) / det,
    -centre[0],
    -centre[1],
    -centre[2],
  );
}

/** The largest entry of RᵀR − I. */
function deviationOf(r: RigidPose): number {
  let deviation = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const dot = r[i] * r[j] + r[3 + i] * r[3 + j] + r[6 + i] * r[6 + j];
      deviation = Math.max(deviation, Math.abs(dot - (i === j ? 1 : 0)));
    }
  }
  return deviation;
}
