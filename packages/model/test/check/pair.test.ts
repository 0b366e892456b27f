/** Which kind of clash two objects have, against what is known about boxes, and on solids with known answers. */
import fc from 'fast-check';
import { PlacedPair } from 'impinge/internal/query/solid/placed-pair.js';
import { SolidRelation } from 'impinge/internal/query/solid/solid-relation.js';
import { findMeetingTriangles } from 'impinge/internal/query/solid/surface-contact.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST, full, runs } from '../../../../test/budget.js';
import {
  type Arrays,
  box,
  cellSurface,
  cylinder,
  exploded,
  gridBox,
  moved,
  sphere,
  torus,
  united,
} from '../../../impinge/test/query/solid/solids.js';
import { CLASH_KINDS, type ClashKind, kindBit } from '../../src/check/clash-kinds.js';
import { MeasureStats, measurePair, type PlacedParts } from '../../src/check/measure-pair.js';
import { ALL_KINDS, ask, block, identity, placed, poseOf } from './support.js';

const kindOf = (a: PlacedParts, b: PlacedParts, options = {}): ClashKind | undefined =>
  measurePair(a, b, { ...ask, ...options })?.kind;

type Block = readonly [readonly number[], readonly number[]];

/** What two boxes that stand along the axes have. */
function kindOfBlocks([minA, maxA]: Block, [minB, maxB]: Block): ClashKind | undefined {
  const axes = [0, 1, 2];
  if (axes.some((k) => maxA[k] < minB[k] || maxB[k] < minA[k])) return undefined;
  if (axes.every((k) => minA[k] === minB[k] && maxA[k] === maxB[k])) return 'duplicate';
  if (axes.some((k) => maxA[k] === minB[k] || maxB[k] === minA[k])) return 'touch';
  return facesCross([minA, maxA], [minB, maxB]) || facesCross([minB, maxB], [minA, maxA]) ? 'hard' : 'inside';
}

/** Whether some face of the first passes through a face of the second: both go on beyond their common line. */
function facesCross([minA, maxA]: Block, [minB, maxB]: Block): boolean {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      if (i === j) continue;
      const k = 3 - i - j;
      if (!(Math.min(maxA[k], maxB[k]) > Math.max(minA[k], minB[k]))) continue;
      for (const x of [minA[i], maxA[i]]) {
        for (const y of [minB[j], maxB[j]]) {
          if (minB[i] < x && x < maxB[i] && minA[j] < y && y < maxA[j]) return true;
        }
      }
    }
  }
  return false;
}

const coordinate = fc.integer({ min: 0, max: 4 });
const blocks = fc
  .tuple(coordinate, coordinate, coordinate, coordinate, coordinate, coordinate)
  .map(([x, y, z, u, v, w]): Block => {
    const low = [Math.min(x, u), Math.min(y, v), Math.min(z, w)];
    const high = [Math.max(x, u), Math.max(y, v), Math.max(z, w)];
    return [low, high.map((h, k) => (h === low[k] ? h + 1 : h))];
  });

