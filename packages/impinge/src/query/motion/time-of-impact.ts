/**
 * When two moving meshes first meet.
 *
 * Idea: `distance` tells whether they meet at the start; the rest is a search over pairs, each with a clock of its own
 * (motion-search.ts).
 * Errs: the time is never later than the first contact. Meshes that pass at more than `distance`, but by no more than
 * `accuracy`, may be reported.
 */
import { readKnown, readLength } from '../../base/options.js';
import { type Motion, RigidMotion, rigidPart } from '../../math/motion.js';
import { posePoint, type Vec3 } from '../../math/pose.js';
import { rigidly } from '../../mesh/baked.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { QueryStats } from '../pair/context.js';
import { distance } from '../pair/distance.js';
import { MotionSearch } from './motion-search.js';
import { MotionSide } from './motion-side.js';

export interface TimeOfImpactOptions {
  /** How the meshes move in the world while time goes from 0 to 1 (default: not at all). */
  readonly motionA?: Motion;
  readonly motionB?: Motion;
  /** Meshes are in contact when their distance is at most this (default 0: when they touch). */
  readonly distance?: number;
  /** How near is near enough (default: 10⁻⁶ of the diagonal of the smaller mesh's box). */
  readonly accuracy?: number;
}

export interface TimeOfImpactResult {
  /** From 0 to 1, and never later than the first contact; Infinity when there is none. */
  readonly time: number;
  /**
   * Of the two triangles at that time: at most the asked distance and the accuracy; Infinity when there is no contact.
   */
  readonly distance: number;
  /** The closest points at that time, in the world; undefined when there is no contact. */
  readonly pointA: Vec3 | undefined;
  readonly pointB: Vec3 | undefined;
  /** Unit vector, the way from a to b. Zero when the points are one, as where meshes meet at the start. */
  readonly normal: Vec3 | undefined;
  /** The triangles the points lie on, or −1. */
  readonly triangleA: number;
  readonly triangleB: number;
  readonly stats: QueryStats;
}

const NAMES = { motionA: true, motionB: true, distance: true, accuracy: true } as const;

/** Relative to the smaller mesh. */
const ACCURACY = 1e-6;
/**
 * More than float64 loses in the motions, relative to the numbers that appear; the accuracy is at least ten times that.
 */
const ROUNDING = 1e-14;

/**
 * Finds the first time at which the surfaces of a and b, in rigid motion, come within `distance` of each other. However
 * fast they move, no contact is missed.
 */
export function timeOfImpact(ofA: Mesh, ofB: Mesh, options: TimeOfImpactOptions = {}): TimeOfImpactResult {
  assertMesh(ofA);
  assertMesh(ofB);
  const within = readLength('distance', readKnown('timeOfImpact', options, NAMES).distance ?? 0);
  const { mesh: a, motion: motionA } = moving(ofA, options.motionA, 'motionA');
  const { mesh: b, motion: motionB } = moving(ofB, options.motionB, 'motionB');
  const defaultAccuracy = ACCURACY * Math.min(diagonalOf(a), diagonalOf(b));
  const accuracy = readLength('accuracy', options.accuracy ?? defaultAccuracy);
  const origin = new Float64Array(3);
  posePoint(motionA.start, ...middleOf(a), origin, 0);
  const sideA = new MotionSide(a, motionA, origin);
  const sideB = new MotionSide(b, motionB, origin);
  const slack = ROUNDING * (sideA.reach + sideB.reach + within);
  const start = distance(a, b, {
    poseA: motionA.start,
    poseB: motionB.start,
    atMost: within + slack,
  });
  if (start.pointA && start.pointB) {
    const { distance: apart, pointA, pointB, triangleA, triangleB, stats } = start;
    const normal = directionOf(pointA, pointB);
    return { time: 0, distance: apart, pointA, pointB, normal, triangleA, triangleB, stats };
  }
  const search = new MotionSearch(sideA, sideB, within + slack, within + Math.max(accuracy, 10 * slack));
  search.run();
  const { time, distance: apart, triangleA, triangleB, witness: w, normal: n } = search;
  const stats = {
    volumeTests: start.stats.volumeTests + search.volumeTests,
    triangleTests: start.stats.triangleTests + search.triangleTests,
    exactTests: start.stats.exactTests + search.exactTests,
    adaptiveTests: start.stats.adaptiveTests,
  };
  if (time === Infinity) {
    const nowhere = { pointA: undefined, pointB: undefined, normal: undefined };
    return { time, distance: apart, ...nowhere, triangleA, triangleB, stats };
  }
  const pointA: Vec3 = [w[0] + origin[0], w[1] + origin[1], w[2] + origin[2]];
  const pointB: Vec3 = [w[3] + origin[0], w[4] + origin[1], w[5] + origin[2]];
  const normal: Vec3 = [n[0], n[1], n[2]];
  return { time, distance: apart, pointA, pointB, normal, triangleA, triangleB, stats };
}

/** A mesh in motion, with what its pose at the start does to lengths baked in. */
function moving(mesh: Mesh, given: Motion | undefined, name: string) {
  const baked = given?.from === undefined ? { mesh } : rigidly(mesh, given.from);
  const motion = 'map' in baked ? rigidPart(given!, name, baked.map) : given;
  return { mesh: baked.mesh, motion: new RigidMotion(motion, name) };
}

function diagonalOf({ box: { min, max } }: Mesh): number {
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

function middleOf({ box: { min, max } }: Mesh): Vec3 {
  return [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1]), 0.5 * (min[2] + max[2])];
}

/** From p to q; zero where they are one. */
function directionOf(p: Vec3, q: Vec3): Vec3 {
  const [x, y, z] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
}
