import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { posePoint, type RigidPose, toRigidPose } from '../../src/math/pose.js';
import * as dop26 from '../../src/volumes/dop26.js';
import { VOLUME_KINDS, type VolumeKind } from '../../src/volumes/kinds.js';
import * as obb from '../../src/volumes/obb.js';
import * as sphere from '../../src/volumes/sphere.js';
import type { FittedVolume, VolumeModule } from '../../src/volumes/volume.js';
import { VOLUMES } from '../../src/volumes/volumes.js';

type Inside = (v: Float32Array, x: number, y: number, z: number) => boolean;

/**
 * Whether a point is inside with no slack at all, evaluated in float64; kinds that are not here judge with their own
 * slack.
 */
const STRICT: Partial<Record<VolumeKind, Inside>> = {
  sphere: (v, x, y, z) => Math.hypot(x - v[0], y - v[4], z - v[8]) <= v[12],
  aabb: (v, ...p) => p.every((c, k) => v[4 * k] <= c && c <= v[4 * (3 + k)]),
  dop26: (v, x, y, z) =>
    dop26.AXES.every(([ax, ay, az], k) => {
      const p = ax * x + ay * y + az * z;
      return v[4 * k] <= p && p <= v[4 * (13 + k)];
    }),
  obb: (v, x, y, z) => {
    const m = boxPose(v);
    const d = [x - v[0], y - v[4], z - v[8]];
    return [0, 1, 2].every(
      (k) => Math.abs(m[k] * d[0] + m[3 + k] * d[1] + m[6 + k] * d[2]) <= v[4 * (3 + k)],
    );
  },
};

function boxPose(v: Float32Array): RigidPose {
  return toRigidPose({ rotation: [v[24], v[28], v[32], v[36]] });
}

const scale = fc.constantFrom(1e-30, 1e-6, 1, 1e6, 1e15);
const shape = fc.constantFrom([1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1e-4, 1e-7]);
const unit = fc.double({ min: -1, max: 1, noNaN: true });
const offset = fc.constantFrom(0, 0, 3, 1e4);
const quaternion = fc
  .tuple(unit, unit, unit, unit)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((c) => c / Math.hypot(...q)));

const pose = fc
  .tuple(quaternion, unit, unit, unit, fc.constantFrom(0, 1, 100))
  .map(([rotation, x, y, z, far]) => toRigidPose({ rotation, translation: [far * x, far * y, far * z] }));

/** Point clouds in general position, flat, straight, single; turned, scaled and moved off the origin. */
const cloud = fc
  .tuple(
    fc.array(fc.tuple(unit, unit, unit), { minLength: 1, maxLength: 40 }),
    shape,
    quaternion,
    scale,
    offset,
  )
  .map(([points, [sx, sy, sz], rotation, s, away]) => {
    const turn = toRigidPose({ rotation });
    const out = new Float64Array(3 * points.length);
    for (const [i, [x, y, z]] of points.entries()) {
      posePoint(turn, x * sx, y * sy, z * sz, out, 3 * i);
      for (let k = 0; k < 3; k++) out[3 * i + k] = s * (out[3 * i + k] + away);
    }
    return { points: out, scale: s };
  });

const blockOf = (volume: VolumeModule) => new Float32Array(4 * volume.STRIDE);

function fitted(volume: VolumeModule, points: Float64Array): Float32Array {
  const out = blockOf(volume);
  volume.fit(points, points.length / 3, out, 0);
  return out;
}

function moved(points: Float64Array, by: RigidPose): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) posePoint(by, points[i], points[i + 1], points[i + 2], out, i);
  return out;
}

function expectInside(kind: VolumeKind, v: Float32Array, points: Float64Array): void {
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = points.subarray(i, i + 3);
    if (STRICT[kind]?.(v, x, y, z) === false)
      expect.fail(`point ${i / 3} (${x}, ${y}, ${z}) is outside ${kind} ${v}`);
    expect(VOLUMES[kind].containsPoint(v, 0, x, y, z)).toBe(true);
  }
}

function distanceOfClouds(a: Float64Array, b: Float64Array): number {
  let best = Infinity;
  for (let i = 0; i < a.length; i += 3) {
    for (let j = 0; j < b.length; j += 3) {
      best = Math.min(best, Math.hypot(a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2]));
    }
  }
  return best;
}

