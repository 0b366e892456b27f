/** Where memory cannot be shared, views die when it grows: here it does while trees are built on the way. */
import { expect, test } from 'vitest';

test('meshes in motion on private memory that grows meanwhile', async () => {
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated = false;
  const { arena } = await import('../../../src/base/arena.js');
  const { poseAt } = await import('../../../src/math/motion.js');
  const { Mesh } = await import('../../../src/mesh/mesh.js');
  const { distance } = await import('../../../src/query/pair/distance.js');
  const { timeOfImpact } = await import('../../../src/query/motion/time-of-impact.js');
  const { icosphere, torus } = await import('../../../../../lab/scenes/index.mjs');
  expect(arena().shared).toBe(false);
  const a = Mesh.from(icosphere(60, 1));
  const b = Mesh.from(torus(1, 0.4, 240, 120));
  const motionB = {
    from: { translation: [0.2, 4, 3] },
    to: { translation: [0.1, -4, -1], rotation: [0.6, 0, 0.8, 0] },
  };
  const before = arena().memory.buffer.byteLength;
  const { time } = timeOfImpact(a, b, { motionB });
  expect(arena().memory.buffer.byteLength).toBeGreaterThan(before);
  expect(time).toBeGreaterThan(0);
  expect(time).toBeLessThan(1);
  expect(distance(a, b, { poseB: poseAt(motionB, time) }).distance).toBeLessThan(3e-6);
});
