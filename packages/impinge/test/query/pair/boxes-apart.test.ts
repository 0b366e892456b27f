/** Meshes that their boxes alone show to be apart, against the exact predicate on every pair of triangles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { icosphere, randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import { distanceSqTriangleTriangle } from '../../../src/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from '../../../src/geometry/intersect/triangle-triangle.js';
import { carvePose, toRigidPose } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { PairReader } from '../../../src/mesh/pair-reader.js';
import { storedPose } from '../../../src/mesh/stored-pose.js';
import { boxesApart } from '../../../src/query/pair/boxes-apart.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { hits } from '../../../src/query/pair/hits.js';
import { within } from '../../../src/query/pair/within.js';

/** How far apart two meshes are. */
function gapOf(a: Mesh, b: Mesh, pose: Float64Array): number {
  const reader = new PairReader(a, b, storedPose(a, b, pose));
  let least = Infinity;
  for (let i = 0; i < a.triangleCount; i++) {
    for (let j = 0; j < b.triangleCount; j++) {
      const corners = reader.read(i, j);
      if (intersectsTriangleTriangle(corners, 0, corners, 9)) return 0;
      least = Math.min(least, distanceSqTriangleTriangle(corners, 0, corners, 9));
    }
  }
  return Math.sqrt(least);
}

describe('boxes that are apart', () => {
  const triangles = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 9, maxLength: 9 });
  const place = fc.array(fc.integer({ min: -7, max: 7 }), { minLength: 3, maxLength: 3 });

  it('hold nothing that meets, whatever touches, at any size, far away and turned (seed 175)', () => {
    let apart = 0;
    fc.assert(
      fc.property(
        triangles,
        triangles,
        place,
        fc.constantFrom(1, 1e-6, 1e6, 1e-30),
        fc.constantFrom(0, 1e5, 1e7 + 0.1),
        fc.nat(40),
        (p, q, at, unit, far, turn) => {
          const mesh = (list: number[]) => Mesh.from({ positions: list.map((x) => x * unit + far) });
          const [a, b] = [mesh(p), mesh(q)];
          const rotation = turn === 0 ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : randomRotation(seededRandom(turn));
          // about the middle of b, so that the two stay near each other
          const translation = at.map((x, k) => {
            const turned = far * (rotation[3 * k] + rotation[3 * k + 1] + rotation[3 * k + 2]);
            return x * unit + far - turned;
          });
          const pose = toRigidPose({ rotation, translation });
          const isApart = boxesApart(a, b, pose);
          if (isApart) apart++;
          const gap = gapOf(a, b, pose);
          expect(isApart && gap === 0).toBe(false);
          const placed = { pose: { rotation, translation } };
          expect(collide(a, b, placed).colliding).toBe(gap === 0);
          // just near enough, and as much too far as rounding leaves no doubt about
          const doubt = 1e-13 * (far + 30 * unit);
          for (const asked of [gap + doubt, gap / 2, Math.max(0, gap - doubt)]) {
            const isNear = asked >= gap + doubt;
            const isFar = asked < gap - doubt;
            const farther = boxesApart(a, b, pose, asked);
            if (farther) apart++;
            expect(farther && isNear).toBe(false);
            if (!isNear && !isFar) continue;
            expect(within(a, b, { ...placed, distance: asked }).within).toBe(isNear);
            expect(distance(a, b, { ...placed, atMost: asked }).distance < Infinity).toBe(isNear);
            expect(hits(a, b, { ...placed, distance: asked }).count).toBe(isNear ? 1 : 0);
          }
          for (const mesh of [a, b]) mesh.dispose();
        },
      ),
      { seed: 175, numRuns: runs(1000) },
    );
    expect(apart).toBeGreaterThan(least(200));
  });

  it('are all that is looked at: no tree is built, nothing stays in memory', () => {
    const size = 40;
    const [a, b] = [Mesh.from(icosphere(size, 1)), Mesh.from(icosphere(size, 1))];
    const pose = { translation: [2, 2, 2] }; // near by each axis, 3.46 apart by all of them
    const scaled = { poseA: { scale: 0.9 }, poseB: { ...pose, scale: 0.5 } };
    const ONE = { volumeTests: 1, triangleTests: 0, exactTests: 0, adaptiveTests: 0 };
    const used = arena().usedBytes;
    expect(collide(a, b, { pose: { translation: [2.1, 0, 0] } }).stats).toEqual(ONE);
    expect(within(a, b, { pose: { translation: [2.1, 0, 0] }, distance: 0.05 }).stats).toEqual(ONE);
    expect(distance(a, b, { pose: { translation: [2.1, 0, 0] }, atMost: 0.05 })).toMatchObject({
      distance: Infinity,
      stats: ONE,
    });
    for (const mode of ['any', 'all'] as const) {
      expect(hits(a, b, { pose: { translation: [2.1, 0, 0] }, distance: 0.05, mode })).toMatchObject({
        count: 0,
        stats: ONE,
      });
    }
    expect(within(a, b, { ...scaled, distance: 0.05 }).stats).toEqual(ONE);
    expect(distance(a, b, { ...scaled, atMost: 0.05 }).stats).toEqual(ONE);
    expect(arena().usedBytes).toBeLessThanOrEqual(used);
    const before = arena().usedBytes;
    expect(within(a, b, { pose, distance: 0.01 }).stats.volumeTests).toBeGreaterThan(1); // boxes do not tell: trees do
    expect(arena().usedBytes).toBeGreaterThan(before + 4 * a.triangleCount);
    for (const mesh of [a, b]) mesh.dispose();
  });

  it('are told by faces that differ in the last bits, and not by faces that touch', () => {
    const cube = (x: number) => Mesh.from({ positions: [x, 0, 0, x, 1, 0, x, 0, 1] });
    expect(boxesApart(cube(1), cube(1), toRigidPose(undefined))).toBe(false);
    expect(boxesApart(cube(1), cube(1 + 2 ** -23), toRigidPose(undefined))).toBe(true);
  });
});

describe('carved poses', () => {
  it('never share numbers', () => {
    const poses = Array.from({ length: 100 }, () => carvePose());
    for (const pose of poses) expect(pose).toEqual(new Float64Array(12));
    for (const [i, pose] of poses.entries()) pose.fill(i);
    for (const [i, pose] of poses.entries()) expect(pose).toEqual(new Float64Array(12).fill(i));
  });
});