/** A pose that is off from rigid by as much as poses may be. */
function loosened(p: RigidPose): RigidPose {
  return p.map((entry, i) => (i < 9 ? entry * (i % 2 === 0 ? 1 + 3e-6 : 1 - 3e-6) : entry));
}

describe.each(VOLUME_KINDS)('%s', (kind) => {
  const volume = VOLUMES[kind];
  const { merge } = volume as Partial<FittedVolume>; // kernels fit oriented boxes

  test('contains the points it was fitted to (seed 11)', () => {
    fc.assert(
      fc.property(cloud, ({ points }) => expectInside(kind, fitted(volume, points), points)),
      { seed: 11, numRuns: runs(400) },
    );
  });

  test.skipIf(!merge)('merged contains both sides, also when written over one of them (seed 12)', () => {
    fc.assert(
      fc.property(cloud, cloud, (a, b) => {
        const va = fitted(volume, a.points);
        const vb = fitted(volume, b.points);
        const merged = blockOf(volume);
        merge!(va, 0, vb, 0, merged, 0);
        expectInside(kind, merged, a.points);
        expectInside(kind, merged, b.points);
        merge!(va, 0, vb, 0, va, 0);
        expect(va).toEqual(merged);
      }),
      { seed: 12, numRuns: runs(300) },
    );
  });

  test('moved contains the moved points, for poses up to their tolerance (seed 13)', () => {
    fc.assert(
      fc.property(cloud, pose, fc.boolean(), ({ points, scale: s }, rigid, loose) => {
        const by = loose ? loosened(rigid) : rigid;
        for (let k = 9; k < 12; k++) by[k] *= s;
        const out = blockOf(volume);
        volume.transform(fitted(volume, points), 0, by, out, 0);
        expectInside(kind, out, moved(points, by));
      }),
      { seed: 13, numRuns: runs(400) },
    );
  });

  test('overlaps whatever shares a point, at a lower bound of 0 (seed 14)', () => {
    fc.assert(
      fc.property(cloud, cloud, fc.nat(), (a, b, pick) => {
        // move b so that one of its points lies on one of a's, exactly
        const i = 3 * (pick % (a.points.length / 3));
        const other = b.points.map(
          (c, n) => (c - b.points[n % 3]) * (a.scale / b.scale) + a.points[i + (n % 3)],
        );
        const va = fitted(volume, a.points);
        const vb = fitted(volume, other);
        expect(volume.overlaps(va, 0, vb, 0)).toBe(true);
        expect(volume.overlaps(vb, 0, va, 0)).toBe(true);
        expect(volume.distanceLowerBound(va, 0, vb, 0)).toBe(0);
      }),
      { seed: 14, numRuns: runs(400) },
    );
  });

  test('the lower bound is at most the distance of the contents, and 0 where volumes overlap (seed 15)', () => {
    fc.assert(
      fc.property(cloud, cloud, pose, (a, b, by) => {
        const other = moved(
          b.points.map((c) => (c / b.scale) * a.scale),
          by.map((c, i) => (i < 9 ? c : c * a.scale)),
        );
        const va = fitted(volume, a.points);
        const vb = fitted(volume, other);
        const bound = volume.distanceLowerBound(va, 0, vb, 0);
        expect(bound).toBeGreaterThanOrEqual(0);
        expect(bound).toBeLessThanOrEqual(distanceOfClouds(a.points, other));
        expect(Math.abs(bound - volume.distanceLowerBound(vb, 0, va, 0))).toBeLessThanOrEqual(1e-12 * bound);
        if (bound > 1e-9 * a.scale * 1e4) expect(volume.overlaps(va, 0, vb, 0)).toBe(false);
      }),
      { seed: 15, numRuns: runs(400) },
    );
  });

  test('the lower bound is worth having: two unit clouds ten apart', () => {
    const points = Float64Array.of(-1, -1, -1, 1, 1, 1, 1, -1, 0.5, -1, 1, 0);
    const other = points.map((c, i) => (i % 3 === 0 ? c + 10 : c));
    const a = fitted(volume, points);
    const b = fitted(volume, other);
    expect(volume.overlaps(a, 0, b, 0)).toBe(false);
    expect(volume.distanceLowerBound(a, 0, b, 0)).toBeGreaterThan(6);
    expect(volume.distanceLowerBound(a, 0, b, 0)).toBeLessThanOrEqual(8);
  });

  test('an empty lane overlaps nothing, moved or not', () => {
    const empty = blockOf(volume);
    volume.setEmpty(empty, 0);
    const box = fitted(volume, Float64Array.of(-1e6, -1e6, -1e6, 1e6, 1e6, 1e6));
    const elsewhere = blockOf(volume);
    volume.transform(
      empty,
      0,
      toRigidPose({ rotation: [0.6, 0, 0.8, 0], translation: [1, 2, 3] }),
      elsewhere,
      0,
    );
    for (const none of [empty, elsewhere]) {
      expect(volume.overlaps(none, 0, box, 0)).toBe(false);
      expect(volume.overlaps(box, 0, none, 0)).toBe(false);
      expect(volume.overlaps(none, 0, none, 0)).toBe(false);
      expect(volume.distanceLowerBound(none, 0, box, 0)).toBeGreaterThan(1e20);
      expect(volume.containsPoint(none, 0, 0, 0, 0)).toBe(false);
    }
  });

  test('lanes of a block do not touch each other', () => {
    const block = new Float32Array(4 * volume.STRIDE).fill(7);
    volume.fit(Float64Array.of(1, 2, 3, 4, 6, 8), 2, block, 2);
    for (let i = 0; i < block.length; i++) if (i % 4 !== 2) expect(block[i]).toBe(7);
    expect(volume.containsPoint(block, 2, 4, 6, 8)).toBe(true);
    expect(volume.containsPoint(block, 2, 9, 6, 8)).toBe(false);
  });

  test('size grows with the contents', () => {
    const points = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    const small = fitted(volume, points);
    const large = fitted(
      volume,
      points.map((c) => 3 * c),
    );
    expect(volume.size(large, 0)).toBeGreaterThan(8 * volume.size(small, 0));
  });
});

