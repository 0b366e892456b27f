/** Sessions with targets and bodies that have levels, asked with an error: held against the meshes they are made of. */
import { Random } from '@impinge/scenes/random';
import { distance, Mesh } from 'impinge';
import type { Pose } from 'impinge/internal/math/pose.js';
import { afterAll, describe, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { FAST } from '../../../../test/budget.js';
import { LevelsTarget, Session, type SessionBody } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { frontOf } from '../../src/store/front.js';
import { openStore } from '../../src/store/open.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';

/** A ball with bumps. */
function lump(random: Random): Mesh {
  const { positions, indices } = icosphere(8, 0.5) as ShapeArrays;
  return Mesh.from({ positions: positions.map((x) => x * (1 + 0.02 * random.next())), indices });
}

const ball = lump(new Random(7));
const probe = Mesh.from(icosphere(5, 0.3));
const PLACES = [0, 1.1, 2.2].map((x): Pose => ({ translation: [x, 0, 0] }));
const model = await buildLevels(
  PLACES.map((pose, i) => ({ mesh: ball, name: `lump ${i}`, pose })),
  { pieceTriangles: 128 },
);
const PLAIN = icosphere(3, 0.4) as ShapeArrays;
const plainMesh = Mesh.from(PLAIN);
const plain = await openStore(
  await storeOf([{ geometry: PLAIN, objects: [named('plain', moved(0.5, 0.9, 0))] }]),
);
const PLAIN_AT: Pose = { translation: [0.5, 0.9, 0] };

const levels = new LevelsTarget(model);
const bodyLevels = new LevelsTarget(await buildLevels(ball, { pieceTriangles: 128 }));
afterAll(async () => {
  await levels.dispose();
  await bodyLevels.dispose();
});

const TINY = 1e-9;

/** How far a mesh is from everything that stands still, by target and object. */
function truth(own: Mesh, pose: Pose): Map<string, number> {
  const from = (mesh: Mesh, at: Pose) => distance(own, mesh, { poseA: pose, poseB: at }).distance;
  const all = PLACES.map((at, i) => [`0/${i}`, from(ball, at)] as const);
  return new Map([...all, ['1/0', from(plainMesh, PLAIN_AT)] as const]);
}

async function assertAnswers(body: SessionBody, own: Mesh, pose: Pose, error: number, apart: number) {
  const distances = truth(own, pose);
  for (const mode of ['all', 'any'] as const) {
    const found = await body.hits({ distance: apart, mode, error });
    const names = found.hits.map(({ target, object }) => `${target}/${object}`);
    for (const [name, d] of distances) {
      if (d <= apart) expect(names).toContain(name);
      if (d > apart + error + TINY) expect(names).not.toContain(name);
    }
    for (const [i, { bounds, pointA, pointB, count }] of found.hits.entries()) {
      const d = distances.get(names[i])!;
      expect(bounds[0]).toBeLessThanOrEqual(d + TINY);
      expect(bounds[1]).toBeGreaterThanOrEqual(d - TINY);
      expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(error + TINY);
      expect(bounds[0]).toBeLessThanOrEqual(apart + TINY);
      expect(Math.hypot(...pointA.map((x, k) => x - pointB[k]))).toBeLessThanOrEqual(bounds[1] + TINY);
      expect(mode === 'any' ? count === 1 : count > 0).toBe(true);
    }
    expect(found.complete).toBe(mode === 'all' || found.count === 0);
  }
  const [name, least] = [...distances].reduce((p, q) => (q[1] < p[1] ? q : p));
  const nearest = await body.distance({ error });
  expect(nearest.bounds[0]).toBeLessThanOrEqual(least + TINY);
  expect(nearest.bounds[1]).toBeGreaterThanOrEqual(least - TINY);
  expect(nearest.bounds[1] - nearest.bounds[0]).toBeLessThanOrEqual(error + TINY);
  if (error === 0 && least > 0) expect(`${nearest.target}/${nearest.object}`).toBe(name);
  const nothing = await body.distance({ error, atMost: Math.max(0, least / 2 - error) });
  if (least / 2 > error) expect(nothing).toMatchObject({ distance: Infinity, object: undefined });
}

describe('among two stores', () => {
  test.each([
    ['a mesh', probe, probe],
    ['a stored model with levels', bodyLevels, ball],
  ] as const)('%s moves in it', async (_, thing, own) => {
    const session = new Session([levels, plain]);
    const body = session.add(thing);
    const walk = new Random(3);
    let met = 0;
    for (let step = 0; step < (FAST ? 2 : 6); step++) {
      const translation = [0, 1, 2].map((k) => (k === 0 ? 3 : 1.4) * walk.next() - (k === 0 ? 0.4 : 0.4));
      const pose: Pose = { translation };
      body.move(pose);
      for (const error of [0, 0.05, 0.4]) {
        await assertAnswers(body, own, pose, error, 0.1);
        met += (await body.hits({ error, mode: 'any' })).count;
      }
    }
    expect(met).toBeGreaterThan(FAST ? 0 : 3);
    expect(frontOf(model, 0, 0.05).length).toBeLessThan(frontOf(model, 0, 0).length);
    await session.dispose();
  });

  test('other bodies are met, too, whatever they are', async () => {
    const session = new Session([]);
    const first = session.add(probe);
    const second = session.add(bodyLevels, { pose: { translation: [0.7, 0, 0] } });
    const met = await second.hits({ error: 0.01 });
    expect(met.hits).toHaveLength(1);
    expect(met.hits[0]).toMatchObject({ body: first, target: undefined, object: undefined });
    expect(met.error).toBe(0.01);
    first.move({ translation: [-1, 0, 0] });
    const exact = distance(probe, ball, {
      poseA: { translation: [-1, 0, 0] },
      poseB: { translation: [0.7, 0, 0] },
    });
    const found = await first.distance({ error: 0.01 });
    expect(found.body).toBe(second);
    expect(found.bounds[0]).toBeLessThanOrEqual(exact.distance);
    expect(found.bounds[1]).toBeGreaterThanOrEqual(exact.distance);
    expect((await first.hits()).count).toBe(0);
  });

  test('objects of a stored model in it can be hidden and taken, those of other targets cannot', async () => {
    const session = new Session([levels, plain]);
    const body = session.add(probe, { pose: { translation: [0.5, 1.1, 0] } });
    const targets = async () => (await body.hits({ error: 0.01, mode: 'any' })).hits.map((hit) => hit.target);
    expect(await targets()).toContain(1);
    const taken = await session.take(0, 1);
    expect(await targets()).not.toContain(1);
    taken.move({ translation: [0, 50, 0] });
    expect((await body.hits()).hits.filter((hit) => hit.body)).toEqual([]);
    expect(() => session.hide(0)).toThrowError('target 0 is not a stored model');
    await session.dispose();
  });
});

test('a bound of 0 is no reason to stop', async () => {
  const pose: Pose = { translation: [0.6, 0.1, 0] };
  expect((await distance(levels, probe, { pose, error: 0.01, atMost: 0 })).distance).toBe(0);
});
