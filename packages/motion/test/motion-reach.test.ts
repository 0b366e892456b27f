/** How far points move, compared with sampled arcs. */
import { Mesh, type Motion, poseAt } from 'impinge';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import { posePoint, toRigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { icosphere, seededRandom } from '../../../lab/scenes/index.mjs';
import { FAST } from '../../../test/budget.js';
import { ballAround, MotionReach } from '../src/motion-reach.js';
import { randomBody, randomMotion } from './bodies.js';

function placesAt(mesh: Mesh, motion: Motion, time: number): Float64Array {
  const pose = toRigidPose(poseAt(motion, time));
  const out = new Float64Array(mesh.positions.length);
  const [x, y, z] = mesh.origin;
  for (let i = 0; i < out.length; i += 3) {
    posePoint(pose, mesh.positions[i] + x, mesh.positions[i + 1] + y, mesh.positions[i + 2] + z, out, i);
  }
  return out;
}

/** The farthest that a vertex is from where it was. */
function farthest(p: Float64Array, q: Float64Array): number {
  let most = 0;
  for (let i = 0; i < p.length; i += 3) {
    most = Math.max(most, Math.hypot(q[i] - p[i], q[i + 1] - p[i + 1], q[i + 2] - p[i + 2]));
  }
  return most;
}

describe('no point moves farther', () => {
  test.each([1, 2, 3])('than the bounds, on random motions, seed %i', (seed) => {
    const random = seededRandom(seed);
    for (let i = 0; i < (FAST ? 20 : 200); i++) {
      const body = randomBody(random);
      const motion = randomMotion(random, 10 ** (2 * random() - 1));
      const reach = new MotionReach(new RigidMotion(motion, 'motion'), ballAround(body));
      const from = random();
      const here = placesAt(body, motion, from);
      for (let step = 1; step <= 20; step++) {
        const time = (step / 20) * (1 - from);
        const moved = farthest(here, placesAt(body, motion, from + time));
        expect(moved).toBeLessThanOrEqual(reach.within(time) * (1 + 1e-12));
        expect(reach.within(time)).toBeLessThanOrEqual(reach.speed * time * (1 + 1e-12));
      }
    }
  });

  test('and the bounds are reached by turning, by moving straight and along a screw', () => {
    const ball = Mesh.from(icosphere(8));
    const reachOf = (motion: Motion) => new MotionReach(new RigidMotion(motion, 'motion'), ballAround(ball));
    const turn = [0, 0, Math.sin(0.6), Math.cos(0.6)]; // by 1.2
    expect(reachOf({ to: { rotation: turn } }).within(0.5)).toBeCloseTo(2 * Math.sin(0.3), 6);
    expect(reachOf({ to: { translation: [0, 3, 4] } }).within(0.5)).toBeCloseTo(2.5, 12);
    const screw: Motion = { to: { rotation: turn, translation: [0, 0, 2] }, kind: 'screw' };
    const expected = Math.hypot(1, 2 * Math.sin(0.3));
    expect(reachOf(screw).within(0.5)).toBeCloseTo(expected, 6);
    expect(farthest(placesAt(ball, screw, 0.2), placesAt(ball, screw, 0.7))).toBeCloseTo(expected, 1);
  });
});
