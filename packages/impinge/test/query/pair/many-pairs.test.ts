/** Many questions handed over together, against the same questions one by one and against brute force. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, least, runs } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import { ImpingeError } from '../../../src/base/errors.js';
import { buildHierarchy } from '../../../src/hierarchy/build.js';
import { IDENTITY, type RigidPose, relativePose } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { UNLIMITED } from '../../../src/query/pair/collide.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { type PosedMesh, withinEach } from '../../../src/query/pair/many-pairs.js';
import { withinPlaced } from '../../../src/query/pair/within.js';
import { grid, randomPose, soup } from '../../hierarchy/fixtures.js';
import { expectPairs, Truth } from '../support/brute-force.js';
import { cube } from '../support/scenes.js';

const copyOf = (mesh: Mesh) => Mesh.fromBytes(mesh.toBytes());
const shifted = (x: number): RigidPose => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);

/** All pairs of a list. */
function allOf(things: readonly PosedMesh[]): Uint32Array {
  const pairs: number[] = [];
  for (let i = 0; i < things.length; i++) for (let j = i + 1; j < things.length; j++) pairs.push(i, j);
  return Uint32Array.from(pairs);
}

/** Holds the answers to those of copies asked one by one; returns how many pairs of triangles there were. */
function expectAlike(things: readonly PosedMesh[], limit: number, distance: number): number {
  const pairs = allOf(things);
  const answers: unknown[] = [];
  let count = 0;
  const fresh = things.map(({ mesh, pose }) => ({ mesh: copyOf(mesh), pose }));
  withinEach(fresh, pairs, { limit, distance }, (i, j, found) => {
    answers.push([i, j, [...found.pairs], found.complete]);
    count += found.count;
  });
  const expected: unknown[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const [a, b] = [things[pairs[at]], things[pairs[at + 1]]];
    const [one, other] = [copyOf(a.mesh), copyOf(b.mesh)];
    const found = withinPlaced(one, other, relativePose(a.pose, b.pose), limit, distance);
    if (found.count > 0) expected.push([pairs[at], pairs[at + 1], [...found.pairs], found.complete]);
    for (const mesh of [one, other]) mesh.dispose();
  }
  expect(answers).toEqual(expected);
  for (const { mesh } of fresh) mesh.dispose();
  return count;
}

