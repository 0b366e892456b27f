/** Many configurations on threads: the same answers as one by one in TypeScript, for any number of threads. */
import { Mesh, Primitive, Scene } from 'impinge';
import { nodePool } from 'impinge/node';
import { afterAll, describe, expect, test } from 'vitest';
import { box, seededRandom, torus } from '../../../../lab/scenes/index.mjs';
import { every, FAST } from '../../../../test/budget.js';
import { configurationsFree, Mechanism, MechanismSpace } from '../../src/index.js';
import { poseIn, type Random, randomConfiguration, randomMachine, randomShape } from './machines.js';

const pools = [0, 1, 2, 3].map((size) => nodePool(size));
afterAll(() => Promise.all(pools.map((pool) => pool.dispose())));

/** All forms of primitives, and meshes that are convex, closed, open. */
function yard(random: Random): Scene {
  const scene = new Scene();
  const around = () => ({ pose: poseIn(random, 4), name: `thing ${scene.size}` });
  scene.add(new Primitive({ normal: [0.1, 0.2, 1], offset: -1.5 }), { name: 'floor' });
  scene.add(new Primitive({ min: [-0.2, -0.2, -0.2], max: [0.2, 0.3, 0.4] }), around());
  scene.add(new Primitive({ centre: [0, 0, 0], radius: 0.3 }), around());
  scene.add(new Primitive({ from: [0, 0, -0.4], to: [0, 0, 0.4], radius: 0.1 }), around());
  scene.add(new Primitive({ bottom: [0, 0, -0.4], top: [0, 0, 0.4], radius: 0.2 }), around());
  scene.add(Mesh.from(box(0.5, 0.4, 0.3)), around());
  scene.add(Mesh.from(torus(0.5, 0.1, 16, 8)), around());
  scene.add(Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }), around());
  return scene;
}

function space(seed: number, changed: Partial<Parameters<typeof randomMachine>[1]> = {}) {
  const random = seededRandom(seed);
  const mechanism = new Mechanism(randomMachine(random, { links: 5, ...changed }));
  mechanism.attach(mechanism.links[2], randomShape(random), { name: 'held' });
  const allowed = [
    ['held', 'floor'],
    [mechanism.links[1], 'thing 1'],
  ] as const;
  const made = new MechanismSpace(mechanism, yard(random), { allowed });
  const many = (count: number) =>
    Float64Array.from(
      Array.from({ length: count }, () => [...randomConfiguration(random, mechanism, 1.5)]).flat(),
    );
  return { made, many };
}

describe('many configurations', () => {
  test.each(every([1, 2, 3, 4, 5, 6, 7, 8], 4))('on threads as one by one, seed %i', async (seed) => {
    const turning = seed % 2 === 0 ? { types: ['revolute', 'continuous'] as const } : {};
    const { made, many } = space(seed, turning);
    const configurations = many(FAST ? 400 : 2500);
    for (const clearance of [0, 0.05]) {
      const expected = made.areFree(configurations, clearance);
      for (const pool of [undefined, ...pools]) {
        const seen: number[] = [];
        const onProgress = (done: number) => seen.push(done);
        const given = { clearance, onProgress, ...(pool && { pool }) };
        expect(await configurationsFree(made, configurations, given)).toEqual(expected);
        expect([...seen].sort((a, b) => a - b)).toEqual(seen);
        expect(seen.at(-1)).toBe(1);
      }
    }
  });

  test('some are free, some meet', async () => {
    let [free, all] = [0, 0];
    for (const seed of [1, 2, 3, 4]) {
      const { made, many } = space(seed);
      for (const one of await configurationsFree(made, many(500))) free += one;
      all += 500;
    }
    expect(free).toBeGreaterThan(20);
    expect(free).toBeLessThan(all - 20);
  });

  test('angles of many turns are those of none', async () => {
    const rod = { capsule: { radius: 0.1, length: 1 }, pose: { translation: [0.6, 0, 0] } };
    const arm = new Mechanism({
      links: [{ name: 'foot' }, { name: 'arm', shapes: [rod] }],
      joints: [{ name: 'turn', type: 'continuous', parent: 'foot', child: 'arm', axis: [0, 0, 1] }],
    });
    const scene = new Scene();
    scene.add(new Primitive({ centre: [0, 0.7, 0], radius: 0.2 }));
    const around = new MechanismSpace(arm, scene);
    const random = seededRandom(4);
    const angles = Float64Array.from({ length: 4000 }, (_, i) => 10 ** (i % 9) * (2 * random() - 1));
    expect(await configurationsFree(around, angles)).toEqual(around.areFree(angles));
    expect(await configurationsFree(around, [1e20, -1e9])).toEqual(around.areFree([1e20, -1e9]));
  });

  test('stop when they are told to, and when something moves', async () => {
    const { made, many } = space(1);
    const configurations = many(5000);
    for (const pool of [undefined, pools[2]]) {
      const control = new AbortController();
      const given = { signal: control.signal, onProgress: () => control.abort(), ...(pool && { pool }) };
      const asked = configurationsFree(made, configurations, given);
      await expect(asked).rejects.toMatchObject({ code: 'aborted' });
    }
    const { mechanism } = made;
    const changed = configurationsFree(made, configurations, {
      onProgress: () => mechanism.attach(mechanism.links[1], { sphere: { radius: 1 } }),
    });
    await expect(changed).rejects.toMatchObject({ code: 'busy' });
    expect(await configurationsFree(made, [], { pool: pools[1] })).toHaveLength(0);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['no space', () => configurationsFree({} as never, []), 'needs a MechanismSpace'],
    [
      'half a configuration',
      () => configurationsFree(space(1).made, [1]),
      'numbers are no configurations of',
    ],
    [
      'a number that is none',
      () => configurationsFree(space(1, { links: 3, types: ['planar'] }).made, [0, NaN, 0, 0, 0, 0]),
      'NaN',
    ],
    ['no pool', () => configurationsFree(space(1).made, [], { pool: 2 as never }), 'pool must be a pool'],
    [
      'an unknown option',
      () => configurationsFree(space(1).made, [], { threads: 2 } as never),
      'no option threads',
    ],
  ])('are refused: %s', async (_, ask, message) => {
    await expect((async () => ask())()).rejects.toThrow(message);
  });
});
