/**
 * How a shape touches a triangle where it is: which way it has to move to be free of it, and how far.
 *
 * Idea: of planes that could keep them apart, the one that takes the least: that of the triangle, those around a convex
 * shape, or the one between a capsule's axis and the triangle. Moving along its normal by the depth leaves it between
 * the two.
 */
import type { ConvexShape, LocalShape, RoundShape } from './local-shape.js';
import { gapTo } from './shape-distance.js';

export interface StartContact {
  /** Of length 1, the way for the shape to move. */
  readonly normal: Float64Array;
  readonly depth: number;
}

/** Of a triangle that meets the shape, in the mesh's numbers. */
export function startContact(shape: LocalShape, triangle: Float64Array): StartContact {
  const own = ownPlane(shape, triangle);
  const other = shape.kind === 2 ? shapePlane(shape, triangle) : axisPlane(shape, triangle);
  return own && (!other || own.depth < other.depth)
    ? own
    : (other ?? { normal: Float64Array.of(0, 0, 1), depth: 0 });
}

/** By the triangle's own plane, to the side that is nearer. */
function ownPlane(shape: LocalShape, t: Float64Array): StartContact | undefined {
  const [ux, uy, uz] = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const [vx, vy, vz] = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  const normal = unit(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  if (!normal) return undefined;
  const [nx, ny, nz] = normal;
  const points = shape.kind === 2 ? shape.points : shape.axis;
  const radius = shape.kind === 2 ? 0 : shape.radius;
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const side = nx * (points[i] - t[0]) + ny * (points[i + 1] - t[1]) + nz * (points[i + 2] - t[2]);
    least = Math.min(least, side);
    most = Math.max(most, side);
  }
  const [up, down] = [radius - least, radius + most];
  return up <= down
    ? { normal, depth: Math.max(0, up) }
    : { normal: turned(normal), depth: Math.max(0, down) };
}

/** By the plane of the shape that the triangle is least below. */
function shapePlane({ planes }: ConvexShape, t: Float64Array): StartContact | undefined {
  let best: StartContact | undefined;
  for (let p = 0; p < planes.length; p += 5) {
    const [nx, ny, nz, offset] = planes.subarray(p, p + 4);
    const depth = Math.max(0, ...[0, 3, 6].map((i) => offset - nx * t[i] - ny * t[i + 1] - nz * t[i + 2]));
    if (!best || depth < best.depth) best = { normal: Float64Array.of(-nx, -ny, -nz), depth };
  }
  return best;
}

/** By the way from the triangle to a capsule's axis; none where that passes through it. */
function axisPlane(shape: RoundShape, t: Float64Array): StartContact | undefined {
  const { core, way } = gapTo({ shape, encloses: false }, t);
  const normal = unit(-way[0], -way[1], -way[2]);
  return normal && core > 1e-9 * shape.radius
    ? { normal, depth: Math.max(0, shape.radius - core) }
    : undefined;
}

function unit(x: number, y: number, z: number): Float64Array | undefined {
  const length = Math.hypot(x, y, z);
  return length > 0 ? Float64Array.of(x / length, y / length, z / length) : undefined;
}

function turned(v: Float64Array): Float64Array {
  return v.map((x) => -x);
}
