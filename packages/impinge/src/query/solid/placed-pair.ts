/**
 * Two placed objects in one frame: the numbers stored in the meshes of a, into which b's are posed, rounded as the
 * kernels round. Decisions are exact for these numbers. Two meshes of a pair query are objects of one part each.
 */
import { IDENTITY, invertPose, posePoint, type RigidPose, type Vec3 } from '../../math/pose.js';
import { isClosed } from '../../mesh/closed.js';
import type { Mesh } from '../../mesh/mesh.js';
import { sharedDepth } from '../pair/box-gap.js';
import { relativePose, storedPose } from '../pair/context.js';
import type { Parts } from './point-query.js';

export interface PlacedParts {
  readonly parts: Parts;
  /** To the world. */
  readonly pose: RigidPose;
  /** A number that only objects of the same parts have; undefined where no others are known to have them. */
  readonly shape?: number | undefined;
  /** In the world, around the whole object: minimum, maximum. The tighter, the faster touching is recognised. */
  readonly box: Float64Array;
  /** Of the whole object, whether or not all its pieces are among the parts. */
  readonly triangleCount: number;
  /** How far stored corners may be from what they stand for. */
  readonly rounding: number;
  /** How far facets may be from the curve they stand for. */
  readonly curveError: number;
}

/** Posed coordinates are off by less than this share of the numbers involved. */
const ROUNDING = 1e-12;

export class PlacedPair {
  readonly a: PlacedParts;
  readonly b: PlacedParts;
  /** Part of a, part of b, alternating: those that may meet. */
  readonly partPairs: Uint32Array;
  /** From b's frame to a's. */
  readonly bToA: RigidPose;
  /** The same between stored numbers, and back. */
  readonly pose: RigidPose;
  readonly inverse: RigidPose;
  /** What is smaller may be rounding of the pose; 0 where nothing is posed. */
  readonly slack: number;
  readonly #origin: Vec3;

  constructor(a: PlacedParts, b: PlacedParts, partPairs: Uint32Array = allPairs(a, b)) {
    this.a = a;
    this.b = b;
    this.partPairs = partPairs;
    this.bToA = relativePose(a.pose, b.pose);
    this.pose = storedPose(a.parts.meshes[0], b.parts.meshes[0], this.bToA);
    this.inverse = invertPose(this.pose);
    this.slack = isIdentity(this.pose) ? 0 : ROUNDING * this.#reach();
    this.#origin = a.parts.meshes[0].origin;
  }

  /** The pair in an order that depends on the objects, not on how they are given: swapping them changes nothing. */
  static inOrder(first: PlacedParts, second: PlacedParts, partPairs?: Uint32Array): PlacedPair {
    if (compare(first, second) <= 0) return new PlacedPair(first, second, partPairs);
    return new PlacedPair(second, first, partPairs && exchanged(partPairs));
  }

  /** Two meshes in the frame of a. */
  static ofMeshes(a: Mesh, b: Mesh, bToA: RigidPose): PlacedPair {
    return new PlacedPair(placedMesh(a, IDENTITY as RigidPose), placedMesh(b, bToA));
  }

  /**
   * Overlaps no deeper than this, and surfaces no farther apart than that and the errors of curves, may be touching.
   */
  get rounding(): number {
    return this.a.rounding + this.b.rounding;
  }
  get gapRounding(): number {
    return this.rounding + this.a.curveError + this.b.curveError;
  }

  /** No point of one lies deeper in the other than this; negative when the boxes are apart. */
  get depthLimit(): number {
    return sharedDepth(this.a.box, this.b.box);
  }

  /** Writes a point of the common frame as it is in the world. */
  writeWorld(points: Float64Array, at: number, out: Float64Array, o: number): void {
    const [x, y, z] = this.#origin;
    posePoint(this.a.pose, points[at] + x, points[at + 1] + y, points[at + 2] + z, out, o);
  }