describe('boxes along the axes', () => {
  test('as intervals tell, seed 31', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(blocks, blocks, (a, b) => {
        const expected = kindOfBlocks(a, b);
        seen.set(String(expected), (seen.get(String(expected)) ?? 0) + 1);
        const [placedA, placedB] = [placed(block(...a)), placed(block(...b))];
        expect(kindOf(placedA, placedB)).toBe(expected);
        expect(kindOf(placedB, placedA)).toBe(expected);
      }),
      { seed: 31, numRuns: runs(1000), endOnFailure: true },
    );
    if (!FAST) expect([...seen.keys()].sort()).toEqual(['duplicate', 'hard', 'inside', 'touch', 'undefined']);
  });

  test('however they are cut into triangles, seed 32', () => {
    fc.assert(
      fc.property(blocks, blocks, fc.boolean(), ([minA, maxA], [minB, maxB], apart) => {
        const sizes = (min: readonly number[], max: readonly number[]) => max.map((x, k) => x - min[k]);
        const fine = gridBox(minA, sizes(minA, maxA));
        const a = placed(apart ? exploded(fine) : fine);
        const expected = kindOfBlocks([minA, maxA], [minB, maxB]);
        const b = placed(block(minB, maxB));
        const fineB = placed(gridBox(minB, sizes(minB, maxB)));
        if (expected === 'duplicate') {
          // the same solid, another surface: unless the corners agree, one lies inside the other
          expect(kindOf(a, fineB)).toBe('duplicate');
          expect(['duplicate', 'inside']).toContain(kindOf(a, b));
          return;
        }
        expect(kindOf(a, b)).toBe(expected);
        // here surfaces cross along edges only
        expect(kindOf(a, fineB)).toBe(expected);
      }),
      { seed: 32, numRuns: runs(150), endOnFailure: true },
    );
  });

  test('turned together by any angle, seed 34', () => {
    const turns = fc.tuple(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
    );
    fc.assert(
      fc.property(blocks, blocks, turns, ([minA, maxA], [minB, maxB], [x, y, z, angle]) => {
        const expected = kindOfBlocks([minA, maxA], [minB, maxB]);
        const half = (min: readonly number[], max: readonly number[]) =>
          max.map((u, k) => 0.5 * (u + min[k]));
        const pose = (min: readonly number[], max: readonly number[]) => {
          const turned = poseOf([x, y, z], angle);
          const [u, v, w] = half(min, max);
          for (let k = 0; k < 3; k++)
            turned[9 + k] = turned[3 * k] * u + turned[3 * k + 1] * v + turned[3 * k + 2] * w;
          return turned;
        };
        const centred = (min: readonly number[], max: readonly number[]) =>
          box(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
        const a = placed(centred(minA, maxA), pose(minA, maxA));
        const b = placed(centred(minB, maxB), pose(minB, maxB));
        const kind = kindOf(a, b);
        // rounding may open a touch, or turn it into the thinnest of overlaps; depth must tell that it is one
        if (expected === 'touch' || expected === undefined) expect([expected, undefined]).toContain(kind);
        else expect(kind).toBe(expected);
      }),
      { seed: 34, numRuns: runs(300), endOnFailure: true },
    );
  });
});

