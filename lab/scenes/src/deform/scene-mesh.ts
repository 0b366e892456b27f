/**
 * Triangle meshes of deforming scenes, in their start position.
 *
 * Metres, seconds, y up. Coordinates are float32 numbers, so that a mesh and a float64 simulation start with the same
 * values. All computations use only sums, products and square roots (see turning.ts): equal arguments give equal bytes
 * on every machine.
 */

export interface SceneMesh {
  readonly name: string;
  /** Three coordinates per vertex. */
  readonly positions: Float32Array;
  /** Three vertices per triangle, counter-clockwise from outside (from above, for floors and cloth). */
  readonly indices: Uint32Array;
}

/** A row-major rotation (nine entries) and a translation (three): q = R p + t. */
export type ScenePose = Float64Array;

/** A copy of the mesh in another place; shares its indices. */
export function placed(mesh: SceneMesh, pose: ScenePose, name = mesh.name): SceneMesh {
  const { positions, indices } = mesh;
  const moved = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      moved[i + k] =
        pose[3 * k] * positions[i] +
        pose[3 * k + 1] * positions[i + 1] +
        pose[3 * k + 2] * positions[i + 2] +
        pose[9 + k];
    }
  }
  return { name, positions: moved, indices };
}

/** A product, because the built-in power may differ in the last bit between engines. */
export function square(value: number): number {
  return value * value;
}

/** Smallest and largest coordinates: x, y, z, x, y, z. */
export function boundsOf(positions: Float32Array): number[] {
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const k = i % 3;
    bounds[k] = Math.min(bounds[k], positions[i]);
    bounds[3 + k] = Math.max(bounds[3 + k], positions[i]);
  }
  return bounds;
}
