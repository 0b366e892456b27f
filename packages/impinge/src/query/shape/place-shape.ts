/** Shapes of the world in the numbers of a mesh that is somewhere. */
import { arena } from '../../base/arena.js';
import { invertLinear, type LinearPose, RIGID, readLinearPose, type Stretch } from '../../math/linear-map.js';
import { carvePose, IDENTITY, type Pose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshHeader } from '../../mesh/mesh-layout.js';
import { boxShape, halfSpaceShape, hullShape, largest } from './convex-shape.js';
import type { LocalShape, RoundShape } from './local-shape.js';
import { poseAll, type RoundWorldShape, type WorldShape } from './shape-input.js';

/** Where a mesh is: its pose, and what undoes it. */
export interface MeshPlace {
  readonly pose: LinearPose;
  readonly back: LinearPose;
  readonly stretch: Stretch;
}

const HERE: MeshPlace = { pose: IDENTITY as LinearPose, back: IDENTITY as LinearPose, stretch: RIGID };

export function readPlace(pose: Pose | undefined): MeshPlace {
  if (pose === undefined) return HERE;
  const read = carvePose();
  const stretch = readLinearPose(pose, read);
  return { pose: read, back: invertLinear(read), stretch };
}

/** A shape in the numbers of a mesh. */
export interface PlacedShape {
  readonly shape: LocalShape;
  /** Normal and offset where it is a half-space. */
  readonly halfSpace?: readonly number[];
  /** The shape only encloses the one meant, which in these numbers is no sphere or capsule: triangles are to be decided in the world. */
  readonly encloses: boolean;
}

export function placeShape(world: WorldShape, mesh: Mesh, place: MeshPlace): PlacedShape {
  const size = largestOf(mesh);
  if (world.form === 'half-space') {
    const [nx, ny, nz] = world.normal;
    const { pose, pose: p } = place;
    const normal = [0, 1, 2].map((k) => p[k] * nx + p[3 + k] * ny + p[6 + k] * nz);
    const [ox, oy, oz] = mesh.origin;
    const moved = nx * pose[9] + ny * pose[10] + nz * pose[11];
    const offset = world.offset - moved - (normal[0] * ox + normal[1] * oy + normal[2] * oz);
    return { shape: halfSpaceShape(normal, offset, size), halfSpace: [...normal, offset], encloses: false };
  }
  if (world.form === 'round') return placeRound(world, mesh, place, size);
  const points = new Float64Array(world.points);
  toMesh(points, mesh, place);
  if (!world.isBox) return { shape: hullShape(points, size), encloses: false };
  return { shape: boxShape(mirrored(points) ? swapped(points) : points, size), encloses: false };
}

/** Without a radius, a sphere is a point and a capsule a segment: hulls, about which decisions are exact. */
function placeRound(
  { axis, radius }: RoundWorldShape,
  mesh: Mesh,
  place: MeshPlace,
  size: number,
): PlacedShape {
  const ends = axis.slice();
  toMesh(ends, mesh, place);
  if (radius === 0) return { shape: hullShape(Float64Array.from(ends), size), encloses: false };
  const { stretch, pose } = place;
  const even = stretch.rigid || stretch.scale > 0;
  const local = even ? radius / stretch.scale : radius * stretch.leastInverse * (1 + 1e-12);
  const far = Math.max(size, Math.abs(pose[9]), Math.abs(pose[10]), Math.abs(pose[11]));
  return { shape: roundShape(ends, local, far), encloses: !even };
}

export function roundShape(axis: readonly number[], radius: number, size: number): RoundShape {
  const reach = radius * (1 + 1e-14) + 3e-15 * Math.max(size, largest(axis));
  const [ax, ay, az, bx, by, bz] = axis;
  const box = [
    Math.min(ax, bx) - reach,
    Math.min(ay, by) - reach,
    Math.min(az, bz) - reach,
    Math.max(ax, bx) + reach,
    Math.max(ay, by) + reach,
    Math.max(az, bz) + reach,
  ];
  return { kind: ax === bx && ay === by && az === bz ? 0 : 1, axis, radius, reach, box, blur: 0 };
}

/** Takes points of the world to the mesh's numbers, in place. */
function toMesh(points: Float64Array | number[], { origin }: Mesh, { back }: MeshPlace): void {
  if (back !== HERE.back) poseAll(points, back);
  for (let i = 0; i < points.length; i += 3) {
    points[i] -= origin[0];
    points[i + 1] -= origin[1];
    points[i + 2] -= origin[2];
  }
}

/** Whether the corners of a box turn the other way than they are listed. */
function mirrored(p: Float64Array): boolean {
  const [ux, uy, uz] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
  const [vx, vy, vz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
  const [wx, wy, wz] = [p[12] - p[0], p[13] - p[1], p[14] - p[2]];
  return wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx) < 0;
}

/** The corners of a box with x counted the other way. */
function swapped(p: Float64Array): Float64Array {
  return p.map((_, i) => p[i + (Math.floor(i / 3) % 2 ? -3 : 3)]);
}

/** The largest of the mesh's stored numbers. */
export function largestOf(mesh: Mesh): number {
  const floats = arena().f32();
  let most = 0;
  for (let i = 0, at = (mesh.block >>> 2) + MeshHeader.box; i < 6; i++)
    most = Math.max(most, Math.abs(floats[at + i]));
  return most;
}