describe('solids', () => {
  const random = seededRandom(41);
  const anyPose = () =>
    poseOf(
      [random() - 0.5, random() - 0.5, random() + 0.1],
      3 * random(),
      [random(), random(), random()].map((x) => 0.8 * (x - 0.5)),
    );

  test('one in the other is inside, apart is nothing, closer than asked is clearance', () => {
    const outer = placed(sphere(2, 8));
    const inner = placed(sphere(0.5, 4));
    const found = measurePair(outer, inner, ask)!;
    expect(found.kind).toBe('inside');
    expect(found.form).toBeUndefined();
    expect(found.trianglePairs).toBe(0);
    expect(found.depth).toBeGreaterThan(1.4);
    expect(found.box.max[0]).toBeCloseTo(0.5, 6);
    const away = placed(moved(sphere(0.5, 4), 3, 0, 0));
    expect(kindOf(outer, away)).toBeUndefined();
    const close = measurePair(outer, away, { ...ask, clearance: 0.6 })!;
    expect(close.kind).toBe('clearance');
    expect(close.distance).toBeCloseTo(0.5, 1);
    expect(close.point[0]).toBeCloseTo(2.25, 1);
    expect(kindOf(outer, away, { clearance: 0.4 })).toBeUndefined();
    expect(kindOf(outer, inner, { clearance: 10 })).toBe('inside');
    expect(kindOf(outer, inner, { clearance: 10, kinds: kindBit('clearance') })).toBeUndefined();
  });

  test('a hollow one holds what is in its wall, not what is in its hole', () => {
    const shell = united(sphere(2, 8), sphere(1, 8));
    expect(kindOf(placed(shell), placed(sphere(0.5, 3)))).toBeUndefined();
    expect(kindOf(placed(shell), placed(moved(sphere(0.2, 3), 1.5)))).toBe('inside');
  });

  test('several components: one of them inside is enough', () => {
    const some = united(moved(sphere(0.2, 3), 5), moved(sphere(0.2, 3), 6), sphere(0.2, 3));
    expect(kindOf(placed(some), placed(sphere(1, 6)))).toBe('inside');
    expect(kindOf(placed(exploded(some)), placed(sphere(1, 6)))).toBe('inside');
    const none = united(moved(sphere(0.2, 3), 5), moved(sphere(0.2, 3), -5));
    expect(kindOf(placed(none), placed(sphere(1, 6)))).toBeUndefined();
    // one touches from outside, another is inside
    const both = united(block([1, -1, -1], [2, 1, 1]), block([-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]));
    expect(kindOf(placed(both), placed(block([-1, -1, -1], [1, 1, 1])))).toBe('inside');
    const outside = united(block([1, -1, -1], [2, 1, 1]), block([3, -0.2, -0.2], [4, 0.2, 0.2]));
    expect(kindOf(placed(outside), placed(block([-1, -1, -1], [1, 1, 1])))).toBe('touch');
  });

  test('touching from within in points only is inside, from without touch', () => {
    const octahedron = {
      positions: [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1],
      indices: [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
    };
    // all six corners lie on the cube's faces
    expect(kindOf(placed(octahedron), placed(box(2, 2, 2)))).toBe('inside');
    expect(kindOf(placed(octahedron), placed(moved(box(2, 2, 2), 2)))).toBe('touch');
    const notched = cellSurface([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ]);
    // in the notch of an L: the boxes overlap, the solids only touch
    expect(kindOf(placed(notched), placed(block([1, 1, 0], [2, 2, 1])))).toBe('touch');
    expect(kindOf(placed(notched), placed(block([1, 1, 0], [1.5, 1.5, 0.5])))).toBe('touch');
    expect(kindOf(placed(notched), placed(block([0, 0, 0], [1, 0.5, 0.5])))).toBe('inside');
    expect(kindOf(placed(notched), placed(moved(sphere(0.25, 3), 1.6, 1.6, 0.5)))).toBeUndefined();
  });

  test('a pipe through a plate is piercing, however coarse; one that ends in it protruding', () => {
    const plate = placed(block([-2, -2, -0.1], [2, 2, 0.1]));
    const pipe = cylinder(0.3, 4, 12);
    const through = measurePair(placed(pipe), plate, ask)!;
    expect([through.kind, through.form]).toEqual(['hard', 'piercing']);
    expect(through.box.min[2]).toBeCloseTo(-0.1, 6);
    expect(through.box.max[2]).toBeCloseTo(0.1, 6);
    expect(measurePair(placed(moved(pipe, 0, 0, 2)), plate, ask)!.form).toBe('protruding');
    const tilted = placed(pipe, poseOf([1, 0.2, 0], 0.5));
    expect(measurePair(tilted, plate, ask)!.form).toBe('piercing');
    // two legs that end in the plate: two loops as well
    const legs = united(moved(pipe, 1, 0, 2), moved(pipe, -1, 0, 2));
    expect(measurePair(placed(legs), plate, ask)!.form).toBe('piercing');
  });

  test('walls that cross with tops and bottoms in one plane are piercing; a wall that ends in one protruding', () => {
    const wall = placed(block([-3, -0.5, 0], [3, 0.5, 2]));
    const form = (other: PlacedParts) => measurePair(wall, other, ask)!.form;
    expect(form(placed(block([-0.5, -3, 0], [0.5, 3, 2])))).toBe('piercing');
    expect(form(placed(block([-0.5, 0, 0], [0.5, 3, 2])))).toBe('protruding');
    expect(form(placed(gridBox([-0.5, -3, 0], [1, 6, 2])))).toBe('piercing');
    // flush with the floor only
    expect(form(placed(block([-0.5, -3, 0], [0.5, 3, 1])))).toBe('piercing');
    expect(form(placed(block([2.5, -0.5, 0], [4, 2, 2])))).toBe('protruding');
  });

  test('what touches an open surface has no depth behind it, whichever way that faces', () => {
    // a sheet over a column, and a flap to one side, so that the column stands in its box
    const positions = [-2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0, 2, 2, -3, 2, -2, -3];
    const indices = [0, 1, 2, 0, 2, 3, 2, 1, 5, 2, 5, 4];
    const column = placed(block([-0.5, -0.5, -1], [0.5, 0.5, 0]));
    for (const order of [indices, [...indices].reverse()]) {
      const sheet = placed({ positions, indices: order });
      const pair = PlacedPair.inOrder(sheet, column);
      expect(new SolidRelation(pair, findMeetingTriangles(pair)).depth.depth).toBe(0);
      expect(kindOf(sheet, column)).toBe('touch');
      // through it, it has
      const through = placed(block([-0.5, -0.5, -1], [0.5, 0.5, 0.2]));
      expect(measurePair(sheet, through, ask)).toMatchObject({ kind: 'hard' });
      expect(measurePair(sheet, through, ask)!.depth).toBeGreaterThan(0.19);
    }
  });

  test('open surfaces that cross are hard, that share an edge touch', () => {
    const sheet = (n: number): Arrays => {
      const positions: number[] = [];
      const indices: number[] = [];
      for (let j = 0; j <= n; j++)
        for (let i = 0; i <= n; i++) positions.push((2 * i) / n - 1, (2 * j) / n - 1, 0);
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) {
          const c = j * (n + 1) + i;
          indices.push(c, c + 1, c + n + 2, c, c + n + 2, c + n + 1);
        }
      }
      return { positions, indices };
    };
    const upright = (arrays: Arrays, y = 0, z = 0): Arrays => {
      const p = Array.from(arrays.positions);
      const positions = p.map((_, i) => (i % 3 === 0 ? p[i] : i % 3 === 1 ? y : p[i - 1] + z));
      return { positions, indices: arrays.indices };
    };
    for (const n of [1, 2, 3, 4]) {
      expect(kindOf(placed(sheet(n)), placed(upright(sheet(n))))).toBe('hard');
      expect(kindOf(placed(sheet(n)), placed(upright(sheet(n), 0, 1)))).toBe('touch');
      expect(kindOf(placed(sheet(n)), placed(upright(sheet(n), 1)))).toBe('touch');
      expect(kindOf(placed(sheet(n)), placed(sheet(n + 1)))).toBe('touch');
    }
    // an open one in a closed one
    expect(kindOf(placed(sheet(2)), placed(box(4, 4, 4)))).toBe('inside');
  });

  test('the same geometry in the same place is a duplicate, whatever its pose and its triangles', () => {
    const part = torus(1, 0.3, 12, 8);
    expect(kindOf(placed(part), placed(part))).toBe('duplicate');
    const shuffled = exploded(part);
    expect(kindOf(placed(part), placed(shuffled))).toBe('duplicate');
    const pose = anyPose();
    const turned = poseOf([0, 0, 1], Math.PI / 2);
    const quarter = box(1, 1, 3);
    expect(kindOf(placed(quarter), placed(quarter, turned))).toBe('duplicate');
    expect(kindOf(placed(part, pose), placed(part, pose.slice()))).toBe('duplicate');
    expect(kindOf(placed(quarter), placed(moved(quarter, 1e-9)))).toBe('duplicate');
    expect(kindOf(placed(quarter), placed(moved(quarter, 1e-3)))).not.toBe('duplicate');
    expect(
      kindOf(placed(quarter), placed(quarter), { kinds: ALL_KINDS & ~kindBit('duplicate') }),
    ).toBeUndefined();
    expect(measurePair(placed(quarter), placed(quarter), ask)).toMatchObject({
      point: [0, 0, 0],
      trianglePairs: 0,
    });
  });

  full('results do not depend on order or parts, seed 42', () => {
    const shapes = [
      sphere(0.7, 3),
      torus(0.8, 0.25, 10, 7),
      cylinder(0.3, 2, 9),
      box(1, 1.4, 0.5),
      gridBox([0, 0, 0], [2, 1, 1], 0.5),
    ];
    const kinds = new Set<string>();
    for (let i = 0; i < 60; i++) {
      const shapeA = shapes[Math.floor(random() * shapes.length)];
      const shapeB = shapes[Math.floor(random() * shapes.length)];
      const [poseA, poseB] = i % 3 === 0 ? [identity(), identity()] : [anyPose(), anyPose()];
      const whole = measurePair(placed(shapeA, poseA), placed(shapeB, poseB), { ...ask, clearance: 0.2 });
      const swapped = measurePair(placed(shapeB, poseB), placed(shapeA, poseA), { ...ask, clearance: 0.2 });
      expect(swapped).toEqual(whole);
      const parts = 1 + Math.floor(5 * random());
      const split = () => Math.floor(parts * random());
      const pieces = measurePair(placed(shapeA, poseA, split), placed(shapeB, poseB, split), {
        ...ask,
        clearance: 0.2,
      });
      kinds.add(String(whole?.kind));
      expect(pieces?.kind).toBe(whole?.kind);
      if (!whole || !pieces) continue;
      expect(pieces.form).toBe(whole.form);
      expect(pieces.trianglePairs).toBe(whole.trianglePairs);
      expect(pieces.distance).toBeCloseTo(whole.distance, 12);
      expect(pieces.depth).toBeLessThanOrEqual(whole.depthBound + 1e-12);
      expect(pieces.depthBound).toBeGreaterThanOrEqual(whole.depth - 1e-12);
      for (const end of ['min', 'max'] as const) {
        for (let k = 0; k < 3; k++) expect(pieces.box[end][k]).toBeCloseTo(whole.box[end][k], 12);
      }
    }
    expect(kinds.has('hard') && kinds.has('duplicate')).toBe(true);
  });

  test('moved far away and turned, the kind stays, seed 43', () => {
    const shapes = [sphere(0.7, 3), torus(0.8, 0.25, 10, 7), cylinder(0.3, 2, 9)];
    for (let i = 0; i < 20; i++) {
      const [shapeA, shapeB] = [shapes[i % 3], shapes[Math.floor(i / 3) % 3]];
      const [poseA, poseB] = [anyPose(), anyPose()];
      const far = [1e5 * random(), 1e5 * random(), 1e3];
      const away = (pose: Float64Array) => pose.map((x, k) => (k < 9 ? x : x + far[k - 9]));
      const here = measurePair(placed(shapeA, poseA), placed(shapeB, poseB), ask);
      const there = measurePair(placed(shapeA, away(poseA)), placed(shapeB, away(poseB)), ask);
      expect(there?.kind).toBe(here?.kind);
      expect(there?.form).toBe(here?.form);
      if (here && there) expect(there.depth).toBeCloseTo(here.depth, 2);
    }
  });
});