  /**
   * The same, turned but not moved: with a's translation added these are the numbers of `writeWorld`, bit for bit.
   * Adding rounds in order, so the least and the largest of several may be found before it or after.
   */
  writeTurned(points: Float64Array, at: number, out: Float64Array, o: number): void {
    const p = this.a.pose;
    const x = points[at] + this.#origin[0];
    const y = points[at + 1] + this.#origin[1];
    const z = points[at + 2] + this.#origin[2];
    for (let k = 0; k < 3; k++) out[o + k] = p[3 * k] * x + p[3 * k + 1] * y + p[3 * k + 2] * z;
  }

  /** Makes a box (minimum, maximum) hold a point of the common frame, turned. */
  growTurned(points: Float64Array, at: number, box: Float64Array): void {
    const p = this.a.pose;
    const x = points[at] + this.#origin[0];
    const y = points[at + 1] + this.#origin[1];
    const z = points[at + 2] + this.#origin[2];
    for (let k = 0; k < 3; k++) {
      const w = p[3 * k] * x + p[3 * k + 1] * y + p[3 * k + 2] * z;
      if (w < box[k]) box[k] = w;
      if (w > box[3 + k]) box[3 + k] = w;
    }
  }

  #reach(): number {
    let reach = Math.abs(this.pose[9]) + Math.abs(this.pose[10]) + Math.abs(this.pose[11]);
    for (const { parts } of [this.a, this.b]) {
      for (let k = 0; k < 3; k++) {
        let most = 0;
        for (const { box, origin } of parts.meshes) {
          most = Math.max(most, Math.abs(box.min[k] - origin[k]), Math.abs(box.max[k] - origin[k]));
        }
        reach += most;
      }
    }
    return reach;
  }
}

/** A mesh as an object of one part. Its box is that of its posed box: tight where that is not turned. */
function placedMesh(mesh: Mesh, pose: RigidPose): PlacedParts {
  const { min, max } = mesh.box;
  const box = new Float64Array(6);
  for (let k = 0; k < 3; k++) {
    box[k] = box[3 + k] = pose[9 + k];
    for (let j = 0; j < 3; j++) {
      const [low, high] = pose[3 * k + j] < 0 ? [max[j], min[j]] : [min[j], max[j]];
      box[k] += pose[3 * k + j] * low;
      box[3 + k] += pose[3 * k + j] * high;
    }
  }
  const parts = { meshes: [mesh], closed: isClosed(mesh) };
  return { parts, pose, box, triangleCount: mesh.triangleCount, rounding: 0, curveError: 0 };
}

/** A pose in the form that queries take. */
export function asPose(pose: RigidPose): { rotation: Float64Array; translation: Float64Array } {
  return { rotation: pose.subarray(0, 9), translation: pose.subarray(9, 12) };
}

function isIdentity(pose: RigidPose): boolean {
  for (let i = 0; i < 12; i++) if (pose[i] !== IDENTITY[i]) return false;
  return true;
}

/** By what can be seen of the objects from outside; 0 only where both look alike and are at the same place. */
function compare(a: PlacedParts, b: PlacedParts): number {
  for (let k = 0; k < 6; k++) if (a.box[k] !== b.box[k]) return a.box[k] - b.box[k];
  if (a.triangleCount !== b.triangleCount) return a.triangleCount - b.triangleCount;
  for (let k = 0; k < 12; k++) if (a.pose[k] !== b.pose[k]) return a.pose[k] - b.pose[k];
  return 0;
}

function exchanged(pairs: Uint32Array): Uint32Array {
  const out = new Uint32Array(pairs.length);
  for (let i = 0; i < pairs.length; i += 2) {
    out[i] = pairs[i + 1];
    out[i + 1] = pairs[i];
  }
  return out;
}

function allPairs(a: PlacedParts, b: PlacedParts): Uint32Array {
  const out: number[] = [];
  for (let i = 0; i < a.parts.meshes.length; i++) {
    for (let j = 0; j < b.parts.meshes.length; j++) out.push(i, j);
  }
  return Uint32Array.from(out);
}
