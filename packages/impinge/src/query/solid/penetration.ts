/**
 * How far b must be moved, and which way, to get it out of a. Stored models answer for themselves.
 *
 * Convex solids: the exact answer, from their Minkowski difference (see separate-hulls.ts). Others: candidate
 * directions (of the hulls' separation, of the contact regions, between the centres, along the axes, all around), each
 * tried from the least length that could do upwards, because what is apart may meet again farther on; what gets out is
 * shortened by bisection, and the best turned a little as long as that helps. Errs: for non-convex meshes the depth is
 * an upper bound, verified: moved by it, the meshes do not meet and neither contains the other. A shorter way out may
 * exist; none is shorter than `atLeast`, because the innermost point of one closed mesh must leave the other (0 for
 * open ones).
 */
import { readKnown } from '../../base/options.js';
import { separateHulls } from '../../geometry/hull/separate-hulls.js';
import { posePoint, type RigidPose, toRigidPose, type Vec3 } from '../../math/pose.js';
import { isClosed } from '../../mesh/closed.js';
import { isConvex } from '../../mesh/convex.js';
import type { Mesh } from '../../mesh/mesh.js';
import { collide } from '../pair/collide.js';
import { POSE_NAMES, type PoseOptions, type QueryStats, readPlacement, storedPose } from '../pair/context.js';
import { areParted, askPair } from '../pair/near-pairs.js';
import { ERROR_NAMES, type ErrorOptions, readErrorLimit } from '../pair/pair-request.js';
import type { CollideResult } from '../pair/results.js';
import { rigidSides } from '../pair/rigid-sides.js';
import type { PartsTarget } from '../target.js';
import { unit } from './contact-shape.js';
import { findContacts } from './contacts.js';
import { contains } from './containment.js';
import { requireKernel } from './depth.js';
import { asPose } from './placed-pair.js';
import { refuseTargets, type SolidTarget } from './target-contacts.js';

export interface PenetrationOptions extends PoseOptions, ErrorOptions {}

const NAMES = { ...POSE_NAMES, ...ERROR_NAMES } as const;

export interface PenetrationResult {
  /** Whether the solids overlap; touching, and surfaces of open meshes crossing, count. Of stored models: may they. */
  readonly overlapping: boolean;
  /** Translating b by `depth · direction` separates the interiors (0 when they only touch). */
  readonly depth: number;
  /** Unit vector in the world (in a's frame when only `pose` is given); zero when nothing has to move. */
  readonly direction: Vec3;
  /** Whether no shorter translation exists. */
  readonly exact: boolean;
  /** No shorter translation than this can separate them. */
  readonly atLeast: number;
  /** How far the distances that were asked about may be off; 0 for meshes. */
  readonly error: number;
  readonly stats: QueryStats & {
    /** Placements tried. */
    readonly trials: number;
  };
}

/** Shortening stops at this share of the depth. */
const PRECISION = 1e-4;
/** Of meeting triangles whose regions are asked for directions. */
const MOST_PAIRS = 2 ** 17;
/** By then what is left of an extent is far below the rounding of its coordinates. */
const MOST_HALVINGS = 100;
/** Directions all around, for ways out that no region points to. */
const SPREAD = 40;
/** From one length to the next along a direction. */
const STEP = 1.2;
/** Where nothing bounds the length from below, the first is so many times shorter than the best. */
const FIRST_SHARE = 64;
/** Lengths that are tried on the way up, along all directions together. */
const MOST_CLIMBS = 1000;
/** Angles in radians by which the best direction is turned. */
const TURNS = [0.4, 0.13, 0.04];

/** Finds a translation that separates b from a: the shortest for convex meshes, a verified bound for others. */
export function penetration(a: Mesh, b: Mesh, options?: PenetrationOptions): PenetrationResult;
export function penetration(
  a: SolidTarget,
  b: PartsTarget,
  options?: PenetrationOptions,
): Promise<PenetrationResult>;
export function penetration(
  a: PartsTarget,
  b: SolidTarget,
  options?: PenetrationOptions,
): Promise<PenetrationResult>;
export function penetration(
  a: SolidTarget,
  b: SolidTarget,
  options: PenetrationOptions = {},
): PenetrationResult | Promise<PenetrationResult> {
  const { error: _, exact, ...poses } = readKnown('penetration', options, NAMES);
  const error = readErrorLimit(options);
  if (!areParted(a, b)) return penetrationOfMeshes(a as Mesh, b as Mesh, poses);
  const request = { a, b, ...readPlacement(poses), error };
  return askPair('penetration', request, () => refuseTargets('penetration'));
}

