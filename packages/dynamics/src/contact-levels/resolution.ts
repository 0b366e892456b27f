/**
 * Resolution of convex patches, and the area that stands behind each vertex of a surface.
 *
 * The resolution of a patch is one over the mean length of its triangles' sides. The support area of a vertex is a
 * third of the area of the triangles about it, seen along the sum of their normals weighted by area: a contact at the
 * vertex rests on about that much of the surface.
 */

/** One over the mean length of the sides of triangles (three vertices each). */
export function resolutionOf(positions: Float64Array, triangles: Int32Array): number {
  let sum = 0;
  for (let h = 0; h < triangles.length; h++) {
    const a = 3 * triangles[h];
    const b = 3 * triangles[h % 3 === 2 ? h - 2 : h + 1];
    const dx = positions[a] - positions[b];
    const dy = positions[a + 1] - positions[b + 1];
    const dz = positions[a + 2] - positions[b + 2];
    sum += Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  return triangles.length / sum;
}

/** The support area of every vertex of a surface given as lists of triangles. */
export function supportAreas(positions: Float64Array, lists: readonly Int32Array[]): Float64Array {
  const normals = new Float64Array(positions.length);
  for (const triangles of lists) {
    for (let h = 0; h < triangles.length; h += 3) {
      const [a, b, c] = [3 * triangles[h], 3 * triangles[h + 1], 3 * triangles[h + 2]];
      const p = positions;
      const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
      const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
      for (const v of [a, b, c]) {
        normals[v] += uy * vz - uz * vy;
        normals[v + 1] += uz * vx - ux * vz;
        normals[v + 2] += ux * vy - uy * vx;
      }
    }
  }
  // the areas that add up along the sum of the normals: its length, halved
  return Float64Array.from({ length: positions.length / 3 }, (_, v) => {
    const [x, y, z] = [normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]];
    return Math.sqrt(x * x + y * y + z * z) / 6;
  });
}
