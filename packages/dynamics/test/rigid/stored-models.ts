/** Small models with levels, to try stored bodies with. */
import { buildLevels, type StoredModel } from '@impinge/model';
import { Mesh } from 'impinge';
import { icosphere } from '../../../../lab/scenes/solids.mjs';

export interface Arrays {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

/** A long ball with bumps, flat above and below `flat`: 20 n² triangles. */
export function bumpyBall(n: number, height = 0.02, flat = 2): Arrays {
  const { positions, indices } = icosphere(n) as Arrays;
  const bumpy = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = positions.slice(i, i + 3);
    const size = 1 + height * Math.sin(9 * x + 2) * Math.cos(8 * y) * Math.sin(7 * z + 1);
    bumpy.set([1.3 * size * x, Math.min(flat, Math.max(-flat, size * y)), 0.8 * size * z], i);
  }
  return { positions: bumpy, indices: Uint32Array.from(indices) };
}

export async function modelOf(arrays: Arrays, name: string, pieceTriangles = 128): Promise<StoredModel> {
  const mesh = Mesh.from({ ...arrays, name });
  try {
    return await buildLevels(mesh, { pieceTriangles });
  } finally {
    mesh.dispose();
  }
}