function penetrationOfMeshes(ofA: Mesh, ofB: Mesh, asked: PoseOptions): PenetrationResult {
  requireKernel('penetration');
  const { a, b, poses: options } = rigidSides(ofA, ofB, asked);
  const { bToA, aToWorld } = readPlacement(options);
  const solid = isClosed(a) && isClosed(b);
  const first = solid ? contains(a, b, options) : collide(a, b, { ...options, mode: 'any' });
  const relation = 'relation' in first ? first.relation : undefined;
  const overlapping = relation ? relation !== 'disjoint' : (first as CollideResult).colliding;
  const stats = pick(first.stats);
  if (!overlapping || relation === 'touching') {
    return {
      overlapping,
      depth: 0,
      direction: [0, 0, 0],
      exact: true,
      atLeast: 0,
      error: 0,
      stats: { ...stats, trials: 0 },
    };
  }
  const toWorld = (v: Vec3): Vec3 => rotate(aToWorld, v);
  const pointsA = usedPoints(a, undefined);
  const pointsB = usedPoints(b, storedPose(a, b, bToA));
  const hulls = separateHulls(pointsA, pointsB);
  if (hulls && solid && isConvex(a) && isConvex(b)) {
    const depth = Math.max(0, hulls.depth);
    return {
      overlapping,
      depth,
      direction: toWorld(hulls.direction),
      exact: true,
      atLeast: depth,
      error: 0,
      stats: { ...stats, trials: 0 },
    };
  }
  // of contact in very many pairs, directions and depths are not looked for: the others have to do
  const regions = findContacts(a, b, options, MOST_PAIRS)?.regions ?? [];
  const directions: Vec3[] = hulls ? [hulls.direction] : [];
  for (const { normal } of regions) directions.push(rotate(transposed(aToWorld), normal));
  directions.push(between(pointsA, pointsB));
  for (let k = 0; k < 3; k++) directions.push(axis(k, 1), axis(k, -1));
  for (let i = 0; i < SPREAD; i++) directions.push(spread(i));
  const search = new EscapeSearch(a, b, options, solid, toWorld, (d) => extent(pointsA, pointsB, d));
  const deepest = regions.reduce((most, region) => Math.max(most, region.depth), 0);
  const bound = solid ? deepest : 0; // open meshes have no inside to be deep in
  const { depth, direction } = search.run(directions, bound);
  const atLeast = Math.min(depth, bound);
  return {
    overlapping,
    depth,
    direction,
    exact: false,
    atLeast,
    error: 0,
    stats: { ...stats, trials: search.trials },
  };
}

/** Tries directions (in a's frame) for the shortest way out. */
class EscapeSearch {
  trials = 0;
  #climbs = 0;
  #depth = Infinity;
  #direction: Vec3 = [0, 0, 0];
  readonly #a: Mesh;
  readonly #b: Mesh;
  readonly #options: PoseOptions;
  readonly #solid: boolean;
  readonly #toWorld: (direction: Vec3) => Vec3;
  readonly #extent: (direction: Vec3) => number;

  constructor(
    a: Mesh,
    b: Mesh,
    options: PoseOptions,
    solid: boolean,
    toWorld: (direction: Vec3) => Vec3,
    extentAlong: (direction: Vec3) => number,
  ) {
    this.#a = a;
    this.#b = b;
    this.#options = options;
    this.#solid = solid;
    this.#toWorld = toWorld;
    this.#extent = extentAlong;
  }

