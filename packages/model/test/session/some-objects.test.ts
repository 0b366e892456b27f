/**
 * Some objects of a stored model alone, points in its solids, and the pieces around a body: held against whole meshes.
 */
import { Random } from '@impinge/scenes/random';
import { collide, distance, hits, Mesh, pointInMesh } from 'impinge';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { afterAll, describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../test/budget.js';
import { Session, StoredTarget, selectObjects } from '../../src/index.js';
import { openStore } from '../../src/store/open.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';

const SHAPES = [icosphere(4, 0.6), box(1, 0.5, 2)] as ShapeArrays[];
const OPEN: ShapeArrays = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  indices: Uint32Array.of(0, 1, 2),
};
const PLACES = [
  [moved(0, 0, 0), moved(1.5, 0.25, 0), moved(5, 0, 0)],
  [moved(0.75, 0.5, 0.25), moved(-3, 0, 0.5)],
  [moved(20, 0, 0)],
];
const model = await openStore(
  await storeOf(
    [...SHAPES, OPEN].map((geometry, s) => ({
      geometry,
      objects: PLACES[s].map((pose, i) => named(`shape ${s}/object ${i}`, pose)),
    })),
    { pieceTriangles: 64 },
  ),
);
const wholes = [...SHAPES, OPEN].flatMap((geometry, s) =>
  PLACES[s].map((pose) => ({ mesh: Mesh.from(geometry), pose: { translation: pose.subarray(9) } })),
);
const stored = new StoredTarget(model);
afterAll(() => stored.dispose());

describe('selected objects', () => {
  test('listed: pairs of them have the distance of their meshes', async () => {
    for (let a = 0; a < wholes.length; a++) {
      for (let b = 0; b < a; b++) {
        const truth = distance(wholes[a].mesh, wholes[b].mesh, {
          poseA: wholes[a].pose,
          poseB: wholes[b].pose,
        });
        const found = await distance(stored.select([a]), stored.select(Uint32Array.of(b)));
        expect(found.distance).toBeCloseTo(truth.distance, 12);
        expect([found.objectA, found.objectB]).toEqual([a, b]);
      }
    }
  });

  test('by a function: what meets the others', async () => {
    const found = await hits(
      stored.select((object) => object !== 0),
      stored.select([0]),
    );
    const truth = [1, 2, 3, 4, 5].filter(
      (i) => collide(wholes[i].mesh, wholes[0].mesh, { poseA: wholes[i].pose }).colliding,
    );
    expect(truth.length).toBeGreaterThan(0);
    expect(found.hits.map(({ objectA }) => objectA)).toEqual(truth);
  });

  test('none meet nothing, and what is no object is refused', async () => {
    expect((await collide(stored.select([]), stored)).count).toBe(0);
    expect(() => stored.select([6])).toThrowError('the model has no object 6');
    expect(() => stored.select(3 as never)).toThrowError(
      'a list of objects, or a function of them, is needed',
    );
  });
});

test('inside an object is where its mesh has its inside', async () => {
  const random = new Random(3);
  const at = (): Vec3 => [5 * random.next() - 1.5, 3 * random.next() - 1.5, 3 * random.next() - 1.5];
  let inside = 0;
  for (let i = 0; i < runs(200); i++) {
    const point = at();
    for (const object of [0, 1, 3]) {
      const { mesh, pose } = wholes[object];
      const truth = pointInMesh(mesh, point, { pose }) === 'inside';
      expect(await stored.isInside(object, point)).toBe(truth);
      if (truth) inside++;
    }
  }
  expect(inside).toBeGreaterThan(least(0));
  await expect(stored.isInside(5, [0, 0, 0])).rejects.toThrowError('object 5 is not closed');
});

