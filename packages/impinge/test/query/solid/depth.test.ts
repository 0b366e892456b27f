/** Depth of two objects in each other: known solids, dense sampling with exact predicates, and what must not matter. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { FAST, full, runs } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import {
  composePoses,
  IDENTITY,
  invertPose,
  posePoint,
  type RigidPose,
  toRigidPose,
} from '../../../src/math/pose.js';
import { contacts } from '../../../src/query/solid/contacts.js';
import { type Depth, type DepthOptions, measureDepth } from '../../../src/query/solid/depth.js';
import { locatePoint } from '../../../src/query/solid/locate.js';
import type { Parts } from '../../../src/query/solid/point-query.js';
import { inPieces, sampledDepth, slowDistance, trianglesOf, whole } from '../support/parts.js';
import { type Arrays, box, cylinder, gridBox, mesh, moved, sphere, torus, united } from './solids.js';

const HERE = IDENTITY as RigidPose;
const solid = (arrays: Arrays): Parts => whole(mesh(arrays));
const shifted = (x: number, y = 0, z = 0) => toRigidPose({ translation: [x, y, z] });

/** The result, after checking that its point is where it says: inside the other object, at that distance from it. */
function checkedDepth(a: Parts, b: Parts, bToA = HERE, options?: DepthOptions): Depth {
  const found = measureDepth(a, b, bToA, options);
  expect(found.bound).toBeGreaterThanOrEqual(found.depth);
  if (found.depth === 0) return found;
  const other = found.side === 0 ? b : a;
  const p = Float64Array.from(found.point);
  if (found.side === 0) posePoint(invertPose(bToA), p[0], p[1], p[2], p, 0);
  for (let k = 0; k < 3; k++) p[k] -= other.meshes[0].origin[k];
  const reach =
    p.reduce((sum, x) => sum + Math.abs(x), 0) + Math.abs(bToA[9]) + Math.abs(bToA[10]) + Math.abs(bToA[11]);
  const distance = slowDistance(trianglesOf(other), p);
  const slack = 1e-9 * found.depth + 1e-14 * reach;
  expect(found.depth).toBeLessThanOrEqual(distance + slack);
  if (!other.closed) return found;
  expect(found.depth).toBeGreaterThanOrEqual(distance - slack);
  expect(locatePoint(other, p)).toBe('inside');
  return found;
}

function expectDepth(found: Depth, depth: number): void {
  expect(found.depth).toBeLessThanOrEqual(depth * (1 + 1e-6));
  expect(found.depth).toBeGreaterThanOrEqual(0.985 * depth);
  expect(found.bound).toBeGreaterThanOrEqual(depth * (1 - 1e-6));
  expect(found.bound).toBeLessThanOrEqual(1.02 * depth);
}

describe('known depths', () => {
  test('a box that reaches into another by t', () => {
    for (const t of [0.5, 0.1, 0.001, 1e-7, 1e-8]) {
      expectDepth(checkedDepth(solid(box(4, 4, 2)), solid(box(1, 1, 2)), shifted(0.3, 0.2, 2 - t)), t);
    }
  });

  test('bars that cross: no vertex of either is inside the other', () => {
    expectDepth(checkedDepth(solid(box(10, 1, 1)), solid(box(1, 10, 0.6)), HERE), 0.5);
    // turned and shifted along the plane: the same
    const pose = toRigidPose({
      rotation: [0, 0, Math.sin(0.4), Math.cos(0.4)],
      translation: [0.7, -0.4, 0],
    });
    expectDepth(checkedDepth(solid(box(10, 1, 1)), solid(box(1, 10, 0.6)), pose), 0.5);
  });

  test('a cylinder through a plate: half its thickness, or its radius', () => {
    for (const [radius, h] of [
      [0.5, 0.2],
      [0.5, 4],
    ]) {
      const found = checkedDepth(solid(box(10, 10, h)), solid(cylinder(radius, 12, 24)), shifted(1, 1));
      // the plate's faces are inside the cylinder, its axis is as deep as its facets are far
      expectDepth(found, Math.max(h / 2, radius * Math.cos(Math.PI / 24)));
    }
  });

  test('two balls: as far as they overlap', () => {
    const found = checkedDepth(solid(sphere(1, 16)), solid(sphere(0.7, 16)), shifted(1.5));
    expect(found.depth).toBeGreaterThan(0.19);
    expect(found.depth).toBeLessThan(0.2);
    expect(found.bound).toBeLessThan(1.011 * found.depth);
  });

  test('a thin plate through a big box', () => {
    const found = checkedDepth(solid(box(4, 4, 4)), solid(box(10, 10, 0.01)), HERE);
    expectDepth(found, 1.995);
    expect(found.side).toBe(1);
  });

  test('a pipe in its insulation', () => {
    const found = checkedDepth(solid(cylinder(0.06, 3, 24)), solid(cylinder(0.08, 3, 24)));
    expectDepth(found, 0.02 * Math.cos(Math.PI / 24));
  });

  test('one within the other, a hollow, a duplicate, apart', () => {
    expectDepth(checkedDepth(solid(box(1, 1, 1)), solid(box(4, 4, 4)), shifted(0.5)), 2);
    const hollow = solid(united(box(4, 4, 4), box(3, 3, 3)));
    expect(checkedDepth(hollow, solid(box(1, 1, 1)))).toMatchObject({ depth: 0 });
    expectDepth(checkedDepth(hollow, solid(box(1, 1, 1)), shifted(1.3)), 0.3);
    const same = checkedDepth(solid(sphere(1, 2)), solid(sphere(1, 2)));
    expect(same.depth).toBe(0);
    expect(same.bound).toBeLessThan(1e-3);
    expect(checkedDepth(solid(box(1, 1, 1)), solid(box(1, 1, 1)), shifted(5)).bound).toBeLessThan(1e-11);
  });

  test('faces that touch have no depth', () => {
    const found = checkedDepth(solid(box(2, 2, 2)), solid(box(2, 2, 2)), shifted(2, 0.5, 0.25));
    expect(found.depth).toBe(0);
    expect(found.bound).toBeLessThan(1e-5);
  });
});