describe('many pairs of meshes', () => {
  full('the answers of one by one and of brute force: turned, far away, in one place (seed 801)', () => {
    const random = seededRandom(801);
    const far = Mesh.from({ positions: Float64Array.from(cube(2).positions, (x) => x + 1e6 / 3) });
    const shapes = [cube(3), grid(6, (x, y) => 0.3 * Math.sin(5 * x + 3 * y)), soup(802, 30, 0.4), far];
    for (let round = 0; round < runs(4); round++) {
      const things = Array.from({ length: 9 }, (_, i) => {
        const pose = randomPose(
          random,
          i % 4 === 0 ? 0 : random(),
          [0, 1, 2].map(() => 1.4 * random() - 0.7),
        );
        const mesh = shapes[i % shapes.length];
        for (let k = 9; k < 12; k++) pose[k] -= mesh.origin[k - 9];
        return { mesh, pose };
      });
      things.push(things[1], { mesh: shapes[0], pose: things[1].pose });
      for (const [limit, distance] of [
        [UNLIMITED, 0],
        [1, 0],
        [3, 0.05],
      ])
        expect(expectAlike(things, limit, distance)).toBeGreaterThan(0);
      const fresh = things.map(({ mesh, pose }) => ({ mesh: copyOf(mesh), pose }));
      const found = new Map<string, Uint32Array>();
      withinEach(fresh, allOf(things), { limit: UNLIMITED, distance: 0 }, (i, j, { pairs }) => {
        found.set(`${i} ${j}`, pairs);
      });
      for (const [i, j] of [
        [0, 4],
        [1, 2],
        [1, 5],
        [2, 8],
      ]) {
        const pose = relativePose(things[i].pose, things[j].pose);
        const options = { pose: { rotation: pose.slice(0, 9), translation: pose.slice(9) } };
        const { pairs } = new Truth(things[i].mesh, things[j].mesh, options);
        expectPairs(Array.from(found.get(`${i} ${j}`) ?? []), pairs);
      }
    }
  });

  it('rods that cross edge over edge, near and just apart: brute force (seed 807)', () => {
    const random = seededRandom(807);
    const rod = new Float32Array(cube(2).positions);
    for (let v = 0; v < rod.length; v += 3) rod[v] *= 30;
    const mesh = Mesh.from({ positions: rod, indices: cube(2).indices });
    const middle = mesh.box.min.map((x, k) => (x + mesh.box.max[k]) / 2);
    const half = (mesh.box.max[1] - mesh.box.min[1]) / 2;
    const eighth = Math.SQRT1_2;
    let [met, apart, dropped] = [0, 0, 0];
    for (let round = 0; round < runs(40); round++) {
      // each turned by 45° about its length: an edge of the one lies across an edge of the other, `gap` above it
      const [c, s] = [Math.cos(1.5 * random()), Math.sin(1.5 * random() + 0.05)];
      const length = Math.hypot(c, s);
      const [x, y] = [c / length, s / length];
      const gap = 0.02 * half * (2 * random() - 1);
      const onEdge = [1, 0, 0, 0, eighth, -eighth, 0, eighth, eighth];
      const turned = [x, -y * eighth, y * eighth, y, x * eighth, -x * eighth, 0, eighth, eighth];
      const place = (r: readonly number[], height: number) => {
        const at = [0, 1, 2].map(
          (k) => r[3 * k] * middle[0] + r[3 * k + 1] * middle[1] + r[3 * k + 2] * middle[2],
        );
        return Float64Array.of(...r, -at[0], -at[1], height - at[2]);
      };
      const things = [
        { mesh, pose: place(onEdge, 0) },
        { mesh: copyOf(mesh), pose: place(turned, 2 * Math.SQRT2 * half + gap) },
      ];
      const found: number[] = [];
      const stats = withinEach(
        things,
        allOf(things),
        { limit: UNLIMITED, distance: 0 },
        (_i, _j, { pairs }) => {
          found.push(...pairs);
        },
      );
      const pose = relativePose(things[0].pose, things[1].pose);
      const options = { pose: { rotation: pose.slice(0, 9), translation: pose.slice(9) } };
      const truth = new Truth(things[0].mesh, things[1].mesh, options);
      expectPairs(found, truth.pairs);
      if (truth.pairs.length > 0) met++;
      else apart++;
      if (stats.volumeTests === 1) dropped++;
      const near = new Set<string>();
      withinEach(things, allOf(things), { limit: 1, distance: 0.01 * half }, (i, j) => near.add(`${i} ${j}`));
      if (truth.distances.some((d) => truth.must(d, 0.01 * half))) expect(near.size).toBe(1);
      if (!truth.distances.some((d) => truth.may(d, 0.01 * half))) expect(near.size).toBe(0);
      things[1].mesh.dispose();
    }
    expect(met).toBeGreaterThanOrEqual(least(8));
    expect(apart).toBeGreaterThanOrEqual(least(8));
    // their boxes overlap along all axes of both: only the cross product of two edges shows the gap
    expect(dropped).toBeGreaterThanOrEqual(least(8));
  });

  it('touching, and so much that triangles have no order: what the kernel leaves to others', () => {
    const block = cube(2); // sides from 0 to 1 or so: stacked, every pair of faces is a doubt
    const side = block.box.max[0] - block.box.min[0];
    const things = Array.from({ length: 6 }, (_, i) => ({ mesh: block, pose: shifted(side * i) }));
    expect(expectAlike(things, UNLIMITED, 0)).toBeGreaterThan(0);
    expect(expectAlike(things, 1, 0)).toBe(5);
    const loose = soup(804, 400, 0.5);
    const crowd = [loose, cube(3), loose].map((mesh) => ({ mesh, pose: IDENTITY as RigidPose }));
    expect(expectAlike(crowd, UNLIMITED, 0)).toBeGreaterThan(1000);
  });

  full('more pairs than go to the kernel together, and more triangles than it has room for, in order', () => {
    const mesh = grid(6, (x, y) => 0.2 * Math.sin(4 * x + 3 * y));
    const random = seededRandom(805);
    const things = Array.from({ length: 33 }, () => ({
      mesh,
      pose: randomPose(random, 0.5 * random(), [random() / 4, random() / 4, random() / 4]),
    })); // 528 pairs, 32 of each
    expect(expectAlike(things, UNLIMITED, 0)).toBeGreaterThan(4096);
    expect(expectAlike(things, 1, 0.02)).toBeGreaterThan(300);
  });

  it('meshes with trees of any kind, and large ones, in their turn', () => {
    const random = seededRandom(806);
    const kinds = ['obb', 'aabb', undefined, undefined] as const;
    const things = Array.from({ length: 8 }, (_, i) => {
      const mesh = i === 5 ? grid(40, (x) => 0.1 * Math.sin(9 * x)) : copyOf(cube(3));
      const kind = kinds[i % 4];
      if (kind) useHierarchy(buildHierarchy(mesh, { volume: kind }));
      return { mesh, pose: randomPose(random, 1, [random() / 2, random() / 2, random() / 2]) };
    });
    const found: number[][] = [];
    const stats = withinEach(things, allOf(things), { limit: UNLIMITED, distance: 0 }, (i, j, { pairs }) => {
      found.push([i, j, ...pairs]);
    });
    const expected: number[][] = [];
    for (let i = 0; i < 8; i++) {
      for (let j = i + 1; j < 8; j++) {
        const pose = relativePose(things[i].pose, things[j].pose);
        const [a, b] = [copyOf(things[i].mesh), copyOf(things[j].mesh)];
        const { pairs, count } = withinPlaced(a, b, pose, UNLIMITED, 0);
        if (count > 0) expected.push([i, j, ...pairs]);
      }
    }
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(10);
    expect(stats.exactTests).toBeGreaterThan(0);
    expect(stats.triangleTests).toBeGreaterThan(stats.exactTests);
  });

  it('leaves nothing behind, also where a mesh is gone', () => {
    const things = [cube(2), cube(2), cube(2)].map((mesh) => ({ mesh, pose: IDENTITY as RigidPose }));
    const ask = () => withinEach(things, allOf(things), { limit: 1, distance: 0 }, () => {});
    ask();
    const used = arena().usedBytes;
    ask();
    expect(arena().usedBytes).toBeLessThanOrEqual(used);
    const [, , last] = things;
    const freed = used - arena().usedBytes + last.mesh.byteLength;
    last.mesh.dispose();
    expect(ask).toThrowError(ImpingeError);
    expect(used - arena().usedBytes).toBeGreaterThanOrEqual(freed);
  });
});
