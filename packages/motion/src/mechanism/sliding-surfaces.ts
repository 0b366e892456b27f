/**
 * Meshes that stand for two bodies where their solids do not tell that they keep apart: as a drawer and its cabinet, of
 * which one is in the hull of the other.
 *
 * A solid is less than `off` from its mesh: that of what is round is its axis, that of a cylinder a prism inside. So as
 * long as the meshes are more than the sum of both apart, nothing of the two surfaces meets.
 */
import { Mesh } from 'impinge';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import type { ConvexSolid } from './convex-solid.js';
import { hullOf } from './drawn-body.js';
import type { Surface } from './link-body.js';

export interface SlidingSurfaces {
  readonly a: PlacedMesh;
  readonly b: PlacedMesh;
  /** The bodies reach beyond their meshes by less than this, together. */
  readonly off: number;
}

export interface PlacedMesh {
  readonly mesh: Mesh;
  /** In the frame of what bears it. */
  readonly pose: RigidPose;
}

/** Sides of a prism. */
const MOST_SIDES = 1024;
const ROUNDED_UP = 1 + 1e-12;

/** As of a `BodyPair`. */
interface Pair {
  readonly isSolid: boolean;
  readonly surfaceA: Surface | undefined;
  readonly surfaceB: Surface | undefined;
  readonly solidA: ConvexSolid;
  readonly solidB: ConvexSolid;
}

/** Of a pair; `fine` is what they may be off. Undefined where its solids decide, or there are no such meshes. */
export function slidingSurfaces(pair: Pair, fine: number): SlidingSurfaces | undefined {
  if (pair.isSolid) return undefined;
  const a = meshOf(pair.surfaceA, pair.solidA, fine);
  const b = meshOf(pair.surfaceB, pair.solidB, fine);
  return a && b && { a, b, off: a.off + b.off };
}

function meshOf(
  surface: Surface | undefined,
  solid: ConvexSolid,
  fine: number,
): (PlacedMesh & { readonly off: number }) | undefined {
  if (surface) return { mesh: surface.mesh, pose: surface.pose, off: 0 };
  const { points, radius, disk } = solid;
  if (radius > 0) {
    const last = points.subarray(points.length - 3);
    return rounded(Float64Array.of(...points.subarray(0, 3), ...last, ...last), [0, 1, 2], radius);
  }
  if (disk > 0) return prismIn(solid, fine);
  const { points: own, corners } = hullOf(solid);
  return own.length > 0 ? rounded(own, corners, 0) : undefined;
}

/** The sagitta of a side is what the cylinder reaches beyond it. */
function prismIn({ points, disk, axis }: ConvexSolid, fine: number) {
  const sides = Math.ceil(Math.PI / Math.acos(Math.max(0, 1 - fine / disk)));
  if (!(sides <= MOST_SIDES)) return undefined;
  const count = Math.max(3, sides);
  const [x, y] = across(axis);
  const positions = new Float64Array(6 * count);
  const corners: number[] = [];
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const [c, s] = [disk * Math.cos(angle), disk * Math.sin(angle)];
    for (let k = 0; k < 6; k++) positions[6 * i + k] = points[k] + c * x[k % 3] + s * y[k % 3];
    const next = (i + 1) % count;
    corners.push(2 * i, 2 * next, 2 * i + 1, 2 * next, 2 * next + 1, 2 * i + 1);
    if (i > 1) corners.push(0, 2 * i, 2 * i - 2, 1, 2 * i - 1, 2 * i + 1);
  }
  return rounded(positions, corners, disk * (1 - Math.cos(Math.PI / count)));
}

/** Two unit vectors across a third, and each other. */
function across(axis: Float64Array): [number[], number[]] {
  const least = [0, 1, 2].reduce((a, b) => (Math.abs(axis[b]) < Math.abs(axis[a]) ? b : a));
  const [u, v, w] = axis;
  const first = [
    [0, w, -v],
    [-w, 0, u],
    [v, -u, 0],
  ][least];
  const length = Math.hypot(...first);
  const x = first.map((part) => part / length);
  return [x, [v * x[2] - w * x[1], w * x[0] - u * x[2], u * x[1] - v * x[0]]];
}

/** A mesh, which rounds its corners. */
function rounded(positions: Float64Array, corners: ArrayLike<number>, off: number) {
  const mesh = Mesh.from({ positions, indices: Uint32Array.from(corners) });
  const { storedPositions, origin } = mesh;
  let mostSq = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const d = (k: number) => storedPositions[i + k] + origin[k] - positions[i + k];
    mostSq = Math.max(mostSq, d(0) ** 2 + d(1) ** 2 + d(2) ** 2);
  }
  return { mesh, pose: IDENTITY as RigidPose, off: (off + Math.sqrt(mostSq)) * ROUNDED_UP };
}