describe('searches that end by their bounds', () => {
  /** A slab of 40 × 50 metres with a notch, 12 cm thick: each of its sides is two needles. */
  const slab = (thickness = 0.12): Arrays => {
    const outline = [
      [0, 0],
      [40, 0],
      [40, 10],
      [5, 10],
      [5, 50],
      [0, 50],
    ];
    const positions = [0, thickness].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
    const caps = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5];
    const indices = [0, 3, 6, 9].flatMap((t) => [caps[t], caps[t + 2], caps[t + 1]]);
    for (const v of caps) indices.push(6 + v);
    for (let i = 0; i < 6; i++) {
      const j = (i + 1) % 6;
      indices.push(i, j, 6 + j, i, 6 + j, 6 + i);
    }
    return { positions, indices };
  };
  const isClosed = ({ depth, bound, cutShort }: Depth) => !cutShort && bound <= 1.0101 * depth + 1e-9;

  test('a post at the edge of a slab whose sides are needles', () => {
    const found = checkedDepth(solid(slab()), solid(box(0.3, 0.2, 4)), shifted(5.135, 20, 0));
    expectDepth(found, 0.015);
    expect(found.evaluations).toBeLessThan(400);
  });

  test('faces that are almost parallel', () => {
    for (const angle of [1e-3, 1e-4, 1e-5]) {
      const pose = toRigidPose({
        rotation: [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)],
        translation: [2, 30, 0.12 - 5 * angle],
      });
      const found = checkedDepth(
        solid(slab()),
        solid(united(box(3, 20, 0.1), moved(box(0.5, 0.5, 3), 9))),
        pose,
      );
      expect(isClosed(found)).toBe(true);
      expect(found.depth).toBeGreaterThan(0);
    }
  });

  test('slabs and boxes turned at random: closed, and no sample is deeper (seed 27)', () => {
    const random = seededRandom(27);
    for (let round = 0; round < runs(8); round++) {
      const [a, b] = [solid(slab(0.1 + 0.3 * random())), solid(box(0.5 + 2 * random(), 1, 4))];
      const pose = toRigidPose({
        rotation: randomRotation(random),
        translation: [4 + 2 * random(), 5 + 20 * random(), 0.1],
      });
      const found = checkedDepth(a, b, pose);
      expect(isClosed(found)).toBe(true);
      for (const { depth } of [sampledDepth(b, a, pose, 24), sampledDepth(a, b, invertPose(pose), 24)]) {
        expect(depth).toBeLessThanOrEqual(found.bound * (1 + 1e-9));
      }
    }
  });

  full('a larger budget finds no less, and never puts the bound below what another has found', () => {
    const pairs = [
      [torus(1, 0.4, 60, 30), torus(1, 0.4, 50, 20), shifted(0.9, 0.3, 0.2)],
      // everything is about equally deep: neither ends by its bounds, the last for want of room
      [sphere(1, 20), sphere(0.999, 20), HERE],
    ] as const;
    for (const [p, q, pose] of pairs) {
      const [a, b] = [solid(p), solid(q)];
      const found = [1, 20, 400, 8000, 100_000].map((budget) =>
        checkedDepth(a, b, pose, { budget, accuracy: 0 }),
      );
      for (let i = 1; i < found.length; i++) {
        expect(found[i].depth).toBeGreaterThanOrEqual(found[i - 1].depth);
        for (const other of found) expect(found[i].bound).toBeGreaterThanOrEqual(other.depth);
      }
      expect(found[0].depth).toBeGreaterThan(0);
      expect(found.at(-1)!.evaluations).toBeLessThan(100_000);
    }
  });
});

