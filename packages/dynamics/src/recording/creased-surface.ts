/**
 * Normals for drawing: smooth over curved parts, separate across creases.
 *
 * The normal of a corner is the area-weighted sum of those of the triangles around its vertex with a similar direction.
 * Corners of a vertex with similar normals become one vertex of the result.
 */

export interface CreasedSurface {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
}

/** Cosine of the minimum angle of a crease: 35°. */
const CREASE = 0.82;
/** Normals that differ by less are equal. */
const LIKE = 1e-3;

export function creasedSurface(positions: Float32Array, indices: Uint32Array): CreasedSurface {
  const areas = areaNormals(positions, indices);
  const { start, corners } = cornersOf(indices, positions.length / 3);
  const outPositions: number[] = [];
  const normals: number[] = [];
  const outIndices = new Uint32Array(indices.length);
  for (let v = 0; v + 1 < start.length; v++) {
    const first = normals.length;
    for (let i = start[v]; i < start[v + 1]; i++) {
      const [x, y, z] = cornerNormal(areas, corners, start[v], start[v + 1], corners[i]);
      let at = first;
      while (
        at < normals.length &&
        Math.abs(normals[at] - x) + Math.abs(normals[at + 1] - y) + Math.abs(normals[at + 2] - z) > LIKE
      )
        at += 3;
      if (at === normals.length) {
        normals.push(x, y, z);
        outPositions.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
      }
      outIndices[corners[i]] = at / 3;
    }
  }
  return {
    positions: Float32Array.from(outPositions),
    normals: Float32Array.from(normals),
    indices: outIndices,
  };
}

/** Of the corner's own triangle and those around the vertex with a similar direction. */
function cornerNormal(
  areas: Float64Array,
  corners: Uint32Array,
  from: number,
  to: number,
  corner: number,
): [number, number, number] {
  const own = 3 * Math.floor(corner / 3);
  const length = Math.hypot(areas[own], areas[own + 1], areas[own + 2]);
  const sum = [0, 0, 0];
  for (let i = from; i < to; i++) {
    const other = 3 * Math.floor(corners[i] / 3);
    const along =
      areas[own] * areas[other] + areas[own + 1] * areas[other + 1] + areas[own + 2] * areas[other + 2];
    const size = Math.hypot(areas[other], areas[other + 1], areas[other + 2]);
    if (other !== own && along < CREASE * length * size) continue;
    for (let k = 0; k < 3; k++) sum[k] += areas[other + k];
  }
  const size = Math.hypot(sum[0], sum[1], sum[2]);
  return size > 0 ? [sum[0] / size, sum[1] / size, sum[2] / size] : [0, 1, 0];
}

/** Twice the area of every triangle, along its normal. */
function areaNormals(x: Float32Array, indices: Uint32Array): Float64Array {
  const areas = new Float64Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      areas[t + k] =
        (x[b + l] - x[a + l]) * (x[c + m] - x[a + m]) - (x[b + m] - x[a + m]) * (x[c + l] - x[a + l]);
    }
  }
  return areas;
}

/** The corners of triangles (positions in `indices`) at every vertex. */
function cornersOf(indices: Uint32Array, vertexCount: number): { start: Uint32Array; corners: Uint32Array } {
  const start = new Uint32Array(vertexCount + 1);
  for (const v of indices) start[v + 1]++;
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
  const next = start.slice();
  const corners = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) corners[next[indices[i]]++] = i;
  return { start, corners };
}
