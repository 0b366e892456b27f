/**
 * How large the error of a step looks to a camera, and whether the step is in view.
 *
 * A point p of the drawn surface and a point q of the original, no farther from each other than e, both in a box whose
 * points are at least d away from the camera: the angle φ between them is at most 2 asin(e / 2d), because at distances
 * ≥ d points under an angle of φ are at least 2d sin(φ/2) apart. So e / d, the ratio, bounds the angle, and the angle
 * of n pixels in the middle of the picture allows a ratio of 2 sin(φ/2) with tan φ = n / (pixels per unit of the
 * tangent). An orthographic camera shows e itself.
 *
 * Both the ratio and the view are monotone, in floating point, too: from a box to one that holds it, d does not grow,
 * and nothing that was in view gets out of it. Each is a chain of differences, products, sums, roots and quotients in
 * one order, and each of these, rounded, keeps the order of its arguments.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readInteger, readKnown, shown } from 'impinge/internal/base/options.js';
import {
  invertPose,
  type MatrixLike,
  type Pose,
  type RigidPose,
  toRigidPose,
  writeRelativePose,
} from 'impinge/internal/math/pose.js';

export interface DrawCamera {
  /** Where it is; it looks along its −z, and y is up. In three.js: `camera`. */
  readonly pose: Pose;
  /** Sixteen column-major entries. In three.js: `camera.projectionMatrix`. */
  readonly projection: ArrayLike<number> | MatrixLike;
  /** Of the picture, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The position of something relative to the view. */
export const Side = { outside: 0, across: 1, inside: 2 } as const;
export type Side = (typeof Side)[keyof typeof Side];

/** Factor of the permitted error outside the view. Finite, so that a turning camera finds something there. */
const LAXER_OUTSIDE = 8;
/** Nothing is nearer than this: ratios are finite, and larger errors have larger ones. */
const NEAREST = 1e-100;
/** Left, right, bottom, top, and behind. No far plane: depth buffers treat depth differently. */
const PLANES = 5;

export class View {
  readonly pose: RigidPose;
  readonly isPerspective: boolean;
  /** Pixels per unit of the tangent, or of length. */
  readonly #pixels: number;
  /** Four numbers each, in the camera's frame: nx + d ≥ 0 is the side that is seen. */
  readonly #planes = new Float64Array(4 * PLANES);
  /** The same in the world, with normals of length 1 where there is one. */
  readonly #worldPlanes = new Float64Array(4 * PLANES);