describe('tightness', () => {
  test('a slanted plate gets a flat oriented box', () => {
    const turn = toRigidPose({ rotation: [0.2, 0.4, 0.4, 0.8] });
    const plate = new Float64Array(12);
    for (const [i, [x, y]] of [
      [0, 0],
      [2, 0],
      [2, 1],
      [0, 1],
    ].entries())
      posePoint(turn, x, y, 0, plate, 3 * i);
    const box = fitted(obb, plate);
    expect([box[12], box[16], box[20]].sort((a, b) => b - a)).toEqual([
      expect.closeTo(1, 5),
      expect.closeTo(0.5, 5),
      expect.closeTo(0, 5),
    ]);
  });

  test('a sphere is within 5 % of the smallest', () => {
    const corners = Float64Array.from({ length: 24 }, (_, i) => ((i / 3) >> (i % 3)) & 1);
    expect(fitted(sphere, corners)[12]).toBeLessThan(1.05 * Math.sqrt(0.75));
  });

  test('an oriented box moves without growing by more than rounding', () => {
    const box = fitted(obb, Float64Array.of(0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 1, 4, 2, 1));
    const out = new Float32Array(40);
    obb.transform(box, 0, toRigidPose({ rotation: [0.2, 0.4, 0.4, 0.8], translation: [5, 6, 7] }), out, 0);
    for (const c of [12, 16, 20]) expect(out[c]).toBeLessThan(box[c] + 4e-6);
  });

  test('a 26-DOP turned by quarter turns about the axes fits as if measured anew (seed 16)', () => {
    fc.assert(
      fc.property(cloud, fc.nat(5), fc.nat(7), ({ points, scale: s }, permutation, signs) => {
        const to = [
          [0, 1, 2],
          [1, 2, 0],
          [2, 0, 1],
          [0, 2, 1],
          [2, 1, 0],
          [1, 0, 2],
        ][permutation];
        const by = new Float64Array(12);
        for (let row = 0; row < 3; row++) by[3 * row + to[row]] = (signs >> row) & 1 ? -1 : 1;
        const out = new Float32Array(104);
        dop26.transform(fitted(dop26, points), 0, by, out, 0);
        const anew = fitted(dop26, moved(points, by));
        let largest: number = s;
        for (const c of points) largest = Math.max(largest, Math.abs(c));
        for (let c = 0; c < 104; c += 4)
          expect(Math.abs(out[c] - anew[c])).toBeLessThanOrEqual(1e-6 * largest);
      }),
      { seed: 16, numRuns: runs(200) },
    );
  });
});
