/** Pairs of pieces as fine as a budget allows: nothing is missed whatever it is, and the bounds say how fine. */
import { Random } from '@impinge/scenes/random';
import { Mesh, within } from 'impinge';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { expect, test } from 'vitest';
import { FAST, least, runs } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { FAMILIES, type Shape, trianglesOf } from '../levels/families.js';
import { isStoodFor, patchAt, posed, poseOf, TINY, trianglesApart } from './originals.js';

const SIZE = FAST ? 16 : 32;

async function sideOf(shape: Shape) {
  const mesh = Mesh.from(shape);
  const target = new LevelsTarget(await buildLevels(mesh, { pieceTriangles: 64 }));
  return { mesh, target, originals: trianglesOf(shape) };
}

const a = await sideOf(FAMILIES['terrain'](SIZE, new Random(2)));
const b = await sideOf(FAMILIES['torus'](SIZE, new Random(1)));
const size = Math.max(...a.mesh.box.max.map((x, k) => x - a.mesh.box.min[k]));
const BUDGETS = [1, 100, 1000, 10_000, 1e9];

test('random poses: nothing missed, nothing beyond the bounds, finer for more', async () => {
  const random = new Random(6);
  const seen = { pairs: 0, reports: 0, finer: 0 };
  const witness = new Float64Array(8);
  for (let run = 0; run < runs(10); run++) {
    const pose = poseOf(random, 0.3 * size);
    const apart = 0.02 * size * random.next();
    const error = 0.002 * size;
    const near = within(a.mesh, b.mesh, { pose, distance: apart * (1 - 1e-12) });
    const originalsB = posed(b.originals, pose);
    let last = Infinity;
    for (const tests of BUDGETS) {
      const options = { pose, distance: apart, error, budget: { tests } };
      const found = await within(a.target, b.target, options);
      const of = async (target: LevelsTarget, side: number, at?: RigidPose) =>
        Promise.all(Array.from({ length: found.count }, (_, i) => patchAt(target, found, 2 * i + side, at)));
      const [ofA, ofB] = [await of(a.target, 0), await of(b.target, 1, pose)];
      for (let i = 0; i < near.count; i += Math.ceil(near.count / 20)) {
        const [o, p] = [9 * near.pairs[2 * i], 9 * near.pairs[2 * i + 1]];
        const d = Math.sqrt(distanceSqTriangleTriangle(a.originals, o, originalsB, p, witness));
        if (d > apart) continue;
        seen.pairs++;
        const points = { a: witness.slice(0, 3), b: witness.slice(3, 6), apart: d };
        expect(isStoodFor(points, found.patches!.bounds, ofA, ofB)).toBe(true);
      }
      let largest = 0;
      for (let n = 0; n < found.count; n++) {
        const off = ofA[n].out + ofA[n].in + ofB[n].out + ofB[n].in;
        largest = Math.max(largest, off);
        expect(found.patches!.bounds[2 * n + 1]).toBeGreaterThanOrEqual(apart + off);
        expect(found.patches!.bounds[2 * n + 1]).toBeLessThanOrEqual(apart + 1.001 * off + TINY);
        if (n % 7 > 0) continue;
        seen.reports++;
        expect(trianglesApart(ofA[n].corners, ofB[n].corners)).toBeLessThanOrEqual(
          apart + 1.001 * (ofA[n].out + ofB[n].out) + TINY,
        );
      }
      expect(found.error).toBeCloseTo(Math.max(error, largest), 3);
      // the pair with the largest error is refined first
      expect(found.error).toBeLessThanOrEqual(last);
      if (found.error < 0.9 * last && last < Infinity) seen.finer++;
      last = found.error;
    }
    // enough is left: as asked
    expect(last).toBe(error);
  }
  expect(seen.pairs).toBeGreaterThan(least(100));
  expect(seen.reports).toBeGreaterThan(least(100));
  expect(seen.finer).toBeGreaterThan(least(5));
});

test('time: by the clock that is given, and no more after that than a few pairs', async () => {
  const pose = poseOf(new Random(6), 0.3 * size);
  const ask = async (ms: number) => {
    let clock = 0;
    const budget = { ms, now: () => clock++ };
    const found = await within(a.target, b.target, { pose, distance: 0, error: 0.002 * size, budget });
    return { found, looks: clock };
  };
  const few = await ask(1);
  const many = await ask(1e9);
  expect(few.looks).toBeLessThan(4);
  expect(many.looks).toBeGreaterThan(few.looks);
  expect(few.found.error).toBeGreaterThan(many.found.error);
  expect(few.found.stats.volumeTests).toBeLessThan(many.found.stats.volumeTests);
});

test('exact questions have no budget; what is wrong about one is said', async () => {
  const options = { pose: poseOf(new Random(6), 0.3 * size), distance: 0, error: 0.1, budget: { tests: 1 } };
  const { stats: _, ...exact } = await within(a.target, b.target, { ...options, exact: true });
  const { stats: __, ...plain } = await within(a.target, b.target, { pose: options.pose, distance: 0 });
  expect(exact).toEqual(plain);
  const { stats: ___, ...withNone } = await within(a.target, b.target, { ...options, error: 0 });
  expect(withNone).toEqual(plain);
  const asked = within(a.target, b.target, { ...options, budget: { tests: 0 } });
  await expect(asked).rejects.toThrow('budget.tests must be an integer');
});
