/**
 * What encloses a body for proofs: a convex solid, known by how far it reaches along a direction.
 *
 * Idea: a body is inside the hull of some points and whatever lies within a radius of them, or inside a cylinder. How
 * far that reaches is a sum of products, nothing of it has to be searched for or trusted.
 */
import type { Mesh } from 'impinge';
import { HullBuilder } from 'impinge/internal/geometry/hull/hull-builder.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { FarthestPoints } from './farthest-points.js';

/** Meshes of more vertices are enclosed by their boxes. */
const MOST_VERTICES = 4096;
/** Up to so many points are all looked at. */
const FEW = 16;
/** Of a direction: what is less across an axis is none. */
const NOTHING = 1e-15;

export class ConvexSolid {
  /** Three numbers each; of a cylinder the middles of its ends. */
  readonly points: Float64Array;
  /** Of all around the points. */
  readonly radius: number;
  /** Of the disks about the two points of a cylinder; 0 for all others. */
  readonly disk: number;
  /** Unit vector along a cylinder. */
  readonly axis: Float64Array;
  /** Undefined: there are few points. */
  readonly farthest: FarthestPoints | undefined;
  /** A sphere around it. */
  readonly centre: Float64Array = new Float64Array(3);
  readonly reach: number;
  /** The point that `extent` found last, without the radius. */
  x = 0;
  y = 0;
  z = 0;

  constructor(points: Float64Array, radius: number, disk = 0) {
    this.points = points;
    this.radius = radius;
    this.disk = disk;
    const [ax, ay, az] = [0, 1, 2].map((k) => points[points.length - 3 + k] - points[k]);
    const length = Math.hypot(ax, ay, az) || 1;
    this.axis = Float64Array.of(ax / length, ay / length, az / length);
    for (let k = 0; k < 3; k++) {
      const along = points.filter((_, i) => i % 3 === k);
      this.centre[k] = 0.5 * (Math.min(...along) + Math.max(...along));
    }
    let most = 0;
    for (let i = 0; i < points.length; i += 3) {
      const dx = points[i] - this.centre[0];
      const dy = points[i + 1] - this.centre[1];
      const dz = points[i + 2] - this.centre[2];
      most = Math.max(most, dx * dx + dy * dy + dz * dz);
    }
    this.reach = Math.sqrt(most + disk * disk) + radius;
    this.farthest = points.length > 3 * FEW ? new FarthestPoints(points, this.reach) : undefined;
  }

  /** The farthest along a direction of any length, and where: without the radius around the points. */
  extent(nx: number, ny: number, nz: number): number {
    const { points } = this;
    let most = -Infinity;
    let best = 0;
    if (this.farthest) {
      const candidates = this.farthest.near(nx, ny, nz);
      for (let c = 0; c < candidates.length; c++) {
        const i = candidates[c];
        const along = points[i] * nx + points[i + 1] * ny + points[i + 2] * nz;
        if (along > most) {
          most = along;
          best = i;
        }
      }
    } else {
      for (let i = 0; i < points.length; i += 3) {
        const along = points[i] * nx + points[i + 1] * ny + points[i + 2] * nz;
        if (along > most) {
          most = along;
          best = i;
        }
      }
    }
    this.x = points[best];
    this.y = points[best + 1];
    this.z = points[best + 2];
    return this.disk === 0 ? most : most + this.#diskExtent(nx, ny, nz);
  }

  /** Of the disk about the point found. */
  #diskExtent(nx: number, ny: number, nz: number): number {
    const axis = this.axis;
    const along = nx * axis[0] + ny * axis[1] + nz * axis[2];
    let [dx, dy, dz] = [nx - along * axis[0], ny - along * axis[1], nz - along * axis[2]];
    // what rounding leaves of a direction along the axis need not be across it
    const rest = dx * axis[0] + dy * axis[1] + dz * axis[2];
    dx -= rest * axis[0];
    dy -= rest * axis[1];
    dz -= rest * axis[2];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (length > NOTHING * Math.abs(along)) {
      const k = this.disk / length;
      this.x += k * dx;
      this.y += k * dy;
      this.z += k * dz;
    }
    return this.disk * length;
  }

  /** The same solid somewhere else; a pose that scales is for points without a radius. */
  posed(pose: RigidPose): ConvexSolid {
    const points = new Float64Array(this.points.length);
    for (let i = 0; i < points.length; i += 3) {
      posePoint(pose, this.points[i], this.points[i + 1], this.points[i + 2], points, i);
    }
    return new ConvexSolid(points, this.radius, this.disk);
  }
}

/** The hull of a mesh's vertices; its box where there are very many. */
export function hullOfMesh(mesh: Mesh): ConvexSolid {
  const { storedPositions, vertexCount, origin, box } = mesh;
  if (vertexCount > MOST_VERTICES) return boxSolid(box.min, box.max);
  const all = Float64Array.from(storedPositions, (x, i) => x + origin[i % 3]);
  const ids = distinct(all);
  const hull = new HullBuilder();
  hull.build(all, ids, ids.length);
  const points = new Float64Array(3 * hull.vertexCount);
  for (let i = 0; i < hull.vertexCount; i++) {
    points.set(all.subarray(3 * hull.vertices[i], 3 * hull.vertices[i] + 3), 3 * i);
  }
  return new ConvexSolid(points, 0);
}

export function boxSolid(min: ArrayLike<number>, max: ArrayLike<number>): ConvexSolid {
  const corners = Float64Array.from({ length: 24 }, (_, i) => ((i / 3) & (1 << (i % 3)) ? max : min)[i % 3]);
  return new ConvexSolid(corners, 0);
}

/** One vertex for each place. */
export function distinct(points: Float64Array): number[] {
  const seen = new Map<string, number>();
  for (let i = 0; i < points.length; i += 3) {
    const key = `${points[i]} ${points[i + 1]} ${points[i + 2]}`;
    if (!seen.has(key)) seen.set(key, i / 3);
  }
  return [...seen.values()];
}
