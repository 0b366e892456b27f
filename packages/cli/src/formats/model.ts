/**
 * What every reader returns. Objects are placements of geometries, so that the instances of a part share its
 * arrays.
 *
 * Invariant: every coordinate is finite, every index is in range, every geometry has a triangle, every matrix
 * is finite and affine (last row 0 0 0 1).
 */
export interface Geometry {
  /** x, y, z per vertex; float64 where the file holds more than float32. */
  readonly positions: Float32Array | Float64Array;
  /** Three per triangle. */
  readonly indices: Uint32Array;
}

export interface ModelObject {
  readonly name: string;
  /** The names from the root of the file to this object, joined by `/`. */
  readonly path: string;
  /** Index into `Model.geometries`. */
  readonly geometry: number;
  /** Column-major world matrix; undefined stands for the identity. */
  readonly matrix: Float64Array | undefined;
}

export interface Model {
  /** For people: `PLY, binary little endian`. */
  readonly format: string;
  readonly objects: readonly ModelObject[];
  readonly geometries: readonly Geometry[];
}

/** The model of a file that holds one nameless mesh. */
export function singleObject(format: string, name: string, geometry: Geometry): Model {
  return { format, objects: [{ name, path: name, geometry: 0, matrix: undefined }], geometries: [geometry] };
}