test('around a body: pieces with boxes as near as that, without what is hidden, until they are let go', async () => {
  await using session = new Session(model, { memory: 1 << 24 });
  const body = session.add(wholes[0].mesh, { pose: { translation: [1, 0, 0] } });
  expect(body.parts).toEqual([wholes[0].mesh]);
  const { min, max } = wholes[0].mesh.box;
  for (const apart of [0, 0.5, 4]) {
    const expected: string[] = [];
    for (let object = 0; object < model.objectCount; object++) {
      const first = model.directory.objectFirstPlaced[object];
      for (let piece = 0; piece < model.pieceCountOf(object); piece++) {
        const own = model.directory.placedBox.subarray(6 * (first + piece), 6 * (first + piece) + 6);
        const gaps = [0, 1, 2].map((k) => {
          const [low, high] = [min[k] + (k === 0 ? 1 : 0), max[k] + (k === 0 ? 1 : 0)];
          return Math.max(0, own[k] - high, low - own[3 + k]);
        });
        if (object !== 1 && Math.hypot(...gaps) <= apart) expected.push(`${object}/${piece}`);
      }
    }
    expect(expected.length).toBeGreaterThan(0);
    session.hide(1);
    const around = await body.around({ distance: apart });
    expect(around.pieces.map(({ object, piece }) => `${object}/${piece}`)).toEqual(expected);
    for (const { target, mesh, object, pose } of around.pieces) {
      expect([target, pose]).toEqual([0, model.pose(object)]);
      expect(mesh.triangleCount).toBeGreaterThan(0);
    }
    around.dispose();
    around.dispose();
    session.show(1);
  }
});

describe('what a session has near a box, and around a mesh', () => {
  test('all pieces whose boxes meet it, but for those of hidden objects', async () => {
    await using session = new Session(model);
    const random = new Random(3);
    session.hide(1);
    const { placedBox, objectFirstPlaced } = model.directory;
    for (let i = 0; i < runs(20); i++) {
      const min = [0, 1, 2].map((k) => (k === 0 ? 24 : 4) * random.next() - 3);
      const max = min.map((low) => low + 3 * random.next());
      const wanted: string[] = [];
      for (let object = 0; object < model.objectCount; object++) {
        for (let slot = objectFirstPlaced[object]; slot < objectFirstPlaced[object + 1]; slot++) {
          const own = placedBox.subarray(6 * slot, 6 * slot + 6);
          if (object !== 1 && min.every((low, k) => own[k] <= max[k] && own[3 + k] >= low))
            wanted.push(`${object} ${slot - objectFirstPlaced[object]}`);
        }
      }
      const held = await session.within({ min: min as never, max: max as never });
      expect(held.pieces.map(({ object, piece }) => `${object} ${piece}`)).toEqual(wanted);
      held.dispose();
    }
  });

  test('nothing of it where that does not fit into memory', async () => {
    await using session = new Session(model, { memory: 20_000 });
    const everything = { min: [-9, -9, -9], max: [30, 9, 9] } as const;
    await expect(session.within(everything)).rejects.toMatchObject({ code: 'out-of-memory' });
    expect(session.stats.loads).toBe(0);
    const little = await session.within({ min: [19, -1, -1], max: [22, 1, 1] });
    expect(little.pieces.map(({ object }) => object)).toEqual([5]);
    little.dispose();
    await expect(session.within({ min: [0, 0, Number.NaN], max: [1, 1, 1] })).rejects.toThrow(
      /min of the box .* NaN/,
    );
  });

  test('the closed objects that hold a part of it', async () => {
    await using session = new Session(model);
    const dots = [
      [0.1, 0, 0],
      [5, 0.1, 0],
    ].map(([x, y, z]) => [x, y, z, x + 0.01, y, z, x, y + 0.01, z]);
    const two = Mesh.from({ positions: dots.flat() });
    expect(await session.enclosing(two)).toEqual([0, 2]);
    expect(await session.enclosing(two, { pose: { translation: [0, 0, 2] } })).toEqual([]);
    session.hide(0);
    expect(await session.enclosing(two)).toEqual([2]);
  });
});

test('objects are selected by number', async () => {
  const selections = [{ name: 'object 0' }, 'shape 1/*', { name: 'nothing' }];
  const names = Array.from({ length: model.objectCount }, (_, i) => model.object(i));
  const found = await selectObjects(model, selections);
  expect(found[0]).toEqual(names.flatMap(({ name }, i) => (name === 'object 0' ? [i] : [])));
  expect(found[1]).toEqual(names.flatMap(({ path }, i) => (path.startsWith('shape 1/') ? [i] : [])));
  expect(found[2]).toEqual([]);
});
