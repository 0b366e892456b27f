/** `contains`, `contacts` and `penetration` agree with a check about the same pair, and with what is known of it. */
import fc from 'fast-check';
import { composePoses, toRigidPose } from 'impinge/internal/math/pose.js';
import type { SolidRelation } from 'impinge/internal/query/solid/containment.js';
import { penetration } from 'impinge/internal/query/solid/penetration.js';
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../lab/scenes/index.mjs';
import { every, full, least, runs } from '../../../../test/budget.js';
import {
  type Arrays,
  box,
  cellSurface,
  cylinder,
  exploded,
  gridBox,
  mesh,
  moved,
  sphere,
  torus,
  united,
} from '../../../impinge/test/query/solid/solids.js';
import { block, poseOf } from '../check/support.js';
import { expectAgreement } from './agreement.js';

const shapes: Record<string, Arrays> = {
  box: box(1.2, 0.8, 1),
  'cut box': gridBox([-0.5, -0.5, -0.5], [4, 4, 4], 0.25),
  ball: sphere(0.7, 4),
  torus: torus(0.8, 0.3, 14, 8),
  cylinder: cylinder(0.4, 1.6, 12),
  hollow: united(sphere(1, 4), sphere(0.7, 4)),
};
const names = Object.keys(shapes);
const WHOLE = new Set(['box', 'cut box', 'ball', 'torus', 'cylinder']);

test('random solids anywhere, fast-check, seed 71', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.constantFrom(...names),
      fc.constantFrom(0.15, 0.5, 1),
      fc.integer({ min: 0, max: 2 ** 30 }),
      (first, second, scale, seed) => {
        const random = seededRandom(seed);
        const small = {
          positions: Float64Array.from(shapes[second].positions, (x) => scale * x),
          indices: shapes[second].indices,
        };
        const pose = toRigidPose({
          rotation: randomRotation(random),
          translation: [0, 1, 2].map(() => 1.6 * (random() - 0.5)),
        });
        const whole = WHOLE.has(first) && WHOLE.has(second);
        const [a, b] = [mesh(shapes[first]), mesh(small)];
        const { measure, relation } = expectAgreement(a, b, pose, whole);
        seen.set(relation, (seen.get(relation) ?? 0) + 1);
        a.dispose();
        b.dispose();
        if (measure) expect(measure.depth).toBeGreaterThan(0);
      },
    ),
    { seed: 71, numRuns: runs(80) },
  );
  for (const relation of ['crossing', 'b-inside-a', 'disjoint']) {
    expect(seen.get(relation) ?? 0).toBeGreaterThan(least(0));
  }
});

/** What cells on a grid have: known from the sets. */
function relationOfCells(cellsA: readonly number[][], cellsB: readonly number[][]): SolidRelation {
  const inB = new Set(cellsB.map(String));
  const common = cellsA.filter((cell) => inB.has(String(cell))).length;
  if (common === 0) {
    const near = cellsA.some((p) => cellsB.some((q) => p.every((x, k) => Math.abs(x - q[k]) <= 1)));
    return near ? 'touching' : 'disjoint';
  }
  if (common === cellsA.length) return common === cellsB.length ? 'equal' : 'a-inside-b';
  return common === cellsB.length ? 'b-inside-a' : 'crossing';
}

const cell = fc.tuple(
  fc.integer({ min: 0, max: 2 }),
  fc.integer({ min: 0, max: 2 }),
  fc.integer({ min: 0, max: 1 }),
);
const cells = fc.uniqueArray(cell, { minLength: 1, maxLength: 7, selector: String });

describe('solids of cells, where faces coincide', () => {
  full('as they are stored, fast-check, seed 72', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(cells, cells, fc.nat(3), (cellsA, cellsB, how) => {
        const others = how === 0 ? cellsA.slice(0, 1 + (cellsA.length >> 1)) : how === 1 ? cellsA : cellsB;
        const [a, b] = [mesh(cellSurface(cellsA)), mesh(cellSurface(others))];
        const { relation } = expectAgreement(a, b);
        expect(relation).toBe(relationOfCells(cellsA, others));
        seen.add(relation);
      }),
      { seed: 72, numRuns: runs(60) },
    );
    expect(seen.size).toBeGreaterThanOrEqual(least(4));
  });

  test('shifted apart and back by their poses, fast-check, seed 73', () => {
    fc.assert(
      fc.property(cells, cells, fc.nat(3), (cellsA, cellsB, how) => {
        const others = how === 0 ? cellsA.slice(0, 1 + (cellsA.length >> 1)) : how === 1 ? cellsA : cellsB;
        const a = mesh(cellSurface(cellsA));
        const b = mesh(moved(cellSurface(others), 3, -2, 1));
        const { relation } = expectAgreement(a, b, toRigidPose({ translation: [-3, 2, -1] }));
        expect(relation).toBe(relationOfCells(cellsA, others));
      }),
      { seed: 73, numRuns: runs(40) },
    );
  });

  full('turned to and fro by their poses, which rounds, fast-check, seed 74', () => {
    fc.assert(
      fc.property(cells, cells, fc.nat(3), fc.constantFrom(0.3, 1, 2.5), (cellsA, cellsB, how, angle) => {
        const others = how === 0 ? cellsA.slice(0, 1 + (cellsA.length >> 1)) : how === 1 ? cellsA : cellsB;
        const pose = composePoses(poseOf([1, 2, 0.5], angle), poseOf([1, 2, 0.5], -angle));
        const { relation } = expectAgreement(mesh(cellSurface(cellsA)), mesh(cellSurface(others)), pose);
        const expected = relationOfCells(cellsA, others);
        // rounding may open a touch, and nothing else
        expect(expected === 'touching' ? ['touching', 'disjoint'] : [expected]).toContain(relation);
      }),
      { seed: 74, numRuns: runs(40) },
    );
  });
});

