/**
 * Reads the two triangles of a pair into one array of eighteen float64: b posed into a's numbers, rounded exactly
 * as the kernels round, or both posed into the world.
 */
import { intersectsTriangleTriangle } from '../geometry/intersect/triangle-triangle.js';
import { posePoint, type RigidPose, type Vec3 } from '../math/pose.js';
import type { Mesh } from '../mesh/mesh.js';

/** Pairs of triangles as eighteen numbers, and whether they meet. */
export abstract class TrianglePairs {
  /** a's corners in [0, 9), b's in [9, 18). */
  readonly corners: Float64Array = new Float64Array(18);

  abstract read(triangleA: number, triangleB: number): Float64Array;

  /** Moves the keys of pairs that do meet to the front and returns them; stops at `enough`. */
  keepMeeting(keys: BigUint64Array, enough: number): BigUint64Array {
    const halves = new Uint32Array(keys.buffer, keys.byteOffset, 2 * keys.length);
    let kept = 0;
    for (let i = 0; i < keys.length && kept < enough; i++) {
      const corners = this.read(halves[2 * i + 1], halves[2 * i]);
      if (!intersectsTriangleTriangle(corners, 0, corners, 9)) continue;
      halves[2 * kept] = halves[2 * i]; // by halves: a key that is read becomes an object
      halves[2 * kept + 1] = halves[2 * i + 1];
      kept++;
    }
    return keys.subarray(0, kept);
  }
}

const NO_POSITIONS: Float32Array = new Float32Array(0);
const NO_INDICES: Uint32Array = new Uint32Array(0);

export class PairReader extends TrianglePairs {
  readonly #a: Mesh;
  readonly #b: Mesh;
  readonly #pose: RigidPose;
  #positionsA = NO_POSITIONS;
  #positionsB = NO_POSITIONS;
  #indicesA = NO_INDICES;
  #indicesB = NO_INDICES;

  constructor(a: Mesh, b: Mesh, pose: RigidPose) {
    super();
    this.#a = a;
    this.#b = b;
    this.#pose = pose;
  }

  read(triangleA: number, triangleB: number): Float64Array {
    // at first, and when memory that is not shared has grown
    if (this.#positionsA.length === 0) {
      this.#positionsA = this.#a.storedPositions;
      this.#positionsB = this.#b.storedPositions;
      this.#indicesA = this.#a.storedIndices;
      this.#indicesB = this.#b.storedIndices;
    }
    const out = this.corners;
    for (let k = 0; k < 3; k++) {
      const v = 3 * this.#indicesA[3 * triangleA + k];
      out[3 * k] = this.#positionsA[v];
      out[3 * k + 1] = this.#positionsA[v + 1];
      out[3 * k + 2] = this.#positionsA[v + 2];
      const w = 3 * this.#indicesB[3 * triangleB + k];
      const p = this.#positionsB;
      posePoint(this.#pose, p[w], p[w + 1], p[w + 2], out, 9 + 3 * k);
    }
    return out;
  }
}

/** Where both are in the world: each corner is rounded once, whichever mesh comes first. */
export class WorldPairReader extends TrianglePairs {
  readonly #a: PosedCorners;
  readonly #b: PosedCorners;

  /** Stale once anything was allocated, as above. */
  constructor(a: Mesh, b: Mesh, poseA: RigidPose, poseB: RigidPose) {
    super();
    this.#a = cornersOf(a, poseA);
    this.#b = cornersOf(b, poseB);
  }

  read(triangleA: number, triangleB: number): Float64Array {
    writeCorners(this.#a, triangleA, this.corners, 0);
    writeCorners(this.#b, triangleB, this.corners, 9);
    return this.corners;
  }
}

interface PosedCorners {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  readonly origin: Vec3;
  readonly pose: RigidPose;
}

function cornersOf(
  { storedPositions: positions, storedIndices: indices, origin }: Mesh,
  pose: RigidPose,
): PosedCorners {
  return { positions, indices, origin, pose };
}

function writeCorners(
  { positions, indices, origin, pose }: PosedCorners,
  triangle: number,
  out: Float64Array,
  at: number,
): void {
  for (let k = 0; k < 3; k++) {
    const v = 3 * indices[3 * triangle + k];
    const x = positions[v] + origin[0];
    const y = positions[v + 1] + origin[1];
    const z = positions[v + 2] + origin[2];
    posePoint(pose, x, y, z, out, at + 3 * k);
  }
}