  constructor(camera: DrawCamera) {
    const names = { pose: true, projection: true, width: true, height: true } as const;
    const { pose, projection, width, height } = readKnown('camera', camera, names);
    this.pose = toRigidPose(pose);
    const p = readProjection(projection);
    this.isPerspective = p[11] !== 0;
    const [w, h] = [readInteger('width', width, 1), readInteger('height', height, 1)];
    this.#pixels = Math.max(Math.abs(p[0]) * w, Math.abs(p[5]) * h) / 2;
    if (!(this.#pixels > 0)) throw badProjection('it has no extent');
    for (let k = 0; k < 4; k++) {
      const [x, y, last] = [p[4 * k], p[4 * k + 1], p[4 * k + 3]];
      [last + x, last - x, last + y, last - y, last].forEach((value, plane) => {
        this.#planes[4 * plane + k] = value;
      });
    }
    const world = this.#worldPlanes;
    this.writePlanes(invertPose(this.pose), world);
    for (let at = 0; at < world.length; at += 4) {
      const length = Math.hypot(world[at], world[at + 1], world[at + 2]) || 1;
      for (let k = 0; k < 4; k++) world[at + k] /= length;
    }
  }

  /** The position of a ball in the world relative to the view, where that is certain; otherwise across the border. */
  sideOfBall(x: number, y: number, z: number, radius: number): Side {
    const planes = this.#worldPlanes;
    let side: Side = Side.inside;
    for (let at = 0; at < planes.length; at += 4) {
      const inward = planes[at] * x + planes[at + 1] * y + planes[at + 2] * z + planes[at + 3];
      if (inward < -radius) return Side.outside;
      if (inward < radius) side = Side.across;
    }
    return side;
  }

  /** The largest ratio that appears within this many pixels. */
  ratioOf(pixels: number): number {
    if (!this.isPerspective || pixels === Infinity) return pixels / this.#pixels;
    return 2 * Math.sin(Math.atan(pixels / this.#pixels) / 2);
  }

  /** The number of pixels that a ratio may look like. */
  pixelsOf(ratio: number): number {
    if (!this.isPerspective) return ratio * this.#pixels;
    const angle = 2 * Math.asin(Math.min(1, ratio / 2));
    return angle < Math.PI / 2 ? this.#pixels * Math.tan(angle) : Infinity;
  }

  /** The same view, from wherever. */
  sameLens(other: View): boolean {
    return (
      this.isPerspective === other.isPerspective &&
      this.#pixels === other.#pixels &&
      this.#planes.every((value, i) => value === other.#planes[i])
    );
  }

  /** The planes that bound the view, in the frame that `pose` maps to the camera's. */
  writePlanes(pose: RigidPose, out: Float64Array): void {
    for (let at = 0; at < out.length; at += 4) {
      const x = this.#planes[at];
      const y = this.#planes[at + 1];
      const z = this.#planes[at + 2];
      for (let k = 0; k < 3; k++) out[at + k] = pose[k] * x + pose[3 + k] * y + pose[6 + k] * z;
      out[at + 3] = pose[9] * x + pose[10] * y + pose[11] * z + this.#planes[at + 3];
    }
  }
}

const toCamera = new Float64Array(12);

/** A view in the frame of an object. */
export class ObjectView {
  x = 0;
  y = 0;
  z = 0;
  isPerspective = true;
  readonly #planes = new Float64Array(4 * PLANES);

  look(view: View, object: RigidPose): void {
    const p = toCamera;
    writeRelativePose(view.pose, 0, object, 0, p);
    this.isPerspective = view.isPerspective;
    view.writePlanes(p, this.#planes);
    // not by way of the camera's rotation, which may be a little off: turning around brings nothing nearer
    const x = view.pose[9] - object[9];
    const y = view.pose[10] - object[10];
    const z = view.pose[11] - object[11];
    this.x = object[0] * x + object[3] * y + object[6] * z;
    this.y = object[1] * x + object[4] * y + object[7] * z;
    this.z = object[2] * x + object[5] * y + object[8] * z;
  }

  /** From the camera to the nearest point of the box; 1 for an orthographic one, which nothing is nearer to. */
  distance(boxes: ArrayLike<number>, box: number): number {
    if (!this.isPerspective) return 1;
    const at = 6 * box;
    const dx = Math.max(boxes[at] - this.x, 0, this.x - boxes[at + 3]);
    const dy = Math.max(boxes[at + 1] - this.y, 0, this.y - boxes[at + 4]);
    const dz = Math.max(boxes[at + 2] - this.z, 0, this.z - boxes[at + 5]);
    return Math.max(NEAREST, Math.sqrt(dx * dx + dy * dy + dz * dz));
  }

  /** The factor of an error before comparison, depending on whether its box is in view. */
  weight(boxes: ArrayLike<number>, box: number): number {
    return this.isOutside(boxes, box) ? 1 / LAXER_OUTSIDE : 1;
  }

  isOutside(boxes: ArrayLike<number>, box: number): boolean {
    for (let plane = 0; plane < PLANES; plane++) if (this.#farthest(plane, boxes, box, 1) < 0) return true;
    return false;
  }

  side(boxes: ArrayLike<number>, box: number): Side {
    if (this.isOutside(boxes, box)) return Side.outside;
    for (let plane = 0; plane < PLANES; plane++) {
      if (this.#farthest(plane, boxes, box, -1) > 0) return Side.across;
    }
    return Side.inside;
  }

  /** The largest value of a plane over a box, or of its opposite. */
  #farthest(plane: number, boxes: ArrayLike<number>, box: number, sign: number): number {
    const at = 6 * box;
    let sum = sign * this.#planes[4 * plane + 3];
    for (let k = 0; k < 3; k++) {
      const n = sign * this.#planes[4 * plane + k];
      sum += n * boxes[at + k + (n > 0 ? 3 : 0)];
    }
    return sum;
  }
}

function readProjection(given: ArrayLike<number> | MatrixLike): number[] {
  const projection = (given as Partial<MatrixLike>)?.elements ?? (given as ArrayLike<number>);
  if (projection?.length !== 16) throw badProjection(`sixteen numbers are needed, got ${shown(projection)}`);
  const entries = Array.from({ length: 16 }, (_, i) => projection[i]);
  if (!entries.every((entry) => typeof entry === 'number' && Number.isFinite(entry))) {
    throw badProjection('an entry is not a finite number');
  }
  return entries;
}

function badProjection(why: string): ImpingeError {
  return new ImpingeError('bad-option', `the camera's projection: ${why}`, { option: 'projection' });
}