describe('what is asked', () => {
  const a = placed(block([0, 0, 0], [2, 2, 2]));
  const shallow = placed(block([1.99, 0.5, 0.5], [4, 1.5, 1.5]));
  const touching = placed(block([2, 0.5, 0.5], [4, 1.5, 1.5]));

  test('overlaps within the tolerance count as touching', () => {
    expect(kindOf(a, shallow)).toBe('hard');
    expect(kindOf(a, shallow, { tolerance: 0.02 })).toBe('touch');
    expect(kindOf(a, shallow, { tolerance: 0.005 })).toBe('hard');
    expect(kindOf(a, shallow, { tolerance: 0.02, kinds: kindBit('hard') })).toBeUndefined();
    // boxes do not tell here
    const turn = poseOf([0.3, 0.2, 1], 0.7);
    const [turnedA, turnedB] = [
      placed(block([0, 0, 0], [2, 2, 2]), turn),
      placed(block([1.99, 0.5, 0.5], [4, 1.5, 1.5]), turn),
    ];
    expect(kindOf(turnedA, turnedB)).toBe('hard');
    expect(kindOf(turnedA, turnedB, { tolerance: 0.02 })).toBe('touch');
    expect(kindOf(turnedA, turnedB, { tolerance: 0.005 })).toBe('hard');
  });

  test('one in the same place but for a hair is not within the tolerance', () => {
    const hair = [0.003, 0.004, 0.005];
    const again = placed(moved(box(1, 1, 1), hair[0], hair[1], hair[2]));
    expect(kindOf(placed(box(1, 1, 1)), again, { tolerance: 0.02 })).toBe('hard');
    expect(kindOf(placed(box(1, 1, 1)), placed(box(0.99, 0.99, 0.99)), { tolerance: 0.02 })).toBe('inside');
    expect(kindOf(placed(box(1, 1, 1)), placed(moved(box(1, 1, 1), 0.005)), { tolerance: 0.02 })).toBe(
      'inside',
    );
  });

  test('reported overlaps are deeper than the tolerance, by the depth that is told', () => {
    const again = placed(moved(box(1, 1, 1), 0.003, 0.004, 0.005));
    for (const tolerance of [0.001, 0.004, 0.006, 0.02, 0.3]) {
      const found = measurePair(placed(box(1, 1, 1)), again, { ...ask, tolerance });
      expect(found).toMatchObject({ kind: 'hard' });
      expect(found!.depth).toBeGreaterThan(tolerance);
    }
    // the middle of what both share is 0.4975 deep
    expect(kindOf(placed(box(1, 1, 1)), again, { tolerance: 0.498 })).toBe('touch');
  });

  test('what rounding may have done counts as touching', () => {
    const rounded = (object: PlacedParts, rounding: number, curveError = 0): PlacedParts => ({
      ...object,
      rounding,
      curveError,
    });
    expect(kindOf(rounded(a, 0.004), rounded(shallow, 0.004))).toBe('hard');
    expect(kindOf(rounded(a, 0.006), rounded(shallow, 0.006))).toBe('touch');
    // facets of curves make things smaller, never larger
    expect(kindOf(rounded(a, 0, 0.02), rounded(shallow, 0, 0.02))).toBe('hard');
    const apart = placed(block([2.01, 0.5, 0.5], [4, 1.5, 1.5]));
    const near = { clearance: 0.05, tolerance: 0 };
    expect(kindOf(a, apart, near)).toBe('clearance');
    expect(kindOf(rounded(a, 0.004), rounded(apart, 0.004), near)).toBe('clearance');
    for (const [rounding, curveError] of [
      [0.006, 0],
      [0.001, 0.005],
    ]) {
      const pair = [rounded(a, rounding, curveError), rounded(apart, rounding, curveError)] as const;
      const found = measurePair(...pair, { ...ask, ...near });
      expect(found).toMatchObject({ kind: 'touch', depth: 0 });
      expect(found!.distance).toBeCloseTo(0.01, 6);
      expect(kindOf(...pair)).toBe('touch');
      const stats = new MeasureStats();
      const kinds = kindBit('hard') | kindBit('clearance');
      expect(measurePair(...pair, { ...near, kinds }, undefined, stats)).toBeUndefined();
      expect(stats.touches).toBe(1);
    }
  });

  test('kinds that are not asked for are not reported', () => {
    for (const kind of CLASH_KINDS) {
      const only = { kinds: kindBit(kind), clearance: 0.5 };
      expect(kindOf(a, shallow, only)).toBe(kind === 'hard' ? 'hard' : undefined);
      expect(kindOf(a, touching, only)).toBe(kind === 'touch' ? 'touch' : undefined);
    }
  });

  test('statistics count what was done', () => {
    const stats = new MeasureStats();
    const found = measurePair(a, shallow, ask, undefined, stats)!;
    expect(stats).toMatchObject({ pairs: 1, depthSearches: 1, trianglePairs: found.trianglePairs });
    measurePair(a, touching, { ...ask, kinds: kindBit('hard') }, undefined, stats);
    expect(stats).toMatchObject({ pairs: 2, depthSearches: 1, trianglePairs: found.trianglePairs });
  });

  test('negative or undefined numbers are refused', () => {
    expect(() => measurePair(a, shallow, { ...ask, clearance: -1 })).toThrow(/clearance and tolerance/);
    expect(() => measurePair(a, shallow, { ...ask, tolerance: Number.NaN })).toThrow(
      /clearance and tolerance/,
    );
  });
});
