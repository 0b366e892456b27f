/** Solids in, at and around each other, against analytic answers and brute-force parity. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { runs } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import { ImpingeError } from '../../../src/base/errors.js';
import { isClosed, orientationOf } from '../../../src/mesh/closed.js';
import { isConvex } from '../../../src/mesh/convex.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { pointInMesh } from '../../../src/query/scene/ask-points.js';
import { contains } from '../../../src/query/solid/containment.js';
import {
  ball,
  box,
  bruteForceInside,
  cellSurface,
  cube,
  cylinder,
  exploded,
  gridBox,
  mesh,
  moved,
  sphere,
  torus,
  united,
} from './solids.js';

const shift = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });

describe('closed meshes', () => {
  it('sees holes, seams and parts', () => {
    expect(isClosed(ball(1, 3))).toBe(true);
    expect(isClosed(mesh(exploded(sphere(1, 3))))).toBe(true);
    expect(isClosed(mesh(united(box(1), moved(box(1), 3))))).toBe(true);
    const { positions, indices } = sphere(1, 3);
    expect(isClosed(Mesh.from({ positions, indices: Array.from(indices).slice(3) }))).toBe(false);
    expect(isClosed(Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }))).toBe(false);
  });

  it('treats 0 and −0 as one position', () => {
    const { positions, indices } = exploded(box(1));
    const half = Array.from(positions, (p) => p - 0.5);
    expect(isClosed(mesh({ positions: half.map((p, i) => (p === 0 && i % 2 ? -0 : p)), indices }))).toBe(
      true,
    );
  });

  it('knows which way the triangles face', () => {
    const { positions, indices } = sphere(1, 3);
    const turned = Array.from(indices).reverse();
    expect(orientationOf(mesh({ positions, indices }))).toBe(1);
    expect(orientationOf(mesh({ positions, indices: turned }))).toBe(-1);
    const mixed = Array.from(indices);
    [mixed[0], mixed[1]] = [mixed[1], mixed[0]];
    expect(orientationOf(mesh({ positions, indices: mixed }))).toBe(0);
    expect(isClosed(mesh({ positions, indices: mixed }))).toBe(true);
  });

  it('tells convex from the rest', () => {
    expect(isConvex(cube(2))).toBe(true);
    expect(isConvex(mesh(gridBox([0, 0, 0], [2, 3, 4])))).toBe(true);
    expect(isConvex(mesh(cylinder(1, 2, 17)))).toBe(true);
    expect(isConvex(mesh(torus(1, 0.3, 12, 8)))).toBe(false);
    expect(isConvex(mesh(united(box(1), moved(box(1), 3))))).toBe(false);
    const dented = sphere(1, 4);
    const positions = Array.from(dented.positions);
    for (let k = 0; k < 3; k++) positions[k] *= 0.9;
    expect(isConvex(mesh({ positions, indices: dented.indices }))).toBe(false);
  });
});

describe('pointInMesh', () => {
  it('agrees with all triangles for random points (seed 5)', () => {
    const random = seededRandom(5);
    const solids = [
      mesh(torus(1, 0.4, 24, 12)),
      mesh(united(sphere(1, 5), sphere(0.6, 4), moved(box(1), 1.4))),
    ];
    let decided = 0;
    for (const solid of solids) {
      for (let i = 0; i < runs(300); i++) {
        const point = [0, 1, 2].map(() => 3.2 * (random() - 0.5)) as [number, number, number];
        const inside = bruteForceInside(solid, point);
        if (inside === undefined) continue;
        decided++;
        expect(pointInMesh(solid, point)).toBe(inside ? 'inside' : 'outside');
      }
    }
    expect(decided).toBeGreaterThan(1.96 * runs(300));
  });

  it('finds points of a lattice on faces, edges and corners', () => {
    const solid = mesh(gridBox([0, 0, 0], [4, 4, 4]));
    for (let x = -1; x <= 5; x++) {
      for (let y = -1; y <= 5; y++) {
        const depth = Math.min(x, 4 - x, y, 4 - y, 2);
        expect(pointInMesh(solid, [x, y, 2])).toBe(depth < 0 ? 'outside' : depth === 0 ? 'on' : 'inside');
      }
    }
  });

  it('follows the pose, and keeps precision far away', () => {
    const at = [5e6, 4.5e6, 120] as const;
    const far = mesh(moved(box(0.1), ...at));
    expect(pointInMesh(far, [at[0] + 0.0499, at[1], at[2]])).toBe('inside');
    expect(pointInMesh(far, [at[0] + 0.0501, at[1], at[2]])).toBe('outside');
    expect(pointInMesh(cube(1), [10.4, 0, 0], { pose: shift(10) })).toBe('inside');
    expect(pointInMesh(cube(1), [10.6, 0, 0], { pose: shift(10) })).toBe('outside');
  });

  it('refuses open meshes and wrong points by name', () => {
    const open = Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], name: 'flag' });
    expect(() => pointInMesh(open, [0, 0, 0])).toThrowError(/"flag".*open at edge 0 of triangle 0/);
    expect(() => contains(cube(1), open)).toThrowError(ImpingeError);
    expect(() => pointInMesh(cube(1), [0, Number.NaN, 0])).toThrowError(/finite/);
  });

  it('takes no memory of the arena per point', () => {
    const solid = ball(1, 4);
    pointInMesh(solid, [0, 0, 0]);
    const used = arena().usedBytes;
    for (let i = 0; i < 50; i++) pointInMesh(solid, [0.01 * i, 0, 0]);
    expect(arena().usedBytes).toBeLessThanOrEqual(used);
  });
});

describe('contains', () => {
  const relation = (a: Mesh, b: Mesh, pose = shift(0)) => contains(a, b, { pose }).relation;

  it('box in box, box beside box, boxes that cross', () => {
    expect(relation(cube(2), cube(1))).toBe('b-inside-a');
    expect(relation(cube(1), cube(2))).toBe('a-inside-b');
    expect(relation(cube(1), cube(1), shift(3))).toBe('disjoint');
    expect(relation(cube(1), cube(1), shift(0.3, 0.2, 0.1))).toBe('crossing');
  });

  it('large faces against small ones touching', () => {
    expect(relation(cube(4), cube(1), shift(2.5, 0.2, 0.3))).toBe('touching');
    expect(relation(cube(4), cube(1), shift(1.5, 0.2, 0.3))).toBe('b-inside-a');
  });

  it('nested shells: the cavity is outside', () => {
    const shell = mesh(united(sphere(2, 6), sphere(1.5, 6)));
    expect(relation(shell, ball(1, 5))).toBe('disjoint');
    expect(relation(shell, ball(0.1, 3), shift(1.75))).toBe('b-inside-a');
    expect(relation(shell, ball(3, 5))).toBe('a-inside-b');
  });

  it('a solid and the same with a cavity', () => {
    const hollow = mesh(united(box(2), moved(box(1), 0.1)));
    expect(contains(cube(2), hollow)).toMatchObject({ relation: 'b-inside-a', touching: true });
    expect(contains(hollow, cube(2))).toMatchObject({ relation: 'a-inside-b', touching: true });
  });

  it('several parts: all inside, some inside, none', () => {
    const pair = mesh(united(box(0.5), moved(box(0.5), 2)));
    expect(relation(ball(4), pair)).toBe('b-inside-a');
    expect(relation(ball(1), pair)).toBe('crossing');
    expect(relation(ball(0.5), pair, shift(0, 4))).toBe('disjoint');
  });

  it('sets of cells: the relation of the sets (fast-check, seed 61)', () => {
    const cell = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 2 })));
    const set = fc.uniqueArray(cell, { minLength: 1, maxLength: 7, selector: String });
    const seen = new Set<string>();
    const judge = (cellsA: number[][], cellsB: number[][]) => {
      const [inA, inB] = [new Set(cellsA.map(String)), new Set(cellsB.map(String))];
      const common = cellsA.filter((c) => inB.has(String(c))).length;
      const [a, b] = [mesh(cellSurface(cellsA)), mesh(cellSurface(cellsB))];
      const { relation, touching } = contains(a, b);
      seen.add(relation);
      if (common > 0) {
        const [aWithin, bWithin] = [common === inA.size, common === inB.size];
        return [relation, aWithin ? (bWithin ? 'equal' : 'a-inside-b') : bWithin ? 'b-inside-a' : 'crossing'];
      }
      const near = cellsA.some((c) => cellsB.some((d) => c.every((x, k) => Math.abs(x - d[k]) <= 1)));
      expect(touching).toBe(near);
      return [relation, near ? 'touching' : 'disjoint'];
    };
    fc.assert(
      fc.property(set, set, fc.boolean(), (cellsA, cellsB, within) => {
        const [found, expected] = judge(
          cellsA,
          within
            ? [...cellsA.slice(0, 4), cellsB[0]].filter(
                (c, i, all) => all.findIndex((d) => String(d) === String(c)) === i,
              )
            : cellsB,
        );
        expect(found).toBe(expected);
      }),
      { seed: 61, numRuns: runs(300) },
    );
    expect(seen.size).toBeGreaterThanOrEqual(5);
  });

  it('turned and moved together, far from the origin (seed 9)', () => {
    const random = seededRandom(9);
    const outer = mesh(moved(torus(1, 0.4, 24, 12), 5e6, 4e6, 30));
    const inner = mesh(moved(box(0.2), 5e6 + 1, 4e6, 30));
    for (let i = 0; i < 5; i++) {
      const pose = { rotation: randomRotation(random), translation: [random() * 1e6, 0, -5e6] };
      expect(contains(outer, inner, { poseA: pose, poseB: pose }).relation).toBe('b-inside-a');
    }
  });
});
