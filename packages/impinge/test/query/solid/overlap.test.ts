/**
 * How deep two solids overlap: boxes with exact answers, solids of cells against points of space by brute force,
 * decisions against what is permitted.
 */
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, runs } from '../../../../../test/budget.js';
import { IDENTITY, invertPose, posePoint, type RigidPose } from '../../../src/math/pose.js';
import { measureDepth } from '../../../src/query/solid/depth.js';
import { measureOverlap } from '../../../src/query/solid/overlap.js';
import type { Parts } from '../../../src/query/solid/point-query.js';
import { slowDistance, slowLocation, trianglesOf, whole } from '../support/parts.js';
import { type Arrays, box, cellSurface, mesh, moved, sphere, united } from './solids.js';

const HERE = IDENTITY as RigidPose;
const solid = (arrays: Arrays): Parts => whole(mesh(arrays));

/** Lowest and highest corner. */
type Ends = readonly [readonly number[], readonly number[]];
const boxOf = ([low, high]: Ends): Arrays =>
  moved(
    box(high[0] - low[0], high[1] - low[1], high[2] - low[2]),
    ...([0, 1, 2].map((k) => (low[k] + high[k]) / 2) as [number, number, number]),
  );

/** The largest distance from b's surface of a point of a's surface in b, of boxes along the axes. */
function surfaceDepth([lowA, highA]: Ends, [lowB, highB]: Ends): number {
  let deepest = 0;
  for (let axis = 0; axis < 3; axis++) {
    for (const at of [lowA[axis], highA[axis]]) {
      let depth = Infinity;
      for (let k = 0; k < 3; k++) {
        const [low, high] = k === axis ? [at, at] : [lowA[k], highA[k]];
        const middle = Math.min(Math.max((lowB[k] + highB[k]) / 2, low), high);
        depth = Math.min(depth, middle - lowB[k], highB[k] - middle);
      }
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

function exactOverlap(a: Ends, b: Ends): number {
  const surface = Math.max(surfaceDepth(a, b), surfaceDepth(b, a));
  const core = Math.min(
    ...[0, 1, 2].map((k) => (Math.min(a[1][k], b[1][k]) - Math.max(a[0][k], b[0][k])) / 2),
  );
  return core > 2 * surface ? core : surface;
}

describe('boxes along the axes', () => {
  const random = seededRandom(7);
  const eighth = () => Math.floor(8 * random()) / 8;
  const pairs = Array.from({ length: runs(60) }, (_, i): readonly [Ends, Ends] => {
    const low = [eighth(), eighth(), eighth()];
    const a: Ends = [low, low.map((x) => x + 0.5 + eighth())];
    const shift = [0.25, 2 ** -10, 0][i % 3];
    // other boxes, the same one a little beside or smaller, and with faces in common
    const near = (x: number) => x + shift * (Math.floor(3 * random()) - 1);
    const b: Ends = [a[0].map(near), a[1].map(near)];
    return [a, b];
  });

  test('the depth is exact, the bound a hundredth above it at most', () => {
    for (const [a, b] of pairs) {
      const truth = exactOverlap(a, b);
      const { depth, bound, cutShort } = measureOverlap(solid(boxOf(a)), solid(boxOf(b)), HERE, 0);
      expect(cutShort).toBe(false);
      expect(depth).toBeLessThanOrEqual(truth + 1e-9);
      expect(bound).toBeGreaterThanOrEqual(truth - 1e-9);
      expect(bound).toBeLessThanOrEqual(1.0101 * depth + 1e-6);
    }
  });

  test('whatever is permitted, it is decided, and right', () => {
    let permittedOnes = 0;
    for (const [i, [a, b]] of pairs.entries()) {
      const truth = exactOverlap(a, b);
      const permitted = [0.7, 0.995, 1.005, 1.5, 40][i % 5] * Math.max(truth, 2 ** -12);
      const { depth, bound } = measureOverlap(solid(boxOf(a)), solid(boxOf(b)), HERE, permitted);
      expect(depth > permitted || bound <= permitted).toBe(true);
      expect(depth > permitted).toBe(truth > permitted);
      if (bound <= permitted) permittedOnes++;
    }
    expect(permittedOnes).toBeGreaterThan(0.3 * pairs.length);
  });
});

describe('solids of cells, turned a little, some cells exchanged', () => {
  const CELLS = Array.from({ length: 12 }, (_, i) => [i % 2, Math.floor(i / 2) % 3, Math.floor(i / 6)]);

  full.each(Array.from({ length: runs(8) }, (_, seed) => seed))('seed %i', (seed) => {
    const random = seededRandom(300 + seed);
    const cells = CELLS.filter(() => random() < 0.8);
    const others = cells.filter((_, i) => i === 0 || seed % 3 > 0 || random() < 0.8);
    const [a, b] = [solid(cellSurface(cells)), solid(cellSurface(others))];
    const turn = randomRotation(random);
    const amount = seed % 2 === 0 ? 0.01 : 0.2;
    const bToA = Float64Array.from(HERE);
    // a small shift, and for some a turn by the whole
    for (let k = 0; k < 3; k++) bToA[9 + k] = amount * (random() - 0.5);
    if (seed % 4 === 3) bToA.set(turn);
    const surface = measureDepth(a, b, bToA);
    const { depth, bound, point, cutShort } = measureOverlap(a, b, bToA, 0);
    expect(cutShort).toBe(false);
    const back = invertPose(bToA);
    const [trianglesA, trianglesB] = [trianglesOf(a), trianglesOf(b)];
    const inBoth = (p: Float64Array): number => {
      const q = new Float64Array(3);
      posePoint(back, p[0], p[1], p[2], q, 0);
      for (let k = 0; k < 3; k++) q[k] -= b.meshes[0].origin[k];
      const own = p.map((x, k) => x - a.meshes[0].origin[k]);
      const distance = Math.min(slowDistance(trianglesA, own), slowDistance(trianglesB, q));
      const inside = slowLocation(trianglesA, own) === 'inside' && slowLocation(trianglesB, q) === 'inside';
      return inside ? distance : -1;
    };
    let core = -1;
    for (let i = 0; i < 400; i++) {
      core = Math.max(core, inBoth(Float64Array.of(2 * random(), 3 * random(), 2 * random())));
    }
    // the middles of the cells, where cores are
    for (const cell of cells) core = Math.max(core, inBoth(Float64Array.from(cell, (x) => x + 0.5)));
    if (core > 2 * surface.bound) expect(bound).toBeGreaterThanOrEqual(core);
    expect(bound).toBeGreaterThanOrEqual(surface.depth);
    if (depth > surface.bound) {
      expect(depth).toBeGreaterThan(2 * surface.depth);
      expect(Math.abs(inBoth(Float64Array.from(point)) - depth)).toBeLessThan(1e-9);
    } else expect(Math.abs(depth - surface.depth)).toBeLessThanOrEqual(0.011 * depth + 1e-12);
    for (const permitted of [0.5 * bound, 1.2 * bound]) {
      const found = measureOverlap(a, b, bToA, permitted);
      expect(found.depth > permitted).toBe(permitted < depth);
      expect(found.bound <= permitted).toBe(permitted > depth);
    }
  });
});

describe('what a check meets', () => {
  const wall = cellSurface(
    Array.from({ length: 45 }, (_, i) => [i % 9, 0, Math.floor(i / 9)]).filter(
      ([x, , z]) => !(x > 2 && x < 6 && z < 4),
    ),
  );

  test('a door in its opening, off by rounding on all sides, overlaps by rounding', () => {
    const hair = 2 ** -20;
    const door = solid(
      boxOf([
        [3 - hair, 0.25, 0],
        [6 + hair, 0.75, 4 + hair],
      ]),
    );
    const { depth, bound } = measureOverlap(solid(wall), door, HERE, 4 * hair);
    expect(depth).toBeLessThanOrEqual(1.5 * hair);
    expect(bound).toBeLessThanOrEqual(4 * hair);
  });

  test('a wall that is there twice, one a hair beside the other: half its thickness', () => {
    const again = solid(moved(wall, 2 ** -10, 2 ** -10));
    const { depth, bound } = measureOverlap(solid(wall), again, HERE, 0.01);
    expect(depth).toBeGreaterThan(0.49);
    expect(bound).toBeLessThan(0.51);
  });

  test('one of several components shared: how thick that is', () => {
    const plate = box(1, 1, 0.125);
    const object = solid(united(plate, moved(sphere(0.5, 3), 3)));
    const { depth, bound } = measureOverlap(object, solid(plate), HERE, 0.01);
    expect(Math.abs(depth / 0.0625 - 1)).toBeLessThan(0.01);
    expect(bound).toBeLessThanOrEqual(1.0101 * depth);
  });

  test('a ball in a ball that is little larger: its radius', () => {
    const { depth } = measureOverlap(solid(sphere(1)), solid(sphere(0.9)), HERE, 0);
    expect(depth).toBeGreaterThan(0.88);
  });
});
