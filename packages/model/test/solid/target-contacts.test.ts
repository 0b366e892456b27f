/** Regions of contact at an error, held against the originals. */
import { Random, seedOf } from '@impinge/scenes/random';
import { contacts, Mesh, Scene } from 'impinge';
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { composePoses, type RigidPose, toRigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import type { WithinResult } from 'impinge/internal/query/pair/results.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { afterAll, describe, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { every, FAST, LONG } from '../../../../test/budget.js';
import { box, moved, united } from '../../../impinge/test/query/solid/solids.js';
import { LevelsTarget } from '../../src/index.js';
import { joinBoxes } from '../../src/solid/joined-boxes.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { cornersOf, isNear, patchAt, poseOf, TINY } from '../level-queries/originals.js';
import { FAMILIES } from '../levels/families.js';

const sizeOf = (mesh: Mesh) => Math.max(...mesh.box.max.map((x, k) => x - mesh.box.min[k])) || 1;

/** A region's patches of one side, each once, with their errors. */
async function patchesOf(
  stored: LevelsTarget,
  found: WithinResult<PartsTarget>,
  pairs: Uint32Array,
  side: 0 | 1,
  pose: RigidPose,
) {
  const own = new Map<string, Awaited<ReturnType<typeof patchAt>>>();
  for (const pair of pairs) {
    const patch = await patchAt(stored, found, 2 * pair + side, pose);
    own.set(JSON.stringify(patch.patch), patch);
  }
  return [...own.values()];
}

/** Points of the originals that the patches stand for: the corners, and those nearest to corners of patches. */
function partOf(originals: Float64Array, patches: Awaited<ReturnType<typeof patchesOf>>): Float64Array[] {
  const points: Float64Array[] = [];
  const witness = new Float64Array(8);
  for (const { corners, out, in: inner } of patches) {
    for (let i = 0; i < originals.length; i += 3) {
      const point = originals.slice(i, i + 3);
      if (isNear(point, corners, Math.max(out, inner))) points.push(point);
    }
    for (let i = 0; i < corners.length; i += 3) {
      let least = Infinity;
      let nearest = new Float64Array(3);
      for (let o = 0; o < originals.length; o += 9) {
        const d = distanceSqPointTriangle(corners, i, originals, o, witness);
        if (d >= least) continue;
        least = d;
        nearest = witness.slice(3, 6);
      }
      expect(Math.sqrt(least)).toBeLessThanOrEqual(inner + TINY);
      points.push(nearest);
    }
  }
  return points;
}

describe('regions of contact', () => {
  let regionsTried = 0;
  let deep = 0;
  afterAll(() => {
    expect(regionsTried).toBeGreaterThan(FAST ? 1 : 15);
    expect(deep).toBeGreaterThan(FAST ? 0 : 8);
  });
  const names = Object.keys(FAMILIES).filter((name) => name !== 'point');
  for (const name of every(names, 5)) {
    test(`${name}: depths and boxes hold for the originals`, async () => {
      const random = new Random(seedOf(name.length, name.charCodeAt(2)));
      const a = FAMILIES[name](LONG ? 6 : 4, random);
      const b = FAMILIES[names[Math.floor(names.length * random.next())]](LONG ? 6 : 4, random);
      const [meshA, meshB] = [Mesh.from(a), Mesh.from(b)];
      const options = { pieceTriangles: 64 };
      const targetA = new LevelsTarget(await buildLevels(meshA, options));
      const targetB = new LevelsTarget(await buildLevels(meshB, options));
      const size = sizeOf(meshA);
      for (const share of LONG ? [0.002, 0.1, 0.8] : [0.02, 0.8]) {
        const [poseA, bToA] = [poseOf(random, size), poseOf(random, 0.2 * size)];
        const poseB = composePoses(poseA, bToA);
        const distance = 0.01 * size * random.next();
        const asked = { poseA, poseB, error: share * size, distance };
        const { regions, found, error } = await contacts(targetA, targetB, asked);
        expect(error).toBe(asked.error);
        expect(regions.flatMap(({ pairs }) => [...pairs]).sort((p, q) => p - q)).toEqual([
          ...new Uint32Array(found.count).keys(),
        ]);
        const [originalsA, originalsB] = [cornersOf(a, poseA), cornersOf(b, poseB)];
        for (const { pairs, normal, depth, bounds, objectA, objectB } of regions.slice(0, LONG ? 99 : 2)) {
          const partA = partOf(originalsA, await patchesOf(targetA, found, pairs, 0, poseA));
          const partB = partOf(originalsB, await patchesOf(targetB, found, pairs, 1, poseB));
          const along = (p: Float64Array) => p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2];
          const least = partB.reduce((m, p) => Math.min(m, along(p)), Infinity);
          const exact = partA.reduce((m, p) => Math.max(m, along(p)), -Infinity) - least;
          expect(depth[0]).toBeLessThanOrEqual(Math.max(0, exact) + TINY * size);
          expect(depth[1]).toBeGreaterThanOrEqual(exact - TINY * size);
          expect(depth[1] - depth[0]).toBeLessThanOrEqual(1.01 * error + TINY * size);
          expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
          expect([objectA, objectB]).toEqual([0, 0]);
          for (const pair of pairs) expect(found.patches!.bounds[2 * pair]).toBeGreaterThanOrEqual(bounds[0]);
          expect(bounds[1]).toBe(
            Math.min(...Array.from(pairs, (pair) => found.patches!.bounds[2 * pair + 1])),
          );
          regionsTried++;
          if (depth[0] > 0) deep++;
        }
        // originals that near lie in the box of a region
        const witness = new Float64Array(8);
        for (let o = 0; o < originalsA.length; o += 9) {
          for (let p = 0; p < originalsB.length; p += 9) {
            if (distanceSqTriangleTriangle(originalsA, o, originalsB, p, witness) > distance ** 2) continue;
            const isIn = ({ box: { min, max } }: (typeof regions)[number]) =>
              witness
                .subarray(0, 6)
                .every((x, i) => x >= min[i % 3] - TINY * size && x <= max[i % 3] + TINY * size);
            expect(regions.some(isIn)).toBe(true);
          }
        }
      }
      for (const each of [targetA, targetB]) await each.dispose();
      meshA.dispose();
      meshB.dispose();
    });
  }
});

