/**
 * Triangles with nothing in common.
 * @typedef {{ positions: Float32Array, indices: Uint32Array }} SceneMesh
 */
import { randomDirection, seededRandom } from './random.mjs';

/**
 * `count` random triangles in the unit cube, three vertices each, of about `size` across.
 * @param {number} seed
 * @param {number} count
 * @param {number} size largest distance of a corner from the triangle's middle
 * @returns {SceneMesh}
 */
export function soup(seed, count, size = 0.1) {
  const random = seededRandom(seed);
  const positions = new Float32Array(9 * count);
  const indices = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  for (let t = 0; t < count; t++) {
    const middle = [random(), random(), random()];
    for (let corner = 0; corner < 3; corner++) {
      const direction = randomDirection(random);
      const reach = size * random();
      for (let k = 0; k < 3; k++) positions[9 * t + 3 * corner + k] = middle[k] + reach * direction[k];
    }
  }
  return { positions, indices };
}
