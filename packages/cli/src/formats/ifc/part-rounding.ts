/** What is lost on the way from web-ifc: it computes in float64, and hands out float32 about a centre of each part. */
import type { IfcPart } from './engine.js';

/**
 * How far the corners of a product may be from where web-ifc found them. A float32 is off by at most 2⁻²⁴ of its size, a
 * vector of three by √3 times that of the largest; a placement makes it larger by at most the norm of its linear part.
 */
export function partRounding(parts: readonly IfcPart[]): number {
  let most = 0;
  for (const { vertices, matrix } of parts) {
    let largest = 0;
    for (let v = 0; v < vertices.length; v += 6) {
      for (let k = v; k < v + 3; k++) largest = Math.max(largest, Math.abs(vertices[k]));
    }
    most = Math.max(most, Math.sqrt(3) * 2 ** -24 * largest * norm(matrix));
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
