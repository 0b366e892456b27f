/** Shapes in world coordinates, where they cannot be shared: parts joined into one, or placed by more than a motion. */
import type { ShapeArrays } from '@impinge/model';

/** Triangles, and where they are: nine entries of an affine map row by row, then the translation. */
export interface PlacedPart {
  readonly shape: ShapeArrays;
  readonly place: Float64Array;
}

/** All parts in one shape, float64; undefined where a coordinate is not finite. */
export function bakedShape(parts: readonly PlacedPart[]): ShapeArrays | undefined {
  const positions = new Float64Array(parts.reduce((sum, { shape }) => sum + shape.positions.length, 0));
  const indices = new Uint32Array(parts.reduce((sum, { shape }) => sum + shape.indices.length, 0));
  let vertexAt = 0;
  let indexAt = 0;
  for (const { shape, place } of parts) {
    placeVertices(shape.positions, place, positions.subarray(vertexAt));
    const first = vertexAt / 3;
    for (let i = 0; i < shape.indices.length; i++) indices[indexAt + i] = first + shape.indices[i];
    vertexAt += shape.positions.length;
    indexAt += shape.indices.length;
  }
  return positions.every(Number.isFinite) ? { positions, indices } : undefined;
}

/** Rounds as the library does when it poses a point. */
function placeVertices(positions: ArrayLike<number>, place: Float64Array, out: Float64Array): void {
  for (let v = 0; v < positions.length; v += 3) {
    const x = positions[v];
    const y = positions[v + 1];
    const z = positions[v + 2];
    for (let row = 0; row < 3; row++) {
      const r = 3 * row;
      out[v + row] = place[r] * x + place[r + 1] * y + place[r + 2] * z + place[9 + row];
    }
  }
}
