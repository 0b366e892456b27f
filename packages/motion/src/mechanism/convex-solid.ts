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
  /** How far what it stands for, as its inside (inner-solid.ts), reaches beyond planes that it is behind; else 0. */
  readonly skin: number;
  #width: number | undefined;
  /** The point that `extent` found last, without the radius. */
  x = 0;
  y = 0;
  z = 0;

  constructor(
    points: Float64Array,
    radius: number,
    disk = 0,
    inside?: { readonly skin: number; readonly width: number },
  ) {
    this.points = points;
    this.radius = radius;
    this.disk = disk;
    this.skin = inside?.skin ?? 0;
    this.#width = inside?.width;
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

  /** At most its width along any direction. */
  get width(): number {
    return (this.#width ??= widthOf(this));
  }

  /** Whether something that is as wide may be in what this stands for, without meeting this. */
  hides(other: ConvexSolid): boolean {
    // twice: rounding
    return this.skin > 0 && other.width <= 2 * this.skin;
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

  /** The same solid somewhere else; a pose that scales is for points without a radius or a skin. */
  posed(pose: RigidPose): ConvexSolid {
    const points = new Float64Array(this.points.length);
    for (let i = 0; i < points.length; i += 3) {
      posePoint(pose, this.points[i], this.points[i + 1], this.points[i + 2], points, i);
    }
    return new ConvexSolid(points, this.radius, this.disk, this.skin > 0 ? this : undefined);
  }
}

function widthOf({ points, radius, disk }: ConvexSolid): number {
  if (radius > 0) return 2 * radius;
  if (disk > 0) return Math.min(2 * disk, Math.hypot(...[0, 1, 2].map((k) => points[3 + k] - points[k])));
  const faces = points.length < 12 ? [] : facesOf(points);
  if (faces.length < 16) return 0;
  const middle = middleOf(points);
  let depth = Infinity;
  for (let f = 0; f < faces.length; f += 4)
    depth = Math.min(depth, faces[f + 3] - middle.reduce((sum, x, k) => sum + x * faces[f + k], 0));
  return depth > 0 ? 2 * depth : 0;
}

/** Whether `hullOfMesh` is its hull. */
export function isHullOf({ vertexCount }: Mesh): boolean {
  return vertexCount <= MOST_VERTICES;
}

/** The hull of a mesh's vertices; its box where there are very many. */
export function hullOfMesh(mesh: Mesh): ConvexSolid {
  const { storedPositions, origin, box } = mesh;
  if (!isHullOf(mesh)) return boxSolid(box.min, box.max);
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

/** The mean of some points. */
export function middleOf(points: Float64Array): number[] {
  const middle = [0, 0, 0];
  for (let i = 0; i < points.length; i++) middle[i % 3] += points[i];
  return middle.map((sum) => (3 * sum) / points.length);
}

/** Outward unit normals of a hull's faces and how far these are along them: four numbers each. */
export function facesOf(points: Float64Array): Float64Array {
  const hull = new HullBuilder();
  const count = points.length / 3;
  hull.build(
    points,
    Array.from({ length: count }, (_, i) => i),
    count,
  );
  const out = new Float64Array(4 * hull.faceCount);
  for (let f = 0; f < hull.faceCount; f++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * hull.corners[3 * f + k]);
    const [u, v] = [b, c].map((at) => [0, 1, 2].map((k) => points[at + k] - points[a + k]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal);
    for (let k = 0; k < 3; k++) out[4 * f + k] = normal[k] / length;
    out[4 * f + 3] = (normal[0] * points[a] + normal[1] * points[a + 1] + normal[2] * points[a + 2]) / length;
  }
  return out;
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
