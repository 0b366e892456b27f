/** The motions themselves, and the bound on how far they can carry a triangle or a box towards another. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { least, runs } from '../../../../../test/budget.js';
import { type Motion, poseAt, RigidMotion } from '../../../src/math/motion.js';
import { composePoses, invertPose, posePoint, type RigidPose, toRigidPose } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { MotionBound } from '../../../src/query/motion/motion-bound.js';
import { BOX_NUMBERS, MotionSide } from '../../../src/query/motion/motion-side.js';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const vector = (size: number) => fc.tuple(number(-size, size), number(-size, size), number(-size, size));
const rotation = fc
  .tuple(vector(1), number(-1, 1))
  .map(([v, w]) => [...v, w])
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)));
const pose = fc.record({ rotation, translation: vector(3) });
const kind = fc.constantFrom('linear' as const, 'screw' as const);
const motion = fc.record({ from: pose, to: pose, kind, centre: vector(2) });

function expectPose(p: ArrayLike<number>, q: ArrayLike<number>, digits: number): void {
  for (let i = 0; i < 12; i++) expect(p[i]).toBeCloseTo(q[i], digits);
}

/** The textbook formula on quaternions. */
function slerp(p: readonly number[], q: readonly number[], t: number): number[] {
  const cosine = p.reduce((sum, x, i) => sum + x * q[i], 0);
  const end = cosine < 0 ? q.map((x) => -x) : q;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  if (angle < 1e-6) return p.map((x, i) => x + t * (end[i] - x));
  return p.map((x, i) => (Math.sin((1 - t) * angle) * x + Math.sin(t * angle) * end[i]) / Math.sin(angle));
}

function moved(p: RigidPose, v: readonly number[]): number[] {
  const out = [0, 0, 0];
  posePoint(p, v[0], v[1], v[2], out, 0);
  return out;
}

describe('motions', () => {
  test('begin and end where they should, seed 81', () => {
    fc.assert(
      fc.property(motion, (asked) => {
        const rigid = new RigidMotion(asked, 'motion');
        expectPose(rigid.poseAt(0), toRigidPose(asked.from), 14);
        expectPose(rigid.poseAt(1), toRigidPose(asked.to), 11);
        expect(rigid.angle).toBeLessThanOrEqual(Math.PI);
      }),
      { seed: 81, numRuns: runs(500) },
    );
  });

  test('linear: the centre moves straight, the rotation is the spherical interpolation, seed 82', () => {
    fc.assert(
      fc.property(motion, number(0, 1), ({ from, to, centre }, t) => {
        const half = Math.abs(from.rotation.reduce((sum, x, i) => sum + x * to.rotation[i], 0));
        fc.pre(half > 1e-3); // a half turn may go either way
        const at = new RigidMotion({ from, to, centre }, 'motion').poseAt(t);
        const rotation = slerp(from.rotation, to.rotation, t);
        const norm = Math.hypot(...rotation);
        const expected = toRigidPose({ rotation: rotation.map((x) => x / norm) });
        for (let i = 0; i < 9; i++) expect(at[i]).toBeCloseTo(expected[i], 9);
        const [p, q] = [moved(toRigidPose(from), centre), moved(toRigidPose(to), centre)];
        for (const [k, x] of moved(at, centre).entries()) expect(x).toBeCloseTo(p[k] + t * (q[k] - p[k]), 11);
      }),
      { seed: 82, numRuns: runs(500) },
    );
  });

  test('screw: what half the time does, done twice, is what the whole does, seed 83', () => {
    fc.assert(
      fc.property(pose, pose, (from, to) => {
        const screw = new RigidMotion({ from, to, kind: 'screw' }, 'motion');
        fc.pre(screw.angle > 1e-3);
        const start = screw.poseAt(0);
        const half = composePoses(screw.poseAt(0.5), invertPose(start));
        expectPose(composePoses(half, composePoses(half, start)), screw.poseAt(1), 9);
      }),
      { seed: 83, numRuns: runs(500) },
    );
  });

  test.each([1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0])('a screw that turns by %f only', (angle) => {
    const to = { rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], translation: [3, 4, 5] };
    const screw = new RigidMotion({ to, kind: 'screw' }, 'motion');
    expectPose(screw.poseAt(1), toRigidPose(to), 13);
    const [x, y, z] = screw.poseAt(0.5).slice(9);
    // how far an arc over a chord of 5 bulges
    expect(Math.hypot(x - 1.5, y - 2)).toBeCloseTo(2.5 * Math.tan(angle / 4), 12);
    expect(z).toBeCloseTo(2.5, 13);
  });

  test('half a turn, and a pose that is not quite rigid', () => {
    const half = new RigidMotion({ to: { rotation: [0, 0, 1, 0] } }, 'motion');
    expect(half.angle).toBeCloseTo(Math.PI, 14);
    expect(Math.abs(half.poseAt(0.5)[1])).toBeCloseTo(1, 14);
    const stretched = [1.000004, 0, 0, 0, 0.999996, 3e-6, 0, 0, 1.000002];
    const { start, angle } = new RigidMotion({ from: { rotation: stretched } }, 'motion');
    expect(angle).toBe(0);
    const gram = composePoses(invertPose(start), start);
    expectPose(gram, toRigidPose(undefined), 14);
  });

  test('poseAt gives a pose for the other queries', () => {
    const asked: Motion = { to: { translation: [2, 0, 0] } };
    expect(poseAt(asked, 0.5)).toEqual({
      rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
      translation: Float64Array.of(1, 0, 0),
    });
  });
});

