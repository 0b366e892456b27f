/** Poses between poses. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composePoses, invertPose, relativePose, toRigidPose } from '../../src/math/pose.js';

test('a relative pose is one taken back and the other, to the bit (seed 5)', () => {
  const unit = fc.double({ min: -1, max: 1, noNaN: true });
  const pose = fc
    .tuple(unit, unit, unit, unit, unit, unit, unit)
    .filter(([x, y, z, w]) => Math.hypot(x, y, z, w) > 0.1)
    .map(([x, y, z, w, ...t]) => {
      const length = Math.hypot(x, y, z, w);
      return toRigidPose({
        rotation: [x, y, z, w].map((c) => c / length),
        translation: t.map((c) => 1e5 * c),
      });
    });
  fc.assert(
    fc.property(pose, pose, (a, b) => {
      expect(relativePose(a, b)).toEqual(composePoses(invertPose(a), b));
      expect([...relativePose(a, a)]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    }),
    { seed: 5 },
  );
});
