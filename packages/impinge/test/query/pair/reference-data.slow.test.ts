/** Answers that other libraries agree on, for models that are not part of the repository. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { scanPair, spherePair } from '../../../../../lab/bench/inputs.mjs';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { LONG, third, turn } from '../../../../../test/budget.js';
import { sharedData } from '../../../../../test/shared-data.js';
import { worldMesh, worldObjects } from '../../../../../test/world-objects.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { selfIntersect } from '../../../src/query/pair/self-intersect.js';
import { within } from '../../../src/query/pair/within.js';
import { expectCollide, Truth } from '../support/brute-force.js';

const scans = sharedData('bench/answers-bunny-dragon.csv');

describe.skipIf(!scans)('bunny and dragon in 200 poses', () => {
  test('168 773 pairs, as many in each pose as others find; distances agree', async () => {
    const { a, b, poses, answers } = await scanPair();
    const [bunny, dragon] = [Mesh.from(a), Mesh.from(b)];
    let total = 0;
    const wrong: unknown[] = [];
    const chosen = third([...poses.entries()]);
    for (const [i, { rotation, translation }] of chosen) {
      const pose = { rotation, translation };
      const { count } = collide(bunny, dragon, { pose });
      total += count;
      const { pairs, distance: expected } = answers![i];
      const any = collide(bunny, dragon, { pose, mode: 'any' }).colliding;
      const d = distance(bunny, dragon, { pose }).distance;
      // one pair is enough, but for some: all of them take a hundred times as long
      const mode = i % (LONG ? 1 : 20) === 0 ? 'all' : 'any';
      const near = within(bunny, dragon, { pose, distance: 0.01, mode }).within;
      if (
        count !== pairs ||
        any !== pairs > 0 ||
        Math.abs(d - expected) > 1e-7 ||
        near !== expected <= 0.01
      ) {
        wrong.push({ i, count, pairs, any, d, expected, near });
      }
      if ((d === 0) !== pairs > 0) wrong.push({ i, d, pairs });
    }
    expect(wrong).toEqual([]);
    if (chosen.length === poses.length) expect(total).toBe(168_773);
    expect(total).toBeGreaterThan(40_000);
  });

  test('spheres 0.1 % apart: 44 007 pairs in the rings, none when concentric', () => {
    const { a, b, poses } = spherePair();
    const [inner, outer] = [Mesh.from(a), Mesh.from(b)];
    let rings = 0;
    for (const { kind, rotation, translation } of poses) {
      const { count } = collide(inner, outer, { pose: { rotation, translation } });
      if (kind === 'ring') rings += count;
      else expect(count).toBe(0);
    }
    expect(rings).toBe(44_007);
  });
});

const cloth = sharedData('deform/cloth_ball92.ply');
test.skipIf(!cloth)('a cloth over a ball meets itself in 61 530 pairs', async () => {
  expect(selfIntersect(await worldMesh(cloth!)).count).toBe(61_530);
});

/** The objects of a model in the world, and by name. */
async function readObjects(file: string) {
  const objects = await worldObjects(file);
  return { objects, byName: new Map(objects.map((object) => [object.name, object.mesh])) };
}

function crossings(file: string): [string, string, boolean][] {
  const [, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return lines.map((line) => {
    const [a, b, clear] = line.split('\t');
    return [a, b, clear === '1'];
  });
}

const MODELS = turn([
  ['cad/gearbox', 82],
  ['cad/atst', 466],
  ['plants/duplex', 862],
] as const);

describe.each(MODELS)('%s', (model, clear) => {
  const file = sharedData(`${model}.glb`);

  test.skipIf(!file)(
    `all ${clear} clear crossings are found; nothing is found that is not there`,
    async () => {
      const { objects, byName } = await readObjects(file!);
      const listed = crossings(sharedData(`${model}.crossings.tsv.gz`)!);
      const missed = listed.filter(
        ([a, b, sure]) => sure && !collide(byName.get(a)!, byName.get(b)!, { mode: 'any' }).colliding,
      );
      expect(listed.filter(([, , sure]) => sure)).toHaveLength(clear);
      expect(missed).toEqual([]);
      // pairs of boxes that overlap, listed or not: brute force has the last word
      const names = new Set(listed.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
      const random = seededRandom(171);
      let checked = 0;
      for (let tries = 0; tries < 200_000 && checked < 25; tries++) {
        const a = objects[Math.floor(random() * objects.length)];
        const b = objects[Math.floor(random() * objects.length)];
        if (
          a === b ||
          names.has(`${a.name} ${b.name}`) ||
          a.mesh.triangleCount * b.mesh.triangleCount > 120_000
        )
          continue;
        if (!boxesOverlap(a.mesh, b.mesh)) continue;
        expectCollide(a.mesh, b.mesh, {}, new Truth(a.mesh, b.mesh, {}));
        checked++;
      }
      expect(checked).toBeGreaterThan(5);
    },
  );
});

function boxesOverlap(a: Mesh, b: Mesh): boolean {
  return [0, 1, 2].every((k) => a.box.min[k] <= b.box.max[k] && b.box.min[k] <= a.box.max[k]);
}

describe.skipIf(!sharedData('plants/duplex.glb'))('pairs named one by one', () => {
  test.each([
    [
      'another checker says they intersect',
      'plants/schependomlaan.glb',
      '2idEjti6zFIgYm2tBrhV$n',
      '3yp24Y_VTA$gEU$IkhzuVa',
    ],
    [
      'boxes that share face planes',
      'plants/schependomlaan.glb',
      '35zAcqGav04htqTJTCcQ2_',
      '1Xz3hRjGn87Bkrn9PpbIxz',
    ],
    ['boxes that share face planes', 'plants/duplex.glb', '3bXiCStxP6Fgxdej$yc503', '3bXiCStxP6Fgxdej$yc50B'],
    ['boxes that share face planes', 'plants/clinic.glb', '0$T_kKFfj6eQu9LjJc1LCN', '0$T_kKFfj6eQu9LjJc1LCM'],
  ])('%s: %s %s and %s', async (_, model, nameA, nameB) => {
    const objects = await worldObjects(sharedData(model)!);
    const [a, b] = [nameA, nameB].map((name) => objects.find((object) => object.name === name)!.mesh);
    expect(collide(a, b, { mode: 'any' }).colliding).toBe(true);
    expect(distance(a, b).distance).toBe(0);
    expectCollide(a, b, {}, new Truth(a, b, {}));
  });
});
