/**
 * Where the geometry functions read their points: x, y, z at an offset of a flat array. Arithmetic is float64
 * whatever the storage; hot callers keep to one of the two kinds so that the code stays monomorphic.
 */
export type Coords = Readonly<Float64Array> | Readonly<Float32Array>;

/** −1, 0 or 1 as point i of `p` comes before, equals or comes after point j of `q`, by x, then y, then z. */
export function compareLexicographic(p: Coords, i: number, q: Coords, j: number): number {
  for (let k = 0; k < 3; k++) {
    if (p[i + k] < q[j + k]) return -1;
    if (p[i + k] > q[j + k]) return 1;
  }
  return 0;
}
