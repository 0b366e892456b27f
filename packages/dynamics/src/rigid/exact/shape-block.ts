/** A contact shape as kernels see it: a header and its tables, and its leaves, in the arena. */
import { arena } from 'impinge/internal/base/arena.js';
import { completeHierarchy } from 'impinge/internal/hierarchy/build-obb.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import type { ConvexRows } from '../shapes/convex-rows.js';
import { contactsKernels } from './kernels.generated.js';
import { CONE_BYTES, LEAF_BYTES, S, SHAPE_BYTES } from './layout.generated.js';
import type { OwnedMemory } from './owned-memory.js';

/** Relative to coordinates: more than the rounding of a box posed near another. */
const ROUNDING = 1e-12;

/** Tables by the field with their address; those of float64 come first, so that all are aligned. */
const TABLES = [
  'vertices',
  'planes',
  'sides',
  'edgeInward',
  'spokes',
  'corners',
  'facet',
  'edgeOf',
  'edgeEnds',
  'spokeStart',
  'owned',
  'whole',
] as const;

/** The tables of a contact shape used by kernels. */
export type ShapeTables = Readonly<
  Record<(typeof TABLES)[number], Float64Array | Uint32Array | Uint8Array> & {
    mesh: Mesh;
    centre: Vec3;
    arm: number;
    flatness: number;
    closed: boolean;
    convex: ConvexRows | undefined;
  }
>;

/** Lays a shape out. Its tree is complete afterwards: kernels do not build any. */
export function layOutShape(shape: ShapeTables, owner: OwnedMemory): number {
  const { mesh, centre, arm, closed, convex } = shape;
  const tree = hierarchyOf(mesh);
  completeHierarchy(tree);
  const { countLeaves, layOutLeaves, writeCones } = contactsKernels.kernels();
  const leaves = owner.alloc(LEAF_BYTES * countLeaves(tree.block));
  const leafOf = owner.alloc(4 * shape.facet.length);
  const edgeCount = shape.edgeEnds.length / 2;
  const edgeCone = owner.alloc(CONE_BYTES * edgeCount);
  const block = owner.alloc(TABLES.reduce((sum, name) => sum + shape[name].byteLength, SHAPE_BYTES));
  const memory = arena();
  const bytes = memory.u8();
  const words = memory.u32();
  let at = block + SHAPE_BYTES;
  for (const name of TABLES) {
    const { buffer, byteOffset, byteLength } = shape[name];
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    words[(block + S[name]) >>> 2] = at;
    at += byteLength;
  }
  words[(block + S.tree) >>> 2] = tree.block;
  words[(block + S.leafOf) >>> 2] = leafOf;
  words[(block + S.edgeCone) >>> 2] = edgeCone;
  words[(block + S.closed) >>> 2] = closed ? 1 : 0;
  const doubles = memory.f64();
  doubles[(block + S.radius) >>> 3] = arm;
  doubles[(block + S.flatness) >>> 3] = shape.flatness;
  const { min, max } = mesh.box;
  for (let k = 0; k < 3; k++) {
    doubles[((block + S.centre) >>> 3) + k] = centre[k] - mesh.origin[k];
    doubles[((block + S.box) >>> 3) + k] = 0.5 * (min[k] + max[k]) - centre[k];
    // and more than rounding does
    const size = Math.abs(min[k]) + Math.abs(max[k]) + Math.abs(centre[k]);
    doubles[((block + S.box) >>> 3) + 3 + k] = 0.5 * (max[k] - min[k]) + ROUNDING * (size + arm);
  }
  words.fill(0, (block + S.hull) >>> 2, ((block + S.hull) >>> 2) + 1);
  if (convex) {
    const hull = owner.alloc(convex.rows.byteLength);
    arena()
      .f32()
      .set(convex.rows, hull >>> 2);
    words[(block + S.hull) >>> 2] = hull;
    words[(block + S.hullStride) >>> 2] = convex.stride;
    words[(block + S.hullTriangles) >>> 2] = shape.facet.length;
    // corners in front of facets are no farther from their hull
    doubles[(block + S.flatness) >>> 3] += convex.off;
  }
  layOutLeaves(block, leaves);
  writeCones(block, edgeCount);
  return block;
}
