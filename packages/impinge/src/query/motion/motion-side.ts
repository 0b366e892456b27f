/**
 * One of two moving meshes at a moment: its tree's boxes and its triangles in the world, and how far they can swing.
 *
 * Layout: a box is 15 numbers, its centre, its three axes one after the other, its half extents. A triangle is its nine
 * coordinates. Both are counted from an origin near both meshes, so that float64 does not spend digits on where in the
 * world that is.
 * Errs: boxes outward, by as much as a valid tree's boxes may fail to hold their points.
 */
import { growBoxesAt } from '../../hierarchy/build-obb.js';
import { isPending, LANES } from '../../hierarchy/layout.js';
import { LazyView } from '../../hierarchy/lazy-view.js';
import { MotionStep, type RigidMotion } from '../../math/motion.js';
import type { Mesh } from '../../mesh/mesh.js';
import { CONTAINMENT_SLACK } from '../../volumes/round.js';
import { hierarchyOf } from '../pair/hierarchy-of.js';

export const BOX_NUMBERS = 15;

/**
 * Share of what coordinates far from zero add: they are not used here, but by whoever asks `collide` about the pose at
 * some time, and is not to find a contact before the first.
 */
const POSES = 0.2;

export class MotionSide {
  readonly mesh: Mesh;
  readonly motion: RigidMotion;
  readonly step: MotionStep;
  /** More than the numbers that appear in this motion, times what they are multiplied by. */
  readonly reach: number;
  /** What `measureBox` and `measureTriangle` find: see motion-bound.ts. */
  swing = 0;
  rise = 0;
  readonly tree: LazyView;
  readonly #centre: Float64Array;
  #positions: Float32Array;
  #indices: Uint32Array;

  /** `origin` is a point of the world near both meshes. */
  constructor(mesh: Mesh, motion: RigidMotion, origin: ArrayLike<number>) {
    this.mesh = mesh;
    this.motion = motion;
    this.tree = new LazyView(hierarchyOf(mesh), growBoxesAt);
    this.#positions = mesh.storedPositions;
    this.#indices = mesh.storedIndices;
    this.#centre = Float64Array.from(this.tree.centre);
    const middle = this.#centre.map((c, k) => c + mesh.origin[k]);
    const step = (this.step = new MotionStep(motion, middle, origin));
    step.moveTo(0);
    const sum = (v: Float64Array) => Math.abs(v[0]) + Math.abs(v[1]) + Math.abs(v[2]);
    const { radius } = this.tree;
    const near = radius + sum(step.position) + sum(motion.velocity);
    const far = sum(middle) + sum(motion.start.subarray(9));
    this.reach = near + motion.angle * (radius + sum(step.arm)) + POSES * far;
  }

