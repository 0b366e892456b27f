/** Boxes of twelve triangles. */
import type { SceneMesh } from '../deform/scene-mesh.js';
import type { ScenePoint } from './rigid-scene.js';

/** Corners by bits of x, y, z. */
// biome-ignore format: two triangles for each of six sides
const INDICES = [
  0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6,
];

/** About a point; closed. */
export function box(name: string, size: ScenePoint, [x, y, z]: ScenePoint = [0, 0, 0]): SceneMesh {
  const positions = new Float32Array(24);
  for (let corner = 0; corner < 8; corner++) {
    positions[3 * corner] = x + ((corner & 1) - 0.5) * size[0];
    positions[3 * corner + 1] = y + (((corner >> 1) & 1) - 0.5) * size[1];
    positions[3 * corner + 2] = z + ((corner >> 2) - 0.5) * size[2];
  }
  return { name, positions, indices: Uint32Array.from(INDICES) };
}
