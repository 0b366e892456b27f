/** Seeded randomness for scenes: numbers, rotations and directions. */

export { seededRandom } from './dist/random.js';

/**
 * A rotation drawn uniformly from all rotations, as nine row-major entries (a uniform unit quaternion by
 * Shoemake's subgroup construction).
 * @param {() => number} random
 * @returns {Float64Array}
 */
export function randomRotation(random) {
  const u = random();
  const angle1 = 2 * Math.PI * random();
  const angle2 = 2 * Math.PI * random();
  const x = Math.sqrt(1 - u) * Math.sin(angle1);
  const y = Math.sqrt(1 - u) * Math.cos(angle1);
  const z = Math.sqrt(u) * Math.sin(angle2);
  const w = Math.sqrt(u) * Math.cos(angle2);
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  );
}

/**
 * A direction drawn uniformly from the unit sphere.
 * @param {() => number} random
 * @returns {[number, number, number]}
 */
export function randomDirection(random) {
  const z = 2 * random() - 1;
  const angle = 2 * Math.PI * random();
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
}