  /** Whatever was allocated: fetches what may have moved. */
  refresh(): void {
    this.tree.refresh();
    if (this.#positions.length > 0) return;
    this.#positions = this.mesh.storedPositions;
    this.#indices = this.mesh.storedIndices;
  }

  /** The first slot below an inner one, built first where it is pending: then both sides must be refreshed. */
  firstBelow(slot: number): number {
    if (isPending(this.tree.ref(slot))) {
      this.tree.grow(slot);
      this.refresh();
    }
    return LANES * this.tree.ref(slot);
  }

  /** Writes the box of a slot at the step's time. */
  writeBox(slot: number, out: Float64Array): void {
    const { rotation: r, position } = this.step;
    const v = this.tree.floats;
    const o = this.tree.volumeAt(slot);
    const cx = v[o];
    const cy = v[o + 4];
    const cz = v[o + 8];
    out[0] = r[0] * cx + r[1] * cy + r[2] * cz + position[0];
    out[1] = r[3] * cx + r[4] * cy + r[5] * cz + position[1];
    out[2] = r[6] * cx + r[7] * cy + r[8] * cz + position[2];
    const x = v[o + 24];
    const y = v[o + 28];
    const z = v[o + 32];
    const w = v[o + 36];
    const s = 2 / (x * x + y * y + z * z + w * w);
    writeTurned(r, 1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w), out, 3);
    writeTurned(r, s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w), out, 6);
    writeTurned(r, s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y), out, 9);
    const hx = v[o + 12];
    const hy = v[o + 16];
    const hz = v[o + 20];
    const slack =
      CONTAINMENT_SLACK *
      (Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + 3 * (Math.abs(hx) + Math.abs(hy) + Math.abs(hz)));
    out[12] = hx + slack;
    out[13] = hy + slack;
    out[14] = hz + slack;
  }

  /** Writes the corners of a triangle at the step's time. */
  writeTriangle(triangle: number, out: Float64Array, at: number): void {
    const { rotation: r, position } = this.step;
    const p = this.#positions;
    const m = this.#centre;
    for (let k = 0; k < 3; k++) {
      const v = 3 * this.#indices[3 * triangle + k];
      const x = p[v] - m[0];
      const y = p[v + 1] - m[1];
      const z = p[v + 2] - m[2];
      out[at + 3 * k] = r[0] * x + r[1] * y + r[2] * z + position[0];
      out[at + 3 * k + 1] = r[3] * x + r[4] * y + r[5] * z + position[1];
      out[at + 3 * k + 2] = r[6] * x + r[7] * y + r[8] * z + position[2];
    }
  }

  /** Adds the velocity of a box's centre, times `sign`, to what is in `out`. */
  addVelocity(box: Float64Array, sign: number, out: Float64Array): void {
    const { motion, step } = this;
    const { axis, velocity } = motion;
    const turn = sign * motion.angle;
    const x = box[0] - step.position[0] + step.arm[0];
    const y = box[1] - step.position[1] + step.arm[1];
    const z = box[2] - step.position[2] + step.arm[2];
    out[0] += sign * velocity[0] + turn * (axis[1] * z - axis[2] * y);
    out[1] += sign * velocity[1] + turn * (axis[2] * x - axis[0] * z);
    out[2] += sign * velocity[2] + turn * (axis[0] * y - axis[1] * x);
  }

  /** Finds how far the box written to `box` can swing and rise along n. */
  measureBox(box: Float64Array, nx: number, ny: number, nz: number): void {
    const { motion, step } = this;
    if (motion.angle === 0) return;
    const { axis } = motion;
    const ux = axis[0];
    const uy = axis[1];
    const uz = axis[2];
    const x = box[0] - step.position[0] + step.arm[0];
    const y = box[1] - step.position[1] + step.arm[1];
    const z = box[2] - step.position[2] + step.arm[2];
    const sx = ny * uz - nz * uy;
    const sy = nz * ux - nx * uz;
    const sz = nx * uy - ny * ux;
    const along = nx * ux + ny * uy + nz * uz;
    const rx = along * ux - nx;
    const ry = along * uy - ny;
    const rz = along * uz - nz;
    this.swing = sx * x + sy * y + sz * z + reachOfBox(box, sx, sy, sz);
    this.rise = rx * x + ry * y + rz * z + reachOfBox(box, rx, ry, rz);
  }

  /** The same for the triangle at `t[o]`. */
  measureTriangle(t: Float64Array, o: number, nx: number, ny: number, nz: number): void {
    const { motion, step } = this;
    if (motion.angle === 0) return;
    const { axis } = motion;
    const ux = axis[0];
    const uy = axis[1];
    const uz = axis[2];
    const cx = step.position[0] - step.arm[0];
    const cy = step.position[1] - step.arm[1];
    const cz = step.position[2] - step.arm[2];
    const sx = ny * uz - nz * uy;
    const sy = nz * ux - nx * uz;
    const sz = nx * uy - ny * ux;
    const along = nx * ux + ny * uy + nz * uz;
    let swing = -Infinity;
    let rise = -Infinity;
    for (let i = o; i < o + 9; i += 3) {
      const x = t[i] - cx;
      const y = t[i + 1] - cy;
      const z = t[i + 2] - cz;
      const s = sx * x + sy * y + sz * z;
      const r = along * (ux * x + uy * y + uz * z) - (nx * x + ny * y + nz * z);
      if (s > swing) swing = s;
      if (r > rise) rise = r;
    }
    this.swing = swing;
    this.rise = rise;
  }
}

/** How far a box reaches from its centre along m, which need not be of unit length. */
export function reachOfBox(box: Float64Array, mx: number, my: number, mz: number): number {
  return (
    box[12] * Math.abs(box[3] * mx + box[4] * my + box[5] * mz) +
    box[13] * Math.abs(box[6] * mx + box[7] * my + box[8] * mz) +
    box[14] * Math.abs(box[9] * mx + box[10] * my + box[11] * mz)
  );
}

function writeTurned(r: Float64Array, x: number, y: number, z: number, out: Float64Array, at: number): void {
  out[at] = r[0] * x + r[1] * y + r[2] * z;
  out[at + 1] = r[3] * x + r[4] * y + r[5] * z;
  out[at + 2] = r[6] * x + r[7] * y + r[8] * z;
}
