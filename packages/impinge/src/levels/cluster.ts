/** A small part of a surface at one level, as arrays: what passes from one level to the next. */
export interface Cluster {
  /** Three float32 per vertex, relative to the origin of the shape. No vertex is there twice. */
  readonly positions: Float32Array;
  /** Three vertices per triangle. Triangles that follow each other are near each other. */
  readonly indices: Uint16Array;
  /** Per triangle: no original point that it stands for is farther from it. */
  readonly out: Float32Array;
  /** Per triangle: none of its points is farther from the originals. */
  readonly in: Float32Array;
}

/** Most triangles in a cluster, and about as many as there are in one. */
export const CLUSTER_TRIANGLES = 1024;

/** A mesh as arrays. */
export interface Triangles {
  readonly positions: Float32Array;
  readonly indices: Uint16Array | Uint32Array;
}

/**
 * Sorts triangles so that near ones follow each other and cuts the order into parts of nearly equal size, none larger
 * than `most`: halves at the middle of the longest side of the box around their centres, again and again.
 */
export function splitTriangles({ positions, indices }: Triangles, most: number): Uint32Array[] {
  const count = indices.length / 3;
  const centres = new Float32Array(3 * count);
  for (let t = 0; t < count; t++) {
    const a = 3 * indices[3 * t];
    const b = 3 * indices[3 * t + 1];
    const c = 3 * indices[3 * t + 2];
    for (let k = 0; k < 3; k++) centres[3 * t + k] = positions[a + k] + positions[b + k] + positions[c + k];
  }
  const order = new Uint32Array(count);
  for (let t = 0; t < count; t++) order[t] = t;
  const parts: Uint32Array[] = [];
  const halve = (from: number, to: number, wanted: number) => {
    const axis = longestAxis(centres, order, from, to);
    if (to - from <= FEW) {
      if (wanted === 1) parts.push(order.subarray(from, to));
      return;
    }
    const left = wanted >> 1;
    const middle =
      wanted > 1 ? from + Math.round(((to - from) * left) / wanted) : from + ((to - from + 1) >> 1);
    select(centres, axis, order, from, to, middle);
    const at = wanted > 1 ? undefined : parts.length;
    halve(from, middle, wanted > 1 ? left : 0);
    halve(middle, to, wanted > 1 ? wanted - left : 0);
    if (at !== undefined && wanted === 1) parts.push(order.subarray(from, to));
  };
  if (count > 0) halve(0, count, Math.ceil(count / most));
  return parts;
}

/** So few triangles need no order. */
const FEW = 4;

function longestAxis(centres: Float32Array, order: Uint32Array, from: number, to: number): number {
  let [x0, y0, z0, x1, y1, z1] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = from; i < to; i++) {
    const at = 3 * order[i];
    const x = centres[at];
    const y = centres[at + 1];
    const z = centres[at + 2];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  const [dx, dy, dz] = [x1 - x0, y1 - y0, z1 - z0];
  return dx >= dy && dx >= dz ? 0 : dy >= dz ? 1 : 2;
}

/** Puts the smallest centres before `middle`; equal ones by number, so that there is one answer. */
function select(
  centres: Float32Array,
  axis: number,
  order: Uint32Array,
  from: number,
  to: number,
  middle: number,
): void {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const pivot = order[(low + high) >> 1];
    const value = centres[3 * pivot + axis];
    let i = low;
    let j = high;
    while (i <= j) {
      while (isBefore(centres[3 * order[i] + axis], order[i], value, pivot)) i++;
      while (isBefore(value, pivot, centres[3 * order[j] + axis], order[j])) j--;
      if (i > j) break;
      const kept = order[i];
      order[i++] = order[j];
      order[j--] = kept;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

function isBefore(x: number, i: number, y: number, j: number): boolean {
  return x < y || (x === y && i < j);
}