  /** No way out is shorter than `atLeast`. */
  run(candidates: readonly Vec3[], atLeast: number): { depth: number; direction: Vec3 } {
    const usable = candidates.filter((d) => d[0] !== 0 || d[1] !== 0 || d[2] !== 0);
    const byExtent = usable.map((d) => ({ d, extent: this.#extent(d) })).sort((p, q) => p.extent - q.extent);
    // moved past its extent b is apart for certain; a little more, until the exact test agrees
    const { d, extent: most } = byExtent[0];
    const size = byExtent[byExtent.length - 1].extent || 1; // what is flat has no extent of its own
    this.#direction = d;
    let more = 1e-9;
    this.#depth = most * (1 + more) + Number.MIN_VALUE;
    // ends: the step grows past all coordinates, and what no pose can hold is refused
    for (; !this.#isApart(d, this.#depth); more *= 4) this.#depth = most + 4 * more * size;
    for (const candidate of byExtent) this.#shorten(candidate.d);
    for (const candidate of byExtent) this.#climb(candidate.d, Math.max(atLeast, this.#depth / FIRST_SHARE));
    for (const angle of TURNS) {
      const [u, v] = frameOf(this.#direction);
      const middle = this.#direction;
      for (let i = 0; i < 6; i++) {
        const c = Math.tan(angle) * Math.cos((i * Math.PI) / 3);
        const s = Math.tan(angle) * Math.sin((i * Math.PI) / 3);
        this.#shorten(unit([0, 1, 2].map((k) => middle[k] + c * u[k] + s * v[k]) as unknown as Vec3));
      }
    }
    return { depth: this.#depth, direction: this.#toWorld(this.#direction) };
  }

  /** Takes over a direction that gets out sooner than the best so far, as short as bisection makes it. */
  #shorten(direction: Vec3): void {
    const apart = Math.min(this.#depth * (1 - 10 * PRECISION), this.#extent(direction) * (1 + 1e-9));
    if (this.#isApart(direction, apart)) this.#bisect(direction, 0, apart);
  }

  /** Tries a direction at rising lengths below the best so far. */
  #climb(direction: Vec3, from: number): void {
    let meeting = 0;
    for (let length = from * (1 + PRECISION); length < this.#depth * (1 - 10 * PRECISION); length *= STEP) {
      if (this.#climbs++ >= MOST_CLIMBS) return;
      if (this.#isApart(direction, length)) {
        this.#bisect(direction, meeting, length);
        return;
      }
      meeting = length;
    }
  }

  /** Takes over a direction that is apart at one length, and as short as bisection makes it. */
  #bisect(direction: Vec3, meeting: number, apart: number): void {
    for (let i = 0; i < MOST_HALVINGS && apart - meeting > PRECISION * apart; i++) {
      const middle = 0.5 * (apart + meeting);
      if (this.#isApart(direction, middle)) apart = middle;
      else meeting = middle;
    }
    this.#depth = apart;
    this.#direction = direction;
  }

  #isApart(direction: Vec3, depth: number): boolean {
    this.trials++;
    const [x, y, z] = this.#toWorld(direction);
    const { poseA } = this.#options;
    const moved = toRigidPose(this.#options.pose ?? this.#options.poseB).slice();
    moved[9] += x * depth;
    moved[10] += y * depth;
    moved[11] += z * depth;
    const placed = poseA === undefined ? { pose: asPose(moved) } : { poseA, poseB: asPose(moved) };
    if (this.#solid) return contains(this.#a, this.#b, placed).relation === 'disjoint';
    return !collide(this.#a, this.#b, { ...placed, mode: 'any' }).colliding;
  }
}

/** The vertices that triangles use, in a's stored frame. */
function usedPoints(mesh: Mesh, pose: RigidPose | undefined): Float64Array {
  const { storedIndices: indices, storedPositions: positions } = mesh;
  const used = new Uint8Array(mesh.vertexCount);
  for (const v of indices) used[v] = 1;
  const out = new Float64Array(3 * used.reduce((sum, flag) => sum + flag, 0));
  let at = 0;
  for (let v = 0; v < used.length; v++) {
    if (!used[v]) continue;
    const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    if (pose) posePoint(pose, x, y, z, out, at);
    else out.set([x, y, z], at);
    at += 3;
  }
  return out;
}

/** How far b must move along d until all of it is past all of a. */
function extent(a: Float64Array, b: Float64Array, d: Vec3): number {
  let most = -Infinity;
  let least = Infinity;
  for (let i = 0; i < a.length; i += 3)
    most = Math.max(most, a[i] * d[0] + a[i + 1] * d[1] + a[i + 2] * d[2]);
  for (let i = 0; i < b.length; i += 3)
    least = Math.min(least, b[i] * d[0] + b[i + 1] * d[1] + b[i + 2] * d[2]);
  return Math.max(0, most - least);
}

function between(a: Float64Array, b: Float64Array): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < b.length; i++) sum[i % 3] += (3 * b[i]) / b.length;
  for (let i = 0; i < a.length; i++) sum[i % 3] -= (3 * a[i]) / a.length;
  return unit(sum);
}

function axis(k: number, sign: number): Vec3 {
  return [k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0];
}

/** The i-th of directions that lie evenly on the sphere, along a spiral. */
function spread(i: number): Vec3 {
  const z = 1 - (2 * i + 1) / SPREAD;
  const angle = i * Math.PI * (3 - Math.sqrt(5));
  const radius = Math.sqrt(1 - z * z);
  return [radius * Math.cos(angle), radius * Math.sin(angle), z];
}

/** Two unit vectors at right angles to d and to each other. */
function frameOf(d: Vec3): [Vec3, Vec3] {
  const least =
    Math.abs(d[0]) < Math.abs(d[1])
      ? Math.abs(d[0]) < Math.abs(d[2])
        ? 0
        : 2
      : Math.abs(d[1]) < Math.abs(d[2])
        ? 1
        : 2;
  const u = unit(cross(d, axis(least, 1)));
  return [u, cross(d, u)];
}

function cross(u: Vec3, v: Vec3): Vec3 {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function rotate(pose: RigidPose, v: Vec3): Vec3 {
  const row = (k: number) => pose[3 * k] * v[0] + pose[3 * k + 1] * v[1] + pose[3 * k + 2] * v[2];
  return [row(0), row(1), row(2)];
}

function transposed(p: RigidPose): RigidPose {
  return Float64Array.of(p[0], p[3], p[6], p[1], p[4], p[7], p[2], p[5], p[8], 0, 0, 0);
}

function pick({ volumeTests, triangleTests, exactTests, adaptiveTests }: QueryStats): QueryStats {
  return { volumeTests, triangleTests, exactTests, adaptiveTests };
}
