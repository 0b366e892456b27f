/** Parts of a motion. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { turnBy } from '../../../src/bodies/rotation.js';
import { partOf, relativePose } from '../../../src/rigid/engines/pair-motion.js';
import { poseOf } from './posed-shapes.js';

test('a body turns at a constant rate and moves straight, seed 1', () => {
  const random = new SeededRandom(1);
  const signed = () => 2 * random.next() - 1;
  for (let run = 0; run < 50; run++) {
    const start = Float64Array.of(signed(), signed(), signed(), signed());
    const norm = Math.hypot(...start);
    for (let k = 0; k < 4; k++) start[k] /= norm;
    const [place, way, spin] = [0, 1, 2].map(() => [signed(), signed(), signed()]);
    if (run < 5) spin.fill(0);
    const at = (share: number) => {
      const turned = start.slice();
      turnBy(turned, share * 0.8 * spin[0], share * 0.8 * spin[1], share * 0.8 * spin[2]);
      return poseOf(
        [...turned],
        place.map((x, k) => x + share * way[k]),
      );
    };
    const motion = { fromA: at(0), toA: at(1), fromB: at(0), toB: at(1) };
    for (const share of [0, 0.25, 0.5, 1]) {
      const part = partOf(motion, 0.5 * share, share)!;
      const [begin, right] = [at(0.5 * share), at(share)];
      const off = right.map((x, k) => Math.abs(x - part.toA[k]) + Math.abs(x - part.toB[k]));
      expect(Math.max(...off)).toBeLessThan(1e-12);
      const early = begin.map((x, k) => Math.abs(x - part.fromA[k]) + Math.abs(x - part.fromB[k]));
      expect(Math.max(...early)).toBeLessThan(1e-12);
      const same = relativePose(right, right);
      const apart = same.map((x, k) => Math.abs(x - (k % 4 === 0 && k < 9 ? 1 : 0)));
      expect(Math.max(...apart)).toBeLessThan(1e-12);
    }
  }
});

test('there is no part of a turn by more than a right angle', () => {
  const [from, to] = [poseOf([0, 0, 0, 1], [0, 0, 0]), poseOf([1, 0, 0, 0.1], [0, 0, 0])];
  expect(partOf({ fromA: from, toA: from, fromB: from, toB: to }, 0, 0.5)).toBeUndefined();
});
