/** Transforms pieces for the GPU: placed, each vertex with the number of its object. */
import type { PieceArrays } from '@impinge/model';

export interface Baking {
  /** Filled from `vertexFrom` and `indexFrom` on. */
  readonly positions: Float32Array;
  readonly objects: Uint32Array;
  readonly vertexFrom: number;
  readonly indices: Uint32Array;
  readonly indexFrom: number;
  /** The number of the first vertex in its buffer. */
  readonly vertexAt: number;
}

/**
 * Writes a piece of an object. `from` is the origin of the object's vertices in the model. Equal positions give equal
 * results, so there are no cracks between pieces of an object.
 */
export function bake(
  { origin, positions, indices }: Pick<PieceArrays, 'origin' | 'positions' | 'indices'>,
  object: number,
  pose: ArrayLike<number>,
  from: ArrayLike<number>,
  to: Baking,
): void {
  const [a, b, c, d, e, f, g, h, i] = Array.from({ length: 9 }, (_, k) => pose[k]);
  const [ox, oy, oz] = origin;
  // the placed origin of the shape; the rest is as short as the object
  const x0 = a * ox + b * oy + c * oz + pose[9] - from[0];
  const y0 = d * ox + e * oy + f * oz + pose[10] - from[1];
  const z0 = g * ox + h * oy + i * oz + pose[11] - from[2];
  const out = to.positions;
  let at = 3 * to.vertexFrom;
  for (let v = 0; v < positions.length; v += 3) {
    const x = positions[v];
    const y = positions[v + 1];
    const z = positions[v + 2];
    out[at++] = a * x + b * y + c * z + x0;
    out[at++] = d * x + e * y + f * z + y0;
    out[at++] = g * x + h * y + i * z + z0;
  }
  to.objects.fill(object, to.vertexFrom, to.vertexFrom + positions.length / 3);
  const shift = to.vertexAt;
  for (let k = 0; k < indices.length; k++) to.indices[to.indexFrom + k] = indices[k] + shift;
}
