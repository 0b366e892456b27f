/** Turns of which all are alike (Shoemake). */
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';

/** Writes a unit quaternion to out[at ..]. */
export function writeRandomTurn(random: SeededRandom, out: Float64Array, at: number): void {
  const share = random.next();
  const [a, b] = [2 * Math.PI * random.next(), 2 * Math.PI * random.next()];
  const [p, q] = [Math.sqrt(1 - share), Math.sqrt(share)];
  out.set([p * Math.sin(a), p * Math.cos(a), q * Math.sin(b), q * Math.cos(b)], at);
}
