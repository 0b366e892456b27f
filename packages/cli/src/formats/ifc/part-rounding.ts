/** Rounding in the output of web-ifc: it computes in float64, and returns float32 relative to a centre of each part. */
import type { IfcPart } from './engine.js';

/**
 * A bound on the distance of a product's corners from web-ifc's float64 result, on each axis. A float32 is off by at
 * most 2⁻²⁴ of the power of two below it, a placed coordinate by the errors of the coordinates, times the entries of
 * its row.
 */
export function partRounding(parts: readonly IfcPart[]): number {
  let most = 0;
  for (const { vertices, matrix } of parts) {
    const sizes = [0, 0, 0];
    for (let v = 0; v < vertices.length; v += 6) {
      for (let k = 0; k < 3; k++) sizes[k] = Math.max(sizes[k], Math.abs(vertices[v + k]));
    }
    const off = sizes.map((size) => (size > 0 ? 2 ** (Math.floor(Math.log2(size)) - 24) : 0));
    for (let row = 0; row < 3; row++) {
      const sum = off.reduce((sum, x, k) => sum + Math.abs(matrix[4 * k + row]) * x, 0);
      most = Math.max(most, sum);
    }
  }
  return most;
}
