/** What is lost on the way from web-ifc: it computes in float64, and hands out float32 about a centre of each part. */
import type { IfcPart } from './engine.js';

/**
 * How far the corners of a product may be from where web-ifc found them. A float32 is off by at most 2⁻²⁴ of the power of
 * two below it, a vector by the length of what its coordinates are off; a placement makes that larger by at most the norm
 * of its linear part.
 */
export function partRounding(parts: readonly IfcPart[]): number {
  let most = 0;
  for (const { vertices, matrix } of parts) {
    const sizes = [0, 0, 0];
    for (let v = 0; v < vertices.length; v += 6) {
      for (let k = 0; k < 3; k++) sizes[k] = Math.max(sizes[k], Math.abs(vertices[v + k]));
    }
    const off = Math.hypot(...sizes.map((size) => (size > 0 ? 2 ** (Math.floor(Math.log2(size)) - 24) : 0)));
    most = Math.max(most, off * norm(matrix));
  }
  return most;
}

/** Of the linear part, no less than what it can make of a length: the root of |M|₁ |M|∞, which is 1 for turns about axes. */
function norm(m: readonly number[]): number {
  let rows = 0;
  let columns = 0;
  for (let i = 0; i < 3; i++) {
    columns = Math.max(columns, Math.abs(m[4 * i]) + Math.abs(m[4 * i + 1]) + Math.abs(m[4 * i + 2]));
    rows = Math.max(rows, Math.abs(m[i]) + Math.abs(m[4 + i]) + Math.abs(m[8 + i]));
  }
  return Math.sqrt(rows * columns);
}
