/**
 * Hulls that reach under the patches beside them, so that hulls below stick out less.
 *
 * Patches move along the surface as it becomes coarser: what is below a patch sticks out of its hull by a fraction of
 * an edge, many times more than the surface deviates. But a hull may be larger than its patch's, if it keeps what makes
 * it one: no vertex is above a triangle of the patch, and no triangle of the surface enters its interior. Then it lies
 * in the solid: its interior meets no surface, and just below a triangle of the patch it is inside. A flat cell of a
 * hollow surface, whose neighbours rise from it, can so become as wide as what is below it.
 * What sticks out most is taken in first: moved below the triangles of the patch and, where the surface is convex,
 * below those beside it; then deeper, and back towards the patch, until the hull is clear. Both are decided by exact
 * signs, so where a point is tried is a matter of quality only.
 */
import { beforeOf, SPARE_VERTICES } from './closed-surface.js';
import { type ConvexPatch, type ConvexPatches, MAX_HULL_VERTICES } from './convex-patches.js';
import type { DraftNode } from './draft.js';
import { HullDistance } from './hull-distance.js';
import { sideOf } from './side.js';

/** Shares of the way from the hull to a point, and depths as shares of what sticks out. */
const PLACES = [1, 0.5, 0.25].flatMap((way) => [0, 0.25, 0.5].map((deep) => [way, way * deep] as const));
/** A point that comes nearer to the hull than this share of what sticks out is above the patch, not beside it. */
const LEAST_BESIDE = 0.25;
/** How far points are moved below the triangles, as a share of what sticks out. */
const MARGIN = 1e-3;
const SWEEPS = 24;

export type Widened = Pick<DraftNode, 'points' | 'faces' | 'support'>;

/** The hull of a node and as much as can be taken in of the vertices below it; undefined if it stays as it is. */
export function widen(
  node: DraftNode,
  patch: ConvexPatch,
  patches: ConvexPatches,
  points: Float64Array,
): Widened | undefined {
  const { x } = patches.surface;
  const planes = planesAbout(patches, patch);
  const inward = inwardOf(patches, patch);
  const q = new Float64Array(3);
  let now = patch;
  let hull = new HullDistance(node.points, node.faces);
  let outside = Array.from({ length: points.length / 3 }, (_, i) => 3 * i);
  for (let spare = x.length / 3 - SPARE_VERTICES; 3 * spare < x.length; spare++) {
    let [worst, far] = [0, 0];
    outside = outside.filter((at) => {
      const by = hull.from(points, at, 0);
      if (by > far) [worst, far] = [at, by];
      return by > 0;
    });
    // the surface itself is off by as much
    if (far <= node.s) break;
    q.set(points.subarray(worst, worst + 3));
    moveBelow(q, planes, MARGIN * far);
    if (hull.from(q, 0, 0) < LEAST_BESIDE * far) break;
    const from = 3 * nearestVertex(x, now.vertices, q);
    const isTaken = PLACES.some(([way, deep]) => {
      for (let k = 0; k < 3; k++) {
        x[3 * spare + k] = Math.fround(x[from + k] + way * (q[k] - x[from + k]) + deep * far * inward[k]);
      }
      const next = withVertex(patches, patch, now.vertices, spare);
      if (next) now = next;
      return next;
    });
    if (!isTaken) break;
    hull = new HullDistance(...shapeOf(x, now));
  }
  if (now === patch) return undefined;
  const [corners, faces] = shapeOf(x, now);
  return { points: corners, faces, support: supportOf(node, patch, now) };
}

/** The hull of vertices and one more, if it is one of the patch; v is a vertex of no triangle. */
function withVertex(
  patches: ConvexPatches,
  { triangles }: ConvexPatch,
  vertices: Int32Array,
  v: number,
): ConvexPatch | undefined {
  const { x, corner } = patches.surface;
  if (vertices.length === MAX_HULL_VERTICES) return undefined;
  for (const t of triangles) {
    if (sideOf(x, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2], v) > 0) return undefined;
  }
  const made = patches.made(triangles, [...vertices, v]);
  // a flat hull has no interior that tells whether it is in the solid
  return made?.solid && made.vertices.includes(v) && patches.isClear(made) ? made : undefined;
}

