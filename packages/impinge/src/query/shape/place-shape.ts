/** Shapes of the world in the numbers of a mesh that is somewhere. */
import { arena } from '../../base/arena.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { MeshHeader } from '../../kernel/layout.generated.js';
import type { Mesh } from '../../mesh/mesh.js';
import { halfSpaceShape, hullShape, largest } from './convex-shape.js';
import type { LocalShape, RoundShape } from './local-shape.js';
import { HERE, type MeshPlace } from './mesh-place.js';
import { ShapeBlock } from './shape-block.js';
import { type BoxWorldShape, poseAll, type RoundWorldShape, type WorldShape } from './shape-input.js';

/** A shape in the numbers of a mesh. */
export interface PlacedShape {
  readonly shape: LocalShape;
  /** Normal and offset where it is a half-space. */
  readonly halfSpace?: readonly number[];
  /**
   * The shape only encloses the one meant, which in these numbers is no sphere or capsule: triangles are to be decided
   * in the world.
   */
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
  if (world.form === 'cylinder') {
    // the capsule around it
    const { axis, radius } = world;
    return { ...placeRound({ form: 'round', axis, radius }, mesh, place, size), encloses: true };
  }
  if (world.form === 'box') {
    const block = kernelSupported() ? ShapeBlock.takeBox(mesh, world, place) : undefined;
    if (block) {
      const shape = block.box();
      block.release();
      return { shape, encloses: false };
    }
  }
  const points = world.form === 'box' ? cornersOfBox(world) : new Float64Array(world.points);
  toMesh(points, mesh, place);
  return { shape: hullShape(points, size), encloses: false };
}

/** Corners in the world, with x counted fastest, then y. */
export function cornersOfBox({ ends, pose }: BoxWorldShape): Float64Array {
  const points = new Float64Array(24);
  for (let c = 0; c < 8; c++) {
    for (let k = 0; k < 3; k++) points[3 * c + k] = ends[(c >> k) & 1 ? 3 + k : k];
  }
  if (pose) poseAll(points, pose);
  return points;
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

/** The largest of the mesh's stored numbers. */
export function largestOf(mesh: Mesh): number {
  const floats = arena().f32();
  let most = 0;
  for (let i = 0, at = (mesh.block >>> 2) + MeshHeader.box; i < 6; i++)
    most = Math.max(most, Math.abs(floats[at + i]));
  return most;
}
