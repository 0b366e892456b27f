/**
 * Whether there is a floor below a body that walks: a point of a surface that is no steeper than allowed, no more than
 * half the step height above or below its feet, and within a reach of below its middle.
 *
 * Proof: while the feet move by h across and v up or down from where they were, a point that was d away across and t
 * up or down is still a floor where d + h is at most the reach, and |t| + v half the step height. So of a piece of a
 * motion the middle is looked at, by rays straight down, and where they are not enough at all triangles around; pieces
 * for which none is enough are halved.
 * Errs: `isUnderAll` is a proof, but for the last bits of a ray. A floor of which every piece is smaller than a motion
 * can be halved is not found.
 */
import { type Mesh, raycast, Scene, trianglesInShape, type Vec3 } from 'impinge';
import { closestPointOnTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { orientationOf } from 'impinge/internal/mesh/closed.js';
import { cross, dot, lengthOf, plus } from 'impinge/internal/query/walk/vectors.js';
import type { Obstacle } from '../obstacles.js';

/** Pieces shorter than this share of the reach are not halved. */
const SHORTEST = 1 / 256;
/** Where rays start, as shares of the reach. */
const ASIDE = 0.5;
const WAYS = [
  [0, 0],
  [ASIDE, 0],
  [-ASIDE, 0],
  [0, ASIDE],
  [0, -ASIDE],
];
/** Relative: more than the distance of a ray rounds. */
const ROUNDING = 1e-9;

export interface FloorOptions {
  /** Of length 1, and two directions across it. */
  readonly up: Vec3;
  readonly sides: readonly [Vec3, Vec3];
  readonly stepHeight: number;
  readonly maxSlope: number;
  readonly reach: number;
}

export class Floor {
  readonly #scene = new Scene();
  readonly #options: FloorOptions;
  readonly #flat: number;

  constructor(obstacles: readonly Obstacle[], options: FloorOptions) {
    this.#options = options;
    this.#flat = Math.cos(options.maxSlope);
    for (const { mesh, pose } of obstacles) this.#scene.add(mesh, { pose });
  }

  /** How high the floor is above the feet, at most by the step height; undefined: there is none. */
  below(feet: Vec3): number | undefined {
    for (const { height } of this.#spots(feet)) return height;
    return undefined;
  }

  /** Whether there is a floor, for sure, at every time of a straight motion of the feet. */
  isUnderAll(from: Vec3, to: Vec3): boolean {
    const { up, stepHeight, reach } = this.#options;
    const most = 0.5 * stepHeight;
    const middle = plus(from, plus(to, from, -1), 0.5);
    const half = plus(middle, from, -1);
    const rises = Math.abs(dot(half, up));
    const across = Math.sqrt(Math.max(0, dot(half, half) - rises * rises));
    let isAny = false;
    for (const { aside, height } of this.#spots(middle)) {
      const isNear = (aside + across) * (1 + ROUNDING) <= reach;
      if (isNear && (Math.abs(height) + rises) * (1 + ROUNDING) <= most) return true;
      isAny ||= Math.abs(height) <= most;
    }
    // where there is none in the middle, shorter pieces need not be looked at
    if (!isAny) return false;
    if (Math.max(across, rises) < SHORTEST * reach) return false;
    return this.isUnderAll(from, middle) && this.isUnderAll(middle, to);
  }

  /** Points of the floor: by rays, and where these miss, as between the bars of a grating, the nearest of triangles. */
  *#spots(feet: Vec3): Generator<Spot> {
    const { reach } = this.#options;
    for (const way of WAYS) {
      const height = this.#heightAt(feet, way);
      if (height !== undefined) yield { aside: Math.hypot(...way) * reach, height };
    }
    yield* this.#nearest(feet);
  }

  /** Of the first surface below the step height, aside of the feet. */
  #heightAt(feet: Vec3, [x, y]: readonly number[]): number | undefined {
    const { up, sides, stepHeight, reach } = this.#options;
    const middle = plus(plus(feet, sides[0], x * reach), sides[1], y * reach);
    const from = plus(middle, up, stepHeight);
    const to = plus(middle, up, -stepHeight);
    const hit = raycast(this.#scene, { from, to });
    if (!hit || Math.abs(dot(hit.normal, up)) < this.#flat) return undefined;
    // what is hit from within a solid is its underside
    if (orientationOf(hit.object.mesh) === (hit.back ? 1 : -1)) return undefined;
    return stepHeight - hit.distance;
  }

  #nearest(feet: Vec3): Spot[] {
    const { up, stepHeight, reach } = this.#options;
    const [bottom, top] = [plus(feet, up, -stepHeight), plus(feet, up, stepHeight)];
    const from = Float64Array.from(feet);
    const spots: Spot[] = [];
    for (const { object, triangles } of trianglesInShape(this.#scene, { bottom, top, radius: reach })) {
      const { mesh, pose } = object;
      const facing = orientationOf(mesh);
      for (const triangle of triangles) {
        const corners = cornersOf(mesh, pose, triangle);
        const [a, b, c] = [0, 3, 6].map((at) => corners.subarray(at, at + 3));
        const normal = cross(plus(b, a, -1), plus(c, a, -1));
        const slope = dot(normal, up) / lengthOf(normal);
        if (!(Math.abs(slope) >= this.#flat) || slope * facing < 0) continue;
        const near = new Float64Array(3);
        closestPointOnTriangle(from, 0, corners, 0, near, 0);
        const away = plus(near, feet, -1);
        const height = dot(away, up);
        const aside = lengthOf(plus(away, up, -height));
        if (aside <= reach && Math.abs(height) <= stepHeight) spots.push({ aside, height });
      }
    }
    // the highest first, as rays find it
    return spots.sort((one, other) => other.height - one.height);
  }
}

/** A point of the floor: how far from below the feet, and how high above them. */
interface Spot {
  readonly aside: number;
  readonly height: number;
}

function cornersOf({ storedPositions: p, storedIndices, origin }: Mesh, pose: RigidPose, triangle: number) {
  const out = new Float64Array(9);
  for (let k = 0; k < 3; k++) {
    const v = 3 * storedIndices[3 * triangle + k];
    posePoint(pose, p[v] + origin[0], p[v + 1] + origin[1], p[v + 2] + origin[2], out, 3 * k);
  }
  return out;
}
