/** What is near a set, by surfaces: against the distance of each two meshes. */
import { seededRandom } from '@impinge/scenes/random';
import { distance, Mesh } from 'impinge';
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { check, countObjects } from '../../src/index.js';
import { openStore } from '../../src/store/open.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { named, storeOf } from '../store/fixtures.js';
import { poseOf } from './support.js';

/** A bar along x, of so many boxes. */
function barOf(count: number, length: number): ShapeArrays {
  const { positions, indices } = box(length / count, 0.1, 0.1) as ShapeArrays;
  const boxes = Array.from({ length: count }, (_, i) => i);
  const shifted = (i: number) =>
    [...positions].map((x, k) => (k % 3 === 0 ? x + (i / count - 0.5) * length : x));
  return {
    positions: Float32Array.from(boxes.flatMap(shifted)),
    indices: Uint32Array.from(boxes.flatMap((i) => [...indices].map((v) => v + (i * positions.length) / 3))),
  };
}

/** Long bars, of which boxes say little, in several pieces; the members are `Bar`. */
async function bars(random: () => number, count: number) {
  const geometry = barOf(16, 6);
  const poses = Array.from({ length: count }, () =>
    poseOf(
      [random() - 0.5, random() - 0.5, random() - 0.5],
      6 * random(),
      [8, 8, 8].map((size) => size * random()),
    ),
  );
  const types = poses.map(() => (random() < 0.3 ? 'Bar' : 'Rod'));
  const objects = poses.map((pose, i) => ({ ...named(`${i}`, pose), type: types[i] }));
  const model = await openStore(await storeOf([{ geometry, objects }], { pieceTriangles: 64 }));
  expect(model.pieceCountOf(0)).toBeGreaterThan(2);
  const meshes = poses.map((pose) => ({
    mesh: Mesh.from({ positions: geometry.positions, indices: geometry.indices }),
    pose: { rotation: pose.slice(0, 9), translation: pose.slice(9) },
  }));
  return { model, meshes, types };
}

test(`bars are near where their surfaces are (seed 51)`, async () => {
  const random = seededRandom(51);
  let fewer = 0;
  for (let run = 0; run < runs(8); run++) {
    const { model, meshes, types } = await bars(random, 40);
    const within = 0.2 + random();
    const sets = { bars: { type: 'Bar' }, near: { near: { set: 'bars', within } } };
    const expected = meshes.map(({ mesh, pose }, i) =>
      types.some(
        (type, k) =>
          type === 'Bar' &&
          (k === i ||
            distance(mesh, meshes[k].mesh, { poseA: pose, poseB: meshes[k].pose }).distance <= within),
      ),
    );
    const counts = await countObjects(
      model,
      meshes.map((_, i) => ({ id: `${i}`, set: 'near' })),
      sets,
    );
    expect(counts).toEqual(expected.map(Number));
    const boxes = meshes.map((_, i) =>
      types.some((type, k) => type === 'Bar' && gap(model.box(i), model.box(k)) <= within),
    );
    fewer += boxes.filter((isNear, i) => isNear && !expected[i]).length;
    // a check asks the same
    const rod = check(model, { rules: [{ a: { set: 'near' } }], sets });
    for await (const _ of rod);
    expect(rod.stats.rules[0].a).toBe(expected.filter(Boolean).length);
    await model.dispose();
  }
  expect(fewer).toBeGreaterThan(20);
});

test('an object inside another is near it, however far its surface is; a set may be near what is near', async () => {
  const shapes = [
    { geometry: box(10, 10, 10) as ShapeArrays, objects: [{ ...named('tank', at(0)), type: 'Tank' }] },
    {
      geometry: box(1, 1, 1) as ShapeArrays,
      objects: [
        { ...named('inner', at(0)), type: 'Pump' },
        { ...named('next', at(5.75)), type: 'Pump' },
        { ...named('far', at(7.25)), type: 'Pump' },
      ],
    },
  ];
  const model = await openStore(await storeOf(shapes));
  const sets = {
    tanks: { type: 'Tank' },
    'at tanks': { near: { set: 'tanks', within: 0.25 } },
    'at these': { near: { set: 'at tanks', within: 0.5 } },
  };
  const counts = await countObjects(model, [{ set: 'at tanks' }, { set: 'at these' }], sets);
  expect(counts).toEqual([3, 4]);
});

const at = (x: number) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);

function gap(a: Float64Array, b: Float64Array): number {
  return Math.hypot(...[0, 1, 2].map((k) => Math.max(0, a[k] - b[3 + k], b[k] - a[3 + k])));
}
