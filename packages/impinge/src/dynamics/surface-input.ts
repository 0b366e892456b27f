/** The surfaces that bodies are made from: checked, and put on the float32 grid. */
import { ImpingeError } from '../base/errors.js';
import { assertClosed, orientationOf } from '../mesh/closed.js';
import { Mesh } from '../mesh/mesh.js';

export interface SurfaceArrays {
  /** x, y, z of every vertex. Rounded to float32. */
  readonly positions: ArrayLike<number>;
  /** Three vertices of every triangle. */
  readonly indices: ArrayLike<number>;
  readonly name?: string;
}

/** A copy on the float32 grid, checked: finite coordinates, indices in range, at least one triangle. */
export function readSurface(input: SurfaceArrays, fallbackName: string) {
  const name = input.name ?? fallbackName;
  const positions = Float64Array.from(input.positions, Math.fround);
  const count = positions.length / 3;
  if (!Number.isInteger(count) || input.indices.length % 3 !== 0) {
    throw new ImpingeError(
      'bad-input',
      `${name}: ${positions.length} coordinates and ${input.indices.length} indices are not multiples of 3`,
    );
  }
  if (input.indices.length === 0) throw new ImpingeError('empty-mesh', `${name} has no triangles`);
  const bad = positions.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) {
    const vertex = Math.floor(bad / 3);
    throw new ImpingeError(
      'non-finite',
      `${name}: vertex ${vertex} has ${'xyz'[bad % 3]} = ${positions[bad]}`,
      {
        object: name,
        vertex,
      },
    );
  }
  const indices = Uint32Array.from(input.indices);
  const stray = indices.findIndex((v, i) => v >= count || input.indices[i] !== v);
  if (stray >= 0) {
    const triangle = Math.floor(stray / 3);
    throw new ImpingeError(
      'index-out-of-range',
      `${name}: triangle ${triangle} refers to vertex ${input.indices[stray]} of ${count}`,
      { object: name, triangle },
    );
  }
  return { name, positions, indices, vertexCount: count };
}

/** Throws unless an option is finite and inside its domain. */
export function checkOption(name: string, value: number, inside: boolean): number {
  if (Number.isFinite(value) && inside) return value;
  throw new ImpingeError(Number.isFinite(value) ? 'bad-option' : 'non-finite', `${name} is ${value}`, {
    value,
  });
}

/** The triangles of a closed surface, turned to face outwards; throws if it bounds no solid. */
export function outwardIndices(name: string, positions: Float64Array, indices: Uint32Array): Uint32Array {
  const mesh = Mesh.from({ positions, indices, name });
  try {
    assertClosed(mesh);
    const orientation = orientationOf(mesh);
    if (orientation === 0) {
      throw new ImpingeError('bad-input', `${name}: its triangles do not all face the same way`, {
        object: name,
      });
    }
    return orientation > 0
      ? indices
      : indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
  } finally {
    mesh.dispose();
  }
}