describe('regions', () => {
  const ground = Mesh.from(FAMILIES['flat'](16, new Random(1)));
  const legs = Mesh.from(united(...[0.2, 0.8].map((x) => moved(box(0.1, 0.1, 0.6), x, 0.5, 0.29))));

  test('two legs that stand in the ground are two regions, pushed up by how deep they are', async () => {
    const stored = new LevelsTarget(await buildLevels(ground, { pieceTriangles: 256 }));
    const asked = { error: 0.02 };
    for (const [{ regions }, sign] of [
      [await contacts(stored, legs, asked), 1],
      [await contacts(legs, stored, asked), -1],
    ] as const) {
      expect(regions.length).toBe(2);
      for (const { normal, depth, point } of regions) {
        expect(sign * normal[2]).toBeGreaterThan(0.9);
        expect(depth[0]).toBeGreaterThan(0);
        expect(Math.abs(point[2])).toBeLessThan(0.05);
      }
    }
    await stored.dispose();
  });

  test('what crosses in a ring is pushed out, not through, whichever way triangles face', async () => {
    const { positions, indices } = icosphere(6, 1);
    const out = Mesh.from({ positions, indices });
    const inwards = Mesh.from({
      positions,
      indices: indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]),
    });
    const stored = new LevelsTarget(await buildLevels(out, { pieceTriangles: 256 }));
    for (const error of [0, 0.02, 0.2]) {
      for (const [x, y, z] of [
        [1.5, 0, 0],
        [0, -1, 0.9],
      ] as const) {
        const asked = { pose: { translation: [x, y, z] as const }, error };
        for (const side of [out, inwards, stored]) {
          const { regions } = await contacts(stored, side, asked);
          expect(regions).toHaveLength(1);
          const [{ normal }] = regions;
          const [exact] = contacts(out, out, asked).regions;
          const along = (v: Vec3) => normal[0] * v[0] + normal[1] * v[1] + normal[2] * v[2];
          expect(along([x, y, z])).toBeGreaterThan(0.9 * Math.hypot(x, y, z));
          expect(along(exact.normal)).toBeGreaterThan(0.9);
        }
      }
    }
    await stored.dispose();
  });

  test('without an error they are regions of originals', async () => {
    const stored = new LevelsTarget(await buildLevels(ground, { pieceTriangles: 256 }));
    const { regions, error, found } = await contacts(stored, legs);
    expect([regions.length, error, found.patches]).toEqual([2, 0, undefined]);
    for (const { normal, depth, bounds } of regions) {
      expect(normal[2]).toBeCloseTo(1);
      expect(depth[0]).toBeCloseTo(0.01);
      expect(depth[1]).toBeCloseTo(depth[0]);
      expect(bounds).toEqual([0, 0]);
    }
    const pose = { translation: [0, 0, 0.5] as const };
    expect((await contacts(stored, legs, { pose })).regions).toEqual([]);
    await stored.dispose();
  });

  test('levels that bulge out of the originals are not taken for as deep as they look', async () => {
    let bulges = 0;
    const waves = Mesh.from(FAMILIES['terrain'](12, new Random(2)));
    const plane = Mesh.from({ positions: [-9, -9, 0, 9, -9, 0, 0, 9, 0], indices: [0, 1, 2] });
    const stored = new LevelsTarget(await buildLevels(waves, { pieceTriangles: 64 }));
    for (const error of [0.1, 0.4]) {
      const { regions, found } = await contacts(stored, plane, { error, distance: 1 });
      expect(regions.length).toBe(1);
      const [{ normal, depth, pairs }] = regions;
      const along = (p: ArrayLike<number>, i = 0) =>
        p[i] * normal[0] + p[i + 1] * normal[1] + p[i + 2] * normal[2];
      const farthest = (corners: ArrayLike<number>) => {
        let most = -Infinity;
        for (let i = 0; i < corners.length; i += 3) most = Math.max(most, along(corners, i));
        return most;
      };
      const low = -farthest(plane.positions.map((x) => -x));
      const exact = farthest(waves.positions) - low;
      expect(depth[0]).toBeLessThanOrEqual(Math.max(0, exact) + TINY);
      expect(depth[1]).toBeGreaterThanOrEqual(exact - TINY);
      const patches = await patchesOf(stored, found, pairs, 0, toRigidPose(undefined));
      const level = Math.max(...patches.map(({ corners }) => farthest(corners))) - low;
      if (level > exact + TINY) bulges++;
      // originals may be as far out as their errors say
      expect(depth[1]).toBeGreaterThanOrEqual(level + Math.min(...patches.map(({ out }) => out)) - TINY);
    }
    expect(bulges).toBeGreaterThan(0);
    await stored.dispose();
  });

  test('objects are told apart', async () => {
    const two = [0, 0.001].map((z) => ({ mesh: ground, pose: { translation: [0, 0, z] as const } }));
    const stored = new LevelsTarget(await buildLevels(two, { pieceTriangles: 256 }));
    const { regions } = await contacts(stored, legs, { error: 0.02 });
    expect(regions.map(({ objectA, objectB }) => `${objectA} ${objectB}`).sort()).toEqual([
      ...['0 0', '0 0', '1 0', '1 0'],
    ]);
    await stored.dispose();
  });

  test('scenes are refused, and so are too many pairs', async () => {
    const scene = new Scene();
    scene.add(ground);
    // @ts-expect-error scenes have no regions
    expect(() => contacts(scene, legs)).toThrow(/ask for the objects of a scene by their meshes/);
    const mesh = Mesh.from(FAMILIES['flat'](16, new Random(1)));
    const stored = new LevelsTarget(await buildLevels(mesh));
    const refused = { code: 'out-of-memory', message: expect.stringContaining('larger error') };
    await expect(contacts(stored, mesh, { distance: 2 })).rejects.toMatchObject(refused);
    // @ts-expect-error as above
    await expect(contacts(stored, scene)).rejects.toMatchObject({ code: 'bad-input' });
    await stored.dispose();
  });
});

test('boxes hang together as they do when all are compared with all', () => {
  const random = new Random(7);
  for (const count of [0, 1, 5, 30, 100]) {
    for (const wide of [0.001, 0.05, 0.3, 2]) {
      const boxes = new Float64Array(6 * count);
      for (let i = 0; i < boxes.length; i += 6) {
        for (let k = 0; k < 3; k++) {
          boxes[i + k] = random.next();
          boxes[i + 3 + k] = boxes[i + k] + wide * random.next() ** 4;
        }
      }
      const sets = Uint32Array.from({ length: count }, (_, i) => i);
      const share = (i: number, j: number) =>
        [0, 1, 2].every(
          (k) => boxes[6 * i + k] <= boxes[6 * j + 3 + k] && boxes[6 * j + k] <= boxes[6 * i + 3 + k],
        );
      for (let changed = true; changed; ) {
        changed = false;
        for (let i = 0; i < count; i++) {
          for (let j = 0; j < i; j++) {
            if (sets[i] === sets[j] || !share(i, j)) continue;
            sets[i] = sets[j] = Math.min(sets[i], sets[j]);
            changed = true;
          }
        }
      }
      expect(joinBoxes(boxes)).toEqual(sets);
    }
  }
});