describe('the bound', () => {
  const triangle = fc.tuple(vector(1), vector(1), vector(1)).map((corners) => corners.flat());
  const direction = vector(1)
    .filter((v) => Math.hypot(...v) > 0.1)
    .map((v) => v.map((x) => x / Math.hypot(...v)));
  const asked = fc.record({
    a: triangle,
    b: triangle,
    motionA: motion,
    motionB: motion,
    n: direction,
    gap: fc.constantFrom(1e-6, 1e-2, 0.3, 2),
    time: number(0, 1),
    boxes: fc.boolean(),
    points: fc.boolean(),
  });

  test('holds for every corner at every later moment, and is tight for points, seed 84', () => {
    let finite = 0;
    let tight = 0;
    fc.assert(
      fc.property(asked, ({ a, b, motionA, motionB, n, gap, time, boxes, points }) => {
        const meshes = [a, b].map((corners) =>
          Mesh.from({ positions: points ? corners.map((_, i) => corners[i % 3]) : corners }),
        );
        const motions = [new RigidMotion(motionA, 'a'), new RigidMotion(motionB, 'b')];
        const sides = meshes.map((mesh, i) => new MotionSide(mesh, motions[i], [0, 0, 0]));
        const corners = new Float64Array(18);
        const box = new Float64Array(BOX_NUMBERS);
        for (const [i, side] of sides.entries()) {
          const sign = i === 0 ? 1 : -1;
          side.step.moveTo(time);
          side.writeTriangle(0, corners, 9 * i);
          side.writeBox(0, box);
          if (boxes) side.measureBox(box, sign * n[0], sign * n[1], sign * n[2]);
          else side.measureTriangle(corners, 9 * i, sign * n[0], sign * n[1], sign * n[2]);
        }
        const bound = new MotionBound(motions[0], motions[1]);
        const [sa, sb] = sides;
        const free = bound.freeTime(
          gap,
          bound.approach(n[0], n[1], n[2]),
          sa.swing,
          sa.rise,
          sb.swing,
          sb.rise,
          1 - time,
        );
        const end = Math.min(free, 1 - time);
        const later = new Float64Array(18);
        const closing = (h: number) => {
          for (const [i, side] of sides.entries()) {
            side.step.moveTo(time + h);
            side.writeTriangle(0, later, 9 * i);
          }
          const most = [0, 9].map((o) =>
            Math.max(
              ...[0, 3, 6].map(
                (c) =>
                  n.reduce((sum, x, k) => sum + x * (later[o + c + k] - corners[o + c + k]), 0) *
                  (o === 0 ? 1 : -1),
              ),
            ),
          );
          return most[0] + most[1];
        };
        for (let s = 0; s <= 20; s++) expect(closing((end * s) / 20)).toBeLessThanOrEqual(gap + 1e-12);
        if (free === Infinity) return;
        finite++;
        // a point on its way there, and a gap so small that it gets there straight
        if (points && !boxes && gap === 1e-6 && closing(1e-7) > 1e-8) {
          tight++;
          expect(closing(free)).toBeGreaterThan(0.9 * gap);
        }
      }),
      { seed: 84, numRuns: runs(1000), endOnFailure: true },
    );
    expect(finite).toBeGreaterThan(least(300));
    expect(tight).toBeGreaterThan(least(10));
  });
});