const shapes: Record<string, () => Arrays> = {
  box: () => gridBox([-1, -0.6, -0.5], [2, 1, 1]),
  cylinder: () => cylinder(0.5, 2, 9),
  torus: () => torus(1, 0.4, 10, 6),
  sphere: () => sphere(0.8, 2),
  'an L': () => united(box(2, 0.5, 0.5), moved(box(0.5, 2, 0.5), 3, 0, 0)),
};

describe('against dense sampling with exact predicates', () => {
  const perSide = FAST ? 5 : 10;
  const names = Object.keys(shapes);
  names.forEach((first, i) => {
    for (const second of names.slice(i, FAST ? i + 2 : undefined)) {
      test(`${first} and ${second}, turned at random (seed ${i + 20})`, () => {
        const random = seededRandom(i + 20);
        for (let round = 0; round < (FAST ? 1 : 3); round++) {
          const a = solid(shapes[first]());
          const b = solid(shapes[second]());
          const pose = toRigidPose({
            rotation: randomRotation(random),
            translation: [random() - 0.5, 1.2 * random() - 0.6, random() - 0.5],
          });
          const found = checkedDepth(a, b, pose, { budget: 2000 });
          const inA = sampledDepth(b, a, pose, perSide);
          const inB = sampledDepth(a, b, invertPose(pose), perSide);
          const sampled = Math.max(inA.depth, inB.depth);
          expect(sampled).toBeLessThanOrEqual(found.bound * (1 + 1e-9));
          expect(found.depth).toBeGreaterThanOrEqual(0.985 * sampled - 1e-9);
          // between samples it cannot be deeper by more than their distance
          expect(found.depth).toBeLessThanOrEqual(sampled + Math.max(inA.spacing, inB.spacing));
        }
      });
    }
  });
});

