/** Where to look from: the three axes, then seeded random directions. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';

/** Rows become a little shorter than 1, so that rounded to float32 no margin grows when it is projected. */
const SHORTER = 1 - 2 ** -22;

/** Nine numbers per view: rows u, v, w. */
export function makeViews(randomDirections: number, seed: number): Float32Array {
  const views = new Float32Array(9 * (3 + randomDirections));
  // along axis k: u, v, w are the axes k + 1, k + 2, k
  for (let k = 0; k < 3; k++) {
    views[9 * k + ((k + 1) % 3)] = 1;
    views[9 * k + 3 + ((k + 2) % 3)] = 1;
    views[9 * k + 6 + k] = 1;
  }
  const random = new SeededRandom(seed);
  for (let at = 27; at < views.length; at += 9) {
    const [x, y, z, w] = randomQuaternion(random);
    views[at] = SHORTER * (1 - 2 * (y * y + z * z));
    views[at + 1] = SHORTER * 2 * (x * y - z * w);
    views[at + 2] = SHORTER * 2 * (x * z + y * w);
    views[at + 3] = SHORTER * 2 * (x * y + z * w);
    views[at + 4] = SHORTER * (1 - 2 * (x * x + z * z));
    views[at + 5] = SHORTER * 2 * (y * z - x * w);
    views[at + 6] = SHORTER * 2 * (x * z - y * w);
    views[at + 7] = SHORTER * 2 * (y * z + x * w);
    views[at + 8] = SHORTER * (1 - 2 * (x * x + y * y));
  }
  return views;
}

/** A point of the unit ball in four dimensions, away from its middle, brought to length 1: all rotations alike. */
function randomQuaternion(random: SeededRandom): [number, number, number, number] {
  for (;;) {
    const q = [0, 0, 0, 0].map(() => 2 * random.next() - 1) as [number, number, number, number];
    const length = Math.hypot(...q);
    if (length <= 1 && length > 0.1) return q.map((c) => c / length) as typeof q;
  }
}
