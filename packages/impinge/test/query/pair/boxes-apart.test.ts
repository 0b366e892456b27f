/** Meshes that their boxes alone show to be apart, against the exact predicate on every pair of triangles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../scenes/index.mjs';
import { intersectsTriangleTriangle } from '../../../src/geometry/intersect/triangle-triangle.js';
import { carvePose, toRigidPose } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { PairReader } from '../../../src/mesh/pair-reader.js';
import { storedPose } from '../../../src/mesh/stored-pose.js';
import { boxesApart } from '../../../src/query/pair/boxes-apart.js';
import { collide } from '../../../src/query/pair/collide.js';
import { least, runs } from '../../budget.js';

function meets(a: Mesh, b: Mesh, pose: Float64Array): boolean {
  const reader = new PairReader(a, b, storedPose(a, b, pose));
  for (let i = 0; i < a.triangleCount; i++) {
    for (let j = 0; j < b.triangleCount; j++) {
      const corners = reader.read(i, j);
      if (intersectsTriangleTriangle(corners, 0, corners, 9)) return true;
    }
  }
  return false;
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
          const expected = meets(a, b, pose);
          expect(isApart && expected).toBe(false);
          expect(collide(a, b, { pose: { rotation, translation } }).colliding).toBe(expected);
          for (const mesh of [a, b]) mesh.dispose();
        },
      ),
      { seed: 175, numRuns: runs(2000) },
    );
    expect(apart).toBeGreaterThan(least(300));
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