/** Unit normals of a patch's triangles and of those beside it at convex edges, each with the value of its plane. */
function planesAbout({ surface, patchOf }: ConvexPatches, { triangles }: ConvexPatch): number[] {
  const { x, corner, across } = surface;
  const all = new Set(triangles);
  for (const t of triangles) {
    for (let h = 3 * t; h < 3 * t + 3; h++) {
      const other = Math.floor(across[h] / 3);
      if (patchOf[other] === patchOf[t]) continue;
      const apex = corner[beforeOf(across[h])];
      if (sideOf(x, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2], apex) < 0) all.add(other);
    }
  }
  const planes: number[] = [];
  for (const t of all) {
    const [nx, ny, nz] = normalOf(x, corner, t);
    const length = Math.hypot(nx, ny, nz);
    if (!(length > 0)) continue;
    const a = 3 * corner[3 * t];
    const along = nx * x[a] + ny * x[a + 1] + nz * x[a + 2];
    planes.push(nx / length, ny / length, nz / length, along / length);
  }
  return planes;
}

/** The unit vector against the sum of the normals of a patch, weighted by area; zeros if there is none. */
function inwardOf({ surface: { x, corner } }: ConvexPatches, { triangles }: ConvexPatch): number[] {
  const sum = [0, 0, 0];
  for (const t of triangles) {
    const n = normalOf(x, corner, t);
    for (let k = 0; k < 3; k++) sum[k] -= n[k];
  }
  const length = Math.hypot(...sum);
  return sum.map((n) => (length > 0 ? n / length : 0));
}

function normalOf(x: Float64Array, corner: Int32Array, t: number): [number, number, number] {
  const [a, b, c] = [3 * corner[3 * t], 3 * corner[3 * t + 1], 3 * corner[3 * t + 2]];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Moves a point below planes, by projecting onto one after the other. */
function moveBelow(p: Float64Array, planes: readonly number[], margin: number): void {
  for (let sweep = 0, moved = true; moved && sweep < SWEEPS; sweep++) {
    moved = false;
    for (let i = 0; i < planes.length; i += 4) {
      const over = planes[i] * p[0] + planes[i + 1] * p[1] + planes[i + 2] * p[2] - planes[i + 3];
      if (over <= -margin / 2) continue;
      moved = true;
      for (let k = 0; k < 3; k++) p[k] -= (over + margin) * planes[i + k];
    }
  }
}

function nearestVertex(x: Float64Array, vertices: Int32Array, q: Float64Array): number {
  let [best, least] = [-1, Infinity];
  for (const v of vertices) {
    const sq = (x[3 * v] - q[0]) ** 2 + (x[3 * v + 1] - q[1]) ** 2 + (x[3 * v + 2] - q[2]) ** 2;
    if (sq < least) [best, least] = [v, sq];
  }
  return best;
}

function shapeOf(
  x: Float64Array,
  { vertices, faces }: ConvexPatch,
): [points: Float64Array, faces: Int32Array] {
  const place = new Map(Array.from(vertices, (v, i) => [v, i]));
  const points = new Float64Array(3 * vertices.length);
  vertices.forEach((v, i) => {
    points.set(x.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  return [points, faces.map((v) => place.get(v) as number)];
}

/** Vertices of the surface keep their support areas, others have the mean of those. */
function supportOf({ support }: DraftNode, patch: ConvexPatch, { vertices }: ConvexPatch): Float64Array {
  const areas = new Map(Array.from(patch.vertices, (v, i) => [v, support[i]]));
  const mean = support.reduce((sum, area) => sum + area, 0) / support.length;
  return Float64Array.from(vertices, (v) => areas.get(v) ?? mean);
}
