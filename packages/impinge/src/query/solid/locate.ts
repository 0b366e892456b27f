/**
 * Where is a point: inside a closed object, outside, on its surface, and how far from that? Everybody asks here.
 *
 * Idea: by the parity of what a ray from the point crosses, over all parts of the object together. The kernel counts
 * the triangles that are crossed for certain and lists those that rounding leaves open; exact predicates decide these.
 * A ray through an edge or a corner says nothing, and another one is sent. Where there are no kernels, exact predicates
 * look at every triangle. Errs: never about the side. Distances are off by rounding.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { crossingRayTriangle, RAY_DEGENERATE } from '../../geometry/intersect/ray-triangle.js';
import { pointOnTriangle } from '../../geometry/intersect/segment-triangle.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { MeshHeader } from '../../kernel/layout.generated.js';
import type { Mesh } from '../../mesh/mesh.js';
import { P } from './layout.generated.js';
import { type Parts, PointQuery } from './point-query.js';

export type PointLocation = 'inside' | 'on' | 'outside';

/** Rays that met an edge or a corner before the search for a better one is given up. */
export const MAX_RAYS = 64;

/**
 * Where a point lies relative to the solid that the parts bound together. They must be closed. The point is in their
 * stored coordinates (the object's frame, less the origin). Exact.
 */
export function locatePoint(parts: Parts, point: Float64Array): PointLocation {
  const box = boxOf(parts.meshes);
  if (!isWithin(box, point)) return 'outside';
  const query = kernelSupported() ? new PointQuery(parts) : undefined;
  try {
    return locateBy(query, parts, box, point);
  } finally {
    query?.release();
  }
}

/** How far a point is from the surface of closed parts; negative outside of them. Needs the kernels. */
export function signedDepth(parts: Parts, point: Float64Array): number {
  const query = new PointQuery(parts);
  try {
    query.setNumbers(P.from, point);
    query.run('closestTo');
    const distance = query.number(P.distance);
    const box = boxOf(parts.meshes);
    return isWithin(box, point) && locateBy(query, parts, box, point) === 'inside' ? distance : -distance;
  } finally {
    query.release();
  }
}

/** By rays, one of which avoids all edges. */
function locateBy(
  query: PointQuery | undefined,
  parts: Parts,
  box: Float64Array,
  point: Float64Array,
): PointLocation {
  const end = new Float64Array(3);
  for (let ray = 0; ray < MAX_RAYS; ray++) {
    writeOutside(box, point, ray, end);
    const found = query ? shoot(query, parts, point, end) : shootAll(parts, point, end);
    if (found !== undefined) return locationOf(found);
  }
  const name = parts.meshes[0].name;
  throw new ImpingeError('unsupported', `object "${name}": no ray avoids its edges`, { object: name });
}

/**
 * How often the segment from `point` to `end` passes through some parts of a surface: counts of several calls add up.
 * `on`: the point lies on it; undefined: the segment passes an edge or a corner, and another one is needed.
 */
export function crossingsOf(parts: Parts, point: Float64Array, end: Float64Array): number | 'on' | undefined {
  const query = kernelSupported() ? new PointQuery(parts) : undefined;
  try {
    return query ? shoot(query, parts, point, end) : shootAll(parts, point, end);
  } finally {
    query?.release();
  }
}

/** How far a point is from the surface, whether or not that is closed. Needs the kernels. */
export function distanceTo(parts: Parts, point: Float64Array): number {
  const query = new PointQuery(parts);
  try {
    query.setNumbers(P.from, point);
    query.run('closestTo');
    return query.number(P.distance);
  } finally {
    query.release();
  }
}

function isWithin(box: Float64Array, point: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (!(point[k] >= box[k] && point[k] <= box[3 + k])) return false;
  return true;
}

function boxOf(meshes: readonly Mesh[]): Float64Array {
  const floats = arena().f32();
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const mesh of meshes) {
    const at = (mesh.block >>> 2) + MeshHeader.box;
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], floats[at + k]);
      box[3 + k] = Math.max(box[3 + k], floats[at + 3 + k]);
    }
  }
  return box;
}

/** A point past the nearest side of the box at first, then past the others, at changing angles. */
export function writeOutside(box: Float64Array, point: Float64Array, ray: number, out: Float64Array): void {
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]) || 1;
  const gap = (side: number) => (side < 3 ? point[side] - box[side] : box[side] - point[side - 3]);
  const side = [0, 1, 2, 3, 4, 5].sort((s, t) => gap(s) - gap(t))[ray % 6];
  for (let k = 0; k < 3; k++) {
    const lean = ((0.754877666 * (ray + 1) + 0.569840291 * (k + 1)) % 1) - 0.497;
    out[k] = point[k] + 0.3 * lean * Math.max(gap(side), 0.01 * size);
  }
  out[side % 3] = side < 3 ? box[side] - 0.01 * size : box[side] + 0.01 * size;
}

/** What crossings on the way out say. */
export function locationOf(crossings: number | 'on'): PointLocation {
  return crossings === 'on' ? 'on' : crossings % 2 === 1 ? 'inside' : 'outside';
}

function shoot(
  query: PointQuery,
  parts: Parts,
  point: Float64Array,
  end: Float64Array,
): number | 'on' | undefined {
  query.setNumbers(P.from, point);
  query.setNumbers(P.to, end);
  query.run('crossRay');
  const doubts = query.word(P.doubtCount);
  if (doubts > query.word(P.doubtCapacity)) return shootAll(parts, point, end);
  const list = query.word(P.doubts) >>> 2;
  const crossings = new ExactCrossings(point, end, query.word(P.crossings));
  for (let i = 0; i < doubts; i++) {
    const words = arena().u32();
    crossings.add(parts.meshes[words[list + 2 * i]], words[list + 2 * i + 1]);
  }
  return crossings.result();
}

/** The same without kernels, or where they leave too much open: every triangle by exact predicates. */
function shootAll(parts: Parts, point: Float64Array, end: Float64Array): number | 'on' | undefined {
  const crossings = new ExactCrossings(point, end, 0);
  for (const mesh of parts.meshes) for (let t = 0; t < mesh.triangleCount; t++) crossings.add(mesh, t);
  return crossings.result();
}

/** Counts the triangles that a segment crosses. */
class ExactCrossings {
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #triangle = new Float64Array(9);
  #count: number;
  #on = false;
  #useless = false;

  constructor(from: Float64Array, to: Float64Array, count: number) {
    this.#from = from;
    this.#to = to;
    this.#count = count;
  }

  add({ storedPositions: positions, storedIndices: indices }: Mesh, triangle: number): void {
    const t = this.#triangle;
    for (let k = 0; k < 9; k++) t[k] = positions[3 * indices[3 * triangle + Math.floor(k / 3)] + (k % 3)];
    const crossing = crossingRayTriangle(this.#from, 0, this.#to, 0, t, 0);
    if (crossing !== RAY_DEGENERATE) this.#count += Math.abs(crossing);
    else if (pointOnTriangle(this.#from, 0, t, 0)) this.#on = true;
    else this.#useless = true;
  }

  result(): number | 'on' | undefined {
    if (this.#on) return 'on';
    return this.#useless ? undefined : this.#count;
  }
}