describe('what must not matter', () => {
  const pose = toRigidPose({ rotation: [0.1, 0.3, -0.2, Math.sqrt(0.86)], translation: [0.9, 0.2, 0.1] });

  test('how finely the solids are cut into triangles', () => {
    const coarse = checkedDepth(
      solid(gridBox([-1, -1, -1], [1, 1, 1], 2)),
      solid(gridBox([-1, -1, -1], [1, 1, 1], 2)),
      pose,
    );
    const fine = checkedDepth(
      solid(gridBox([-1, -1, -1], [8, 8, 8], 0.25)),
      solid(gridBox([-1, -1, -1], [16, 16, 16], 0.125)),
      pose,
    );
    expect(Math.abs(fine.depth / coarse.depth - 1)).toBeLessThan(0.011);
    expect(fine.bound).toBeLessThan(1.011 * fine.depth);
  });

  test('which side comes first', () => {
    const a = solid(torus(1, 0.4, 24, 12));
    const b = solid(cylinder(0.3, 2, 16));
    const there = checkedDepth(a, b, pose);
    const back = checkedDepth(b, a, invertPose(pose));
    expect(back.depth).toBeLessThanOrEqual(there.bound);
    expect(there.depth).toBeLessThanOrEqual(back.bound);
  });

  full('how an object is split into pieces, also when its trees are built on the way', () => {
    const big = mesh(torus(1, 0.4, 90, 40));
    const random = seededRandom(1);
    const a = inPieces(big, 4, () => Math.floor(4 * random()));
    const b = inPieces(mesh(gridBox([-1, -1, -1], [20, 20, 20], 0.05)), 3, (t) => t % 3);
    const one = checkedDepth(whole(big), b, pose);
    const many = checkedDepth(a, b, pose);
    expect(many.depth).toBeLessThanOrEqual(one.bound);
    expect(one.depth).toBeLessThanOrEqual(many.bound);
    expect(many.bound).toBeLessThan(1.011 * many.depth);
  });

  test('more pieces than a block of the pool is made for', () => {
    const solidOfMany = mesh(gridBox([-1, -1, -1], [8, 8, 8], 0.25));
    const many = inPieces(solidOfMany, 200, (t) => t % 200);
    const b = solid(sphere(0.5, 6));
    const found = checkedDepth(many, b, shifted(1.2, 0.1, 0.2));
    const one = checkedDepth(whole(solidOfMany), b, shifted(1.2, 0.1, 0.2));
    expect(found.depth).toBeLessThanOrEqual(one.bound);
    expect(one.depth).toBeLessThanOrEqual(found.bound);
  });

  test('where the objects are: moved together, far from zero, about origins, scaled (seed 4)', () => {
    const near = checkedDepth(solid(torus(1, 0.4, 24, 12)), solid(sphere(0.6, 5)), pose);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 30 }),
        fc.constantFrom(0, 1e3, 1e6),
        fc.constantFrom(1e-3, 1, 1e4),
        (seed, away, scale) => {
          const random = seededRandom(seed);
          const grow = ({ positions, indices }: Arrays) => ({
            positions: Float64Array.from(positions, (x) => x * scale),
            indices,
          });
          const far = [0, 0, 0].map(() => Math.round(2 * away * (random() - 0.5)) * scale) as [
            number,
            number,
            number,
          ];
          // each solid is made where it ends up, apart from a rotation about that place
          const a = solid(moved(grow(torus(1, 0.4, 24, 12)), ...far));
          const b = solid(moved(grow(sphere(0.6, 5)), ...far));
          const about = (x: readonly number[], sign: number) =>
            shifted(sign * x[0], sign * x[1], sign * x[2]);
          const scaled = Float64Array.from(pose, (x, i) => (i < 9 ? x : x * scale));
          const bToA = composePoses(about(far, 1), composePoses(scaled, about(far, -1)));
          const found = measureDepth(a, b, bToA);
          const slack = 1e-6 * scale + 1e-15 * away * scale;
          expect(found.depth).toBeLessThanOrEqual(near.bound * scale + slack);
          expect(near.depth * scale).toBeLessThanOrEqual(found.bound + slack);
          for (let k = 0; k < 3; k++) expect(Math.abs(found.point[k] - far[k])).toBeLessThan(2 * scale);
        },
      ),
      { seed: 4, numRuns: runs(30) },
    );
  });

  test('what else was asked before: the same answer every time', () => {
    const a = solid(torus(1, 0.4, 60, 30));
    const b = solid(sphere(0.6, 8));
    const first = measureDepth(a, b, pose);
    measureDepth(b, a, shifted(0.2));
    expect(measureDepth(a, b, pose)).toEqual(first);
    expect(measureDepth(solid(torus(1, 0.4, 60, 30)), solid(sphere(0.6, 8)), pose)).toEqual(first);
  });
});

describe('options', () => {
  test('what is not deeper than atLeast ends the search at once', () => {
    const a = solid(torus(1, 0.4, 60, 30));
    const b = solid(sphere(0.6, 8));
    const pose = shifted(1.2, 0.3);
    const full = measureDepth(a, b, pose);
    const enough = checkedDepth(a, b, pose, { atLeast: 2 * full.bound });
    expect(enough.bound).toBeLessThanOrEqual(2 * full.bound * (1 + 1e-9));
    expect(enough.evaluations).toBeLessThan(full.evaluations);
    const below = checkedDepth(a, b, pose, { atLeast: 0.5 * full.depth });
    expect(below.depth).toBeGreaterThan(0.985 * full.depth);
  });

  test('a budget that runs out leaves a valid point and a larger bound', () => {
    const a = solid(torus(1, 0.4, 60, 30));
    const b = solid(torus(1, 0.4, 50, 20));
    const pose = toRigidPose({ rotation: [0.5, 0.5, 0.5, 0.5], translation: [0.9, 0.3, 0.2] });
    const full = checkedDepth(a, b, pose, { budget: 4000 });
    const short = checkedDepth(a, b, pose, { budget: 10 });
    expect(short.bound).toBeGreaterThanOrEqual(full.depth);
    expect(short.depth).toBeLessThanOrEqual(full.bound);
  });
});

