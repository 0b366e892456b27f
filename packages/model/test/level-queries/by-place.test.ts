/**
 * Pairs of pieces where the error depends on the place: nothing is missed, nothing is farther apart than permitted
 * there, levels differ from place to place, and what was asked before does not matter.
 */
import { Random } from '@impinge/scenes/random';
import { type Allowed, distance, Mesh, within } from 'impinge';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import type { RigidPose, Vec3 } from 'impinge/internal/math/pose.js';
import { expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/solids.mjs';
import { FAST, least, runs } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { FAMILIES, type Shape, trianglesOf } from '../levels/families.js';
import { isStoodFor, patchAt, posed, poseOf, TINY, trianglesApart } from './originals.js';

const SIZE = FAST ? 16 : 32;
const ring = FAMILIES['torus'](SIZE, new Random(1));
const sheet = FAMILIES['terrain'](SIZE, new Random(2));

async function sideOf(shape: Shape) {
  const mesh = Mesh.from(shape);
  const model = await buildLevels(mesh, { pieceTriangles: 64 });
  return { mesh, model, originals: trianglesOf(shape) };
}

const a = await sideOf(sheet);
const b = await sideOf(ring);
const size = Math.max(...a.mesh.box.max.map((x, k) => x - a.mesh.box.min[k]));

interface Case {
  readonly error: Allowed | ((bounds: { box: Float64Array }) => number);
  readonly permitted: (x: ArrayLike<number>) => number;
}

/** What a camera sees, or a function that says the same, or what moves faster farther out. */
function caseOf(random: Random, kind: number): Case {
  const share = 0.2 * 10 ** (-1.5 * random.next());
  const camera = [0, 1, 2].map((k) => a.mesh.box.min[k] + size * random.next()) as unknown as Vec3;
  const apart = (x: ArrayLike<number>) => Math.hypot(x[0] - camera[0], x[1] - camera[1], x[2] - camera[2]);
  if (kind === 0) {
    const view = { pixels: share, camera, angle: 2 * Math.atan(0.5), height: 1 };
    return { error: { view }, permitted: (x) => share * apart(x) };
  }
  if (kind === 1) {
    const nearest = ({ box }: { box: Float64Array }) =>
      Math.hypot(...camera.map((c, k) => Math.max(0, box[k] - c, c - box[k + 3])));
    return { error: (bounds) => share * nearest(bounds), permitted: (x) => share * apart(x) };
  }
  const speed = { seconds: share, b: { velocity: [0, 0, 0], spin: [0, 0, 1], centre: camera } } as const;
  const least = 1e-3 * size;
  return {
    error: { size: least, speed, combined: 'max' },
    permitted: (x) => Math.max(least, share * Math.hypot(x[0] - camera[0], x[1] - camera[1])),
  };
}

test('random places, cameras and speeds', async () => {
  const random = new Random(11);
  const [sideA, sideB] = [new LevelsTarget(a.model), new LevelsTarget(b.model)];
  const seen = { pairs: 0, reports: 0, mixed: 0 };
  const witness = new Float64Array(8);
  for (let run = 0; run < runs(24); run++) {
    const { error, permitted } = caseOf(random, run % 3);
    const pose = poseOf(random, 0.3 * size);
    const apart = 0.03 * size * random.next();
    const found = await within(sideA, sideB, { pose, distance: apart, error });
    const of = async (target: LevelsTarget, side: number, at?: RigidPose) =>
      Promise.all(Array.from({ length: found.count }, (_, i) => patchAt(target, found, 2 * i + side, at)));
    const [ofA, ofB] = [await of(sideA, 0), await of(sideB, 1, pose)];
    if (new Set(ofA.map(({ out }) => out)).size > 2) seen.mixed++;
    const originalsB = posed(b.originals, pose);
    // nothing is missed
    const near = within(a.mesh, b.mesh, { pose, distance: apart * (1 - 1e-12) });
    for (let i = 0; i < near.count; i += Math.ceil(near.count / 40)) {
      const [o, p] = [9 * near.pairs[2 * i], 9 * near.pairs[2 * i + 1]];
      const d = Math.sqrt(distanceSqTriangleTriangle(a.originals, o, originalsB, p, witness));
      if (d > apart) continue;
      seen.pairs++;
      const points = { a: witness.slice(0, 3), b: witness.slice(3, 6), apart: d };
      expect(isStoodFor(points, found.patches!.bounds, ofA, ofB)).toBe(true);
    }
    // nothing is farther apart than permitted, and the bounds say so
    for (let n = 0; n < found.count; n += Math.ceil(found.count / 40)) {
      seen.reports++;
      const off = ofA[n].out + ofA[n].in + ofB[n].out + ofB[n].in;
      const upper = found.patches!.bounds[2 * n + 1];
      expect(upper).toBeLessThanOrEqual(apart + 1.001 * off + TINY);
      expect(found.error).toBeGreaterThanOrEqual(upper - apart - TINY);
      expect(trianglesApart(ofA[n].corners, ofB[n].corners)).toBeLessThanOrEqual(
        apart + 1.001 * (ofA[n].out + ofB[n].out) + TINY,
      );
      // the part of a comes near a place where as much is permitted
      const places = Array.from(ofA[n].corners);
      let most = 0;
      for (let v = 0; v < places.length; v += 3) most = Math.max(most, permitted(places.slice(v, v + 3)));
      expect(off).toBeLessThanOrEqual(most * 1.01 + TINY);
    }
  }
  expect(seen.pairs).toBeGreaterThan(least(200));
  expect(seen.reports).toBeGreaterThan(least(200));
  expect(seen.mixed).toBeGreaterThan(least(6));
  await sideA.dispose();
  await sideB.dispose();
});

test('what is just near enough is found, where coarser levels are farther away', async () => {
  const random = new Random(4);
  const { positions, indices } = icosphere(12, 1);
  const view = { pixels: 0.05, camera: [3, 3, 3], angle: 2 * Math.atan(0.5), height: 1 } as const;
  for (let run = 0; run < runs(8); run++) {
    const ball = Mesh.from({ positions: posed(Float64Array.from(positions), poseOf(random, 0)), indices });
    const stored = new LevelsTarget(await buildLevels(ball, { pieceTriangles: 64 }));
    // boxes of pieces and of the plate are as far apart as what is in them
    const plate = Mesh.from({ positions: [-9, -9, -1.2, 9, -9, -1.2, 0, 9, -1.2] });
    const { distance: apart } = distance(ball, plate);
    const found = await within(stored, plate, { distance: apart * (1 + 1e-9), error: { view } });
    expect(found.within).toBe(true);
    expect(found.error).toBeGreaterThan(0.01);
    await stored.dispose();
  }
});

test('moving cameras and bodies: as if nothing had been asked before', async () => {
  const random = new Random(3);
  const [sideA, sideB] = [new LevelsTarget(a.model), new LevelsTarget(b.model)];
  const pose = poseOf(random, 0.2 * size).slice() as RigidPose;
  const start = caseOf(random, 0).error as unknown as {
    view: { camera: Vec3; pixels: number; angle: number; height: number };
  };
  let differing = 0;
  let last = '';
  for (let step = 0; step < runs(30); step++) {
    for (let k = 9; k < 12; k++) pose[k] += 0.02 * size * (random.next() - 0.5);
    const camera = start.view.camera.map((x) => x + 0.1 * size * Math.sin(step)) as unknown as Vec3;
    const options = {
      pose: pose.slice() as RigidPose,
      distance: 0.01 * size,
      error: { view: { ...start.view, camera } } as Allowed,
    };
    const { stats: _, ...kept } = await within(sideA, sideB, options);
    const [freshA, freshB] = [new LevelsTarget(a.model), new LevelsTarget(b.model)];
    const { stats: __, ...fresh } = await within(freshA, freshB, options);
    expect(kept).toEqual(fresh);
    const now = kept.pieces.join();
    if (now !== last) differing++;
    last = now;
    await freshA.dispose();
    await freshB.dispose();
  }
  expect(differing).toBeGreaterThan(least(10));
  expect(sideA.stats.split).toBeGreaterThan(least(100));
  expect(sideA.stats.merged).toBeGreaterThan(least(100));
  await sideA.dispose();
  await sideB.dispose();
});

test('the distance has the error that is permitted where things are that near, not anywhere', async () => {
  const random = new Random(8);
  const target = new LevelsTarget(a.model);
  const edge = 0.05 * size;
  const plate = Mesh.from({ positions: [0, 0, 0, edge, 0, 0, 0, edge, 0] });
  const { min, max } = a.mesh.box;
  let coarser = 0;
  for (let run = 0; run < runs(20); run++) {
    const { error, permitted } = caseOf(random, run % 3);
    const [x, y] = [0, 1].map((k) => min[k] + (max[k] - min[k]) * random.next());
    const pose = { translation: [x, y, max[2] + 0.05 * size * random.next()] };
    const truth = distance(a.mesh, plate, { pose });
    const found = await distance(target, plate, { pose, error });
    expect(found.bounds[0]).toBeLessThanOrEqual(truth.distance + TINY);
    expect(found.bounds[1]).toBeGreaterThanOrEqual(truth.distance - TINY);
    expect(found.bounds[1] - found.bounds[0]).toBeLessThanOrEqual(found.error + TINY);
    expect(found.error).toBeLessThanOrEqual(permitted(truth.pointA!) + TINY);
    let lowest = Infinity;
    for (let v = 0; v < a.originals.length; v += 3) {
      lowest = Math.min(lowest, permitted(a.originals.subarray(v, v + 3)));
    }
    if (found.error > 2 * lowest) coarser++;
  }
  expect(coarser).toBeGreaterThan(least(4));
  plate.dispose();
  await target.dispose();
});
