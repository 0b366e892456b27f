/** Shapes of the world in the numbers of a mesh that is somewhere. */
import { arena } from '../../base/arena.js';
import { invertLinear, type LinearPose, RIGID, readLinearPose, type Stretch } from '../../math/linear-map.js';
import { carvePose, IDENTITY, type Pose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshHeader } from '../../mesh/mesh-layout.js';
import { boxAround, boxShape, halfSpaceShape, hullShape, largest } from './convex-shape.js';
import type { LocalShape, RoundShape } from './local-shape.js';
import { posed, type WorldShape } from './shape-input.js';

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
  const points = toMesh(world.points, mesh, place);
  if (!world.isBox) return { shape: hullShape(points, size), encloses: false };
  return { shape: boxShape(mirrored(points) ? swapped(points) : points, size), encloses: false };
}

/** Without a radius, a sphere is a point and a capsule a segment: hulls, about which decisions are exact. */
function placeRound(
  { axis, radius }: { readonly axis: Float64Array; readonly radius: number },
  mesh: Mesh,
  place: MeshPlace,
  size: number,
): PlacedShape {
  const ends = toMesh(axis, mesh, place);
  if (radius === 0) return { shape: hullShape(ends, size), encloses: false };
  const { stretch } = place;
  const even = stretch.rigid || stretch.scale > 0;
  const local = even ? radius / stretch.scale : radius * stretch.leastInverse * (1 + 1e-12);
  return { shape: roundShape(ends, local, Math.max(size, largest(place.pose.subarray(9)))), encloses: !even };
}

export function roundShape(axis: Float64Array, radius: number, size: number): RoundShape {
  const most = Math.max(size, largest(axis));
  const reach = radius * (1 + 1e-14) + 3e-15 * most;
  const isPoint = axis[0] === axis[3] && axis[1] === axis[4] && axis[2] === axis[5];
  return { kind: isPoint ? 0 : 1, axis, radius, reach, box: boxAround(axis, reach), blur: 0 };
}

function toMesh(points: Float64Array, { origin }: Mesh, { back }: MeshPlace): Float64Array {
  const out = back === HERE.back ? Float64Array.from(points) : posed(points, back);
  for (let i = 0; i < out.length; i++) out[i] -= origin[i % 3];
  return out;
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
  const at = (mesh.block >>> 2) + MeshHeader.box;
  return largest(
    arena()
      .f32()
      .subarray(at, at + 6),
  );
}