describe('open surfaces', () => {
  /** A square in the plane z = 0 that faces up, cut into cells. */
  const sheet = (cells: number): Arrays => {
    const positions: number[] = [];
    const indices: number[] = [];
    for (let j = 0; j <= cells; j++)
      for (let i = 0; i <= cells; i++) positions.push((4 * i) / cells - 2, (4 * j) / cells - 2, 0);
    for (let j = 0; j < cells; j++) {
      for (let i = 0; i < cells; i++) {
        const c = j * (cells + 1) + i;
        indices.push(c, c + 1, c + cells + 2, c, c + cells + 2, c + cells + 1);
      }
    }
    return { positions, indices };
  };

  test('a sheet through a box is as deep in it as the box says', () => {
    const found = checkedDepth(solid(sheet(3)), solid(box(1, 1, 3)), shifted(0.4, 0.2, 0.5));
    expectDepth(found, 0.5);
    expect(found.side).toBe(0);
  });

  test('an open tray: below the floor counts, beyond the border does not', () => {
    // five sides of a box, facing outwards: open at the top
    const full = gridBox([-1, -1, -1], [4, 4, 4], 0.5);
    const indices: number[] = [];
    for (let t = 0; t < full.indices.length; t += 3) {
      const top = [0, 1, 2].every((k) => full.positions[3 * full.indices[t + k] + 2] === 1);
      if (!top) indices.push(full.indices[t], full.indices[t + 1], full.indices[t + 2]);
    }
    const tray = solid({ positions: full.positions, indices });
    expect(tray.closed).toBe(false);
    const found = checkedDepth(tray, solid(box(0.2, 0.2, 8)), shifted(0.5, 0, 0));
    expect(found.depth).toBeGreaterThan(0.37);
    expect(found.depth).toBeLessThan(0.72);
    // a bar that ends above the floor, next to a wall: as deep as the nearest wall is far
    const bar = checkedDepth(tray, solid(box(0.1, 0.1, 2)), shifted(0.7, 0.1, 0.5));
    expect(bar.depth).toBeGreaterThan(0.34);
    expect(bar.depth).toBeLessThan(0.36);
    // outside, next to the border
    expect(checkedDepth(tray, solid(box(0.2, 0.2, 0.2)), shifted(1.3, 0, 0.95)).depth).toBe(0);
  });

  test('corners and edges of the surface are judged by all faces around them, in whatever piece', () => {
    const roof = mesh({
      positions: [-2, -2, 0, 0, -2, 1, 0, 2, 1, -2, 2, 0, 2, -2, 0, 2, 2, 0],
      indices: [0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2],
    });
    const halves = inPieces(roof, 2, (t) => (t < 2 ? 0 : 1));
    for (const parts of [whole(roof), halves]) {
      const above = checkedDepth(parts, solid(box(0.2, 0.2, 0.2)), shifted(0, 0, 1.3));
      expect(above.depth).toBe(0);
      const into = checkedDepth(parts, solid(box(0.02, 0.02, 1)), shifted(0, 0, 1.1));
      expect(into.depth).toBeGreaterThan(0.3);
      expect(into.depth).toBeLessThan(0.4);
    }
  });
});

test('contacts of solids that meet in one region have the same depth (seed 9)', () => {
  const random = seededRandom(9);
  let compared = 0;
  for (let i = 0; i < 12; i++) {
    const a = mesh([torus(1, 0.4, 16, 8), gridBox([-1, -1, -1], [2, 2, 2]), cylinder(0.5, 2, 12)][i % 3]);
    const b = mesh(sphere(0.6, 3));
    const pose = toRigidPose({
      rotation: randomRotation(random),
      translation: [1 + 0.4 * random(), 0.3 * random(), 0.2 * random()],
    });
    const found = checkedDepth(whole(a), whole(b), pose);
    const { regions } = contacts(a, b, {
      pose: { rotation: pose.subarray(0, 9), translation: pose.subarray(9) },
    });
    if (regions.length === 0) continue;
    compared++;
    const depth = Math.max(...regions.map((region) => region.depth));
    const bound = Math.max(...regions.map((region) => region.depthBound));
    expect(found.depth).toBeLessThanOrEqual(bound * (1 + 1e-9));
    expect(depth).toBeLessThanOrEqual(found.bound * (1 + 1e-9));
  }
  expect(compared).toBeGreaterThan(6);
});

test('queries give their memory back', () => {
  const a = inPieces(mesh(gridBox([-1, -1, -1], [8, 8, 8], 0.25)), 100, (t) => t % 100);
  const b = solid(sphere(0.5, 4));
  const ask = () => {
    measureDepth(a, b, shifted(0.9));
    locatePoint(a, Float64Array.of(0.1, 0.2, 0.3));
  };
  ask();
  const used = arena().usedBytes;
  for (let i = 0; i < 5; i++) ask();
  expect(arena().usedBytes).toBeLessThanOrEqual(used);
});