describe('pairs that are known', () => {
  const four = () => mesh(gridBox([0, 0, 0], [4, 4, 4]));

  test.each<[string, Arrays, string | undefined, SolidRelation]>([
    ['apart', block([5, 0, 0], [6, 1, 1]), undefined, 'disjoint'],
    ['a face', block([4, 0, 0], [6, 2, 2]), 'touch', 'touching'],
    ['part of a face', block([4, 0.3, 0.4], [6, 2.1, 2.7]), 'touch', 'touching'],
    ['an edge', block([4, 4, 1], [5, 5, 2]), 'touch', 'touching'],
    ['a corner', block([4, 4, 4], [5, 5, 5]), 'touch', 'touching'],
    ['nested', block([1, 1, 1], [2, 2, 2]), 'inside', 'b-inside-a'],
    ['nested, a face in common', block([0, 1, 1], [1, 2, 2]), 'inside', 'b-inside-a'],
    ['around', block([-1, -1, -1], [5, 5, 5]), 'inside', 'a-inside-b'],
    ['around, three faces in common', block([0, 0, 0], [5, 5, 5]), 'inside', 'a-inside-b'],
    ['equal, cut differently', block([0, 0, 0], [4, 4, 4]), 'inside', 'equal'],
    ['equal', gridBox([0, 0, 0], [4, 4, 4]), 'duplicate', 'equal'],
    ['equal, without shared vertices', exploded(gridBox([0, 0, 0], [4, 4, 4])), 'duplicate', 'equal'],
    ['a corner inside', block([3, 3, 3], [5, 5, 5]), 'hard', 'crossing'],
    ['right through', block([-1, 1, 1], [5, 2, 2]), 'hard', 'crossing'],
    ['of one height, side by side in part', block([2, 0, 0], [6, 4, 4]), 'inside', 'crossing'],
    [
      'two, one inside and one outside',
      united(block([1, 1, 1], [2, 2, 2]), block([6, 6, 6], [7, 7, 7])),
      'inside',
      'crossing',
    ],
    [
      'a plug in a hole, and a piece of it',
      united(block([1, 1, 4], [2, 2, 5]), block([1, 1, 1], [2, 2, 2])),
      'inside',
      'crossing',
    ],
  ])('%s', (_, other, kind, relation) => {
    const found = expectAgreement(four(), mesh(other));
    expect([found.measure?.kind, found.relation]).toEqual([kind, relation]);
    const back = expectAgreement(mesh(other), four());
    expect(back.measure?.kind).toBe(kind);
    // the same by poses, along the axes and turned
    for (const turn of every([poseOf([0, 0, 1], 0), poseOf([1, 1, 0], 0.7)], 2)) {
      const placed = expectAgreement(four(), mesh(other), turn);
      if (turn[0] === 1) expect(placed.relation).toBe(relation);
    }
  });

  test('a strip of a large triangle beyond the edge of the other solid', () => {
    // the bar lies in the face z = 1 of the block and leaves it over a sliver that no sample of its triangles is in
    const slab = mesh(block([0, 0, 0], [10, 10, 1]));
    const bar = mesh(block([3, -0.001, 0.5], [4, 9, 1]));
    expect(expectAgreement(slab, bar).relation).toBe('crossing');
    const within = mesh(block([3, 0, 0.5], [4, 9, 1]));
    expect(expectAgreement(slab, within).relation).toBe('b-inside-a');
  });

  test('a patch that rounding keeps off a face it lies on is not taken to be inside', () => {
    const cellsA = [
      [0, 0, 1],
      [2, 1, 0],
      [1, 0, 0],
      [2, 0, 0],
      [0, 0, 0],
    ];
    const pose = composePoses(poseOf([1, 2, 0.5], 0.3), poseOf([1, 2, 0.5], -0.3));
    const [a, b] = [mesh(cellSurface(cellsA)), mesh(cellSurface(cellsA.slice(0, 3)))];
    expect(expectAgreement(a, b, pose).relation).toBe('b-inside-a');
  });

  test('a cavity exactly filled touches all around', () => {
    const hollow = mesh(united(box(4), box(2)));
    expect(expectAgreement(hollow, mesh(box(2))).relation).toBe('touching');
    expect(expectAgreement(hollow, mesh(gridBox([-1, -1, -1], [2, 2, 2]))).relation).toBe('touching');
    expect(expectAgreement(hollow, mesh(box(4))).relation).toBe('a-inside-b');
  });
});

test('the way out is no shorter than a check finds them deep (seed 75)', () => {
  const random = seededRandom(75);
  let overlapping = 0;
  for (let i = 0; i < runs(12); i++) {
    const a = mesh(shapes[names[i % names.length]]);
    const b = mesh(shapes[names[(i * 5 + 2) % names.length]]);
    const pose = toRigidPose({
      rotation: randomRotation(random),
      translation: [0, 1, 2].map(() => 1.8 * (random() - 0.5)),
    });
    const { measure, relation } = expectAgreement(a, b, pose);
    const found = penetration(a, b, { pose });
    expect(found.overlapping).toBe(relation !== 'disjoint');
    expect(found.depth).toBeGreaterThanOrEqual((measure?.depth ?? 0) * (1 - 1e-9));
    expect(found.atLeast).toBeLessThanOrEqual(found.depth);
    if (measure) overlapping++;
  }
  expect(overlapping).toBeGreaterThan(least(2));
});
