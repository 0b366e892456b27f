/** What the options mean at their edges, and what is refused. */
import { describe, expect, test } from 'vitest';
import { ImpingeError } from '../../../src/base/errors.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { selfIntersect } from '../../../src/query/pair/self-intersect.js';
import { within } from '../../../src/query/pair/within.js';
import { grid, soup } from '../../hierarchy/fixtures.js';
import { expectPairs } from '../support/brute-force.js';
import { cube, scaled, shiftPose } from '../support/scenes.js';

const a = cube(4);
const b = cube(3);

describe('a distance that can be written down', () => {
  test.each([2 ** -20, 0.125, 1, 3, 1024])('a gap of %d between faces', (gap) => {
    const pose = shiftPose(1 + gap, 0, 0);
    expect(distance(a, b, pose).distance).toBe(gap);
    expect(within(a, b, { ...pose, distance: gap }).within).toBe(true);
    expect(within(a, b, { ...pose, distance: gap, mode: 'all' }).count).toBeGreaterThan(100);
    expect(within(a, b, { ...pose, distance: gap * (1 - 2 ** -20) }).within).toBe(false);
    expect(distance(a, b, { ...pose, atMost: gap }).distance).toBe(gap);
    expect(distance(a, b, { ...pose, atMost: gap * (1 + 2 ** -30) }).distance).toBe(gap);
    expect(distance(a, b, { ...pose, atMost: gap * (1 - 2 ** -30) }).distance).toBe(Infinity);
  });

  test('3–4–5 between edges, 2–3–6 between corners', () => {
    expect(distance(a, b, shiftPose(4, 5, 0)).distance).toBe(5);
    expect(within(a, b, { ...shiftPose(4, 5, 0), distance: 5, mode: 'all' }).count).toBeGreaterThan(0);
    expect(within(a, b, { ...shiftPose(4, 5, 0), distance: 4.999999 }).within).toBe(false);
    const corner = distance(a, b, shiftPose(3, 4, 7));
    expect(corner).toMatchObject({ distance: 7, pointA: [1, 1, 1], pointB: [3, 4, 7] });
    expect(corner.featureA).toBeLessThan(3);
    expect(corner.featureB).toBeLessThan(3);
    expect(within(a, b, { ...shiftPose(3, 4, 7), distance: 7 }).within).toBe(true);
  });

  test('touching is 0 and colliding; the least step away is neither', () => {
    for (const pose of [shiftPose(1, 0, 0), shiftPose(1, 1, 0), shiftPose(1, 1, 1)]) {
      expect(collide(a, b, pose).colliding).toBe(true);
      expect(distance(a, b, pose).distance).toBe(0);
      expect(distance(a, b, { ...pose, atMost: 0 }).distance).toBe(0);
      expectPairs(within(a, b, { ...pose, distance: 0, mode: 'all' }).pairs, collide(a, b, pose).pairs);
    }
    const step = 2 ** -52;
    for (const pose of [shiftPose(1 + step, 0, 0), shiftPose(1 + step, 1, 0), shiftPose(1, 1, 1 + step)]) {
      expect(collide(a, b, pose).colliding).toBe(false);
      expect(distance(a, b, pose).distance).toBe(step);
      expect(distance(a, b, { ...pose, atMost: 0 }).distance).toBe(Infinity);
      expect(within(a, b, { ...pose, distance: 0 }).within).toBe(false);
      expect(within(a, b, { ...pose, distance: step }).within).toBe(true);
    }
  });
});

test('witness points are in the world, also at survey coordinates', () => {
  const at = [5e6, 4e6, 250];
  const [far, farther] = [scaled(a, 1, at, true), scaled(b, 1, [5e6 + 3.5, 4e6, 250], true)];
  const result = distance(far, farther);
  expect(result.distance).toBe(2.5);
  expect(result.pointA![0]).toBe(5e6 + 1);
  expect(result.pointB![0]).toBe(5e6 + 3.5);
  const posed = distance(a, b, { poseA: { translation: at }, poseB: { translation: [5e6 + 3.5, 4e6, 250] } });
  expect(posed.pointA![0]).toBe(5e6 + 1);
  expect(posed.pointB![0]).toBe(5e6 + 3.5);
});

test('modes and limits', () => {
  const all = collide(a, b);
  expect(all.complete).toBe(true);
  expect(within(a, b, { distance: 0.1, mode: 'any' }).count).toBe(1);
  expect(within(a, b, { distance: 0.1 })).toMatchObject({ complete: true, error: 0 });
  expect(within(a, b, { distance: 0.1, limit: 9 }).count).toBe(9);
  expectPairs(collide(a, b, { limit: all.count }).pairs, all.pairs);
  const room = collide(a, b, { limit: all.count + 1 });
  expectPairs(room.pairs, all.pairs);
  expect(room.complete).toBe(true);
  expect(collide(a, b, { limit: all.count - 1 })).toMatchObject({
    count: all.count - 1,
    complete: false,
  });
  // more pairs than one batch of the kernels holds, all of them undecided in floating point
  const [g, h] = [grid(30), grid(31)];
  const many = collide(g, h);
  expect(many.count).toBeGreaterThan(9000);
  const names = ({ pairs, count }: { readonly pairs: Uint32Array; readonly count: number }) =>
    Array.from({ length: count }, (_, i) => 1e6 * pairs[2 * i] + pairs[2 * i + 1]);
  const known = new Set(names(many));
  for (const limit of [1, 4095, 4096, 4097, 9000]) {
    const some = collide(g, h, { limit });
    expect(some.complete).toBe(false);
    const found = names(some);
    expect(new Set(found).size).toBe(limit);
    expect(found.filter((name) => !known.has(name))).toEqual([]);
  }
});

describe('refused with a typed error', () => {
  const refused = (code: string, run: () => unknown) => {
    let caught: unknown;
    try {
      run();
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ImpingeError);
    expect((caught as ImpingeError).code).toBe(code);
    expect((caught as ImpingeError).message).not.toBe('');
  };

  test.each([Number.NaN, -1, -1e-300, Infinity, -Infinity, undefined as unknown as number])(
    'distance %s',
    (value) => {
      refused('bad-option', () => within(a, b, { distance: value }));
    },
  );
  test.each([Number.NaN, -1, -Infinity])('atMost %s', (atMost) => {
    refused('bad-option', () => distance(a, b, { atMost }));
  });
  test.each([0, -1, 1.5, Number.NaN])('limit %s', (limit) => {
    refused('bad-option', () => collide(a, b, { limit }));
    refused('bad-option', () => within(a, b, { distance: 1, limit }));
    refused('bad-option', () => selfIntersect(a, { limit }));
  });
  test('poses', () => {
    const turn = [0, 0, 0, 1];
    for (const query of [
      (x: Mesh, y: Mesh, o: object) => collide(x, y, o),
      (x: Mesh, y: Mesh, o: object) => distance(x, y, o),
      (x: Mesh, y: Mesh, o: object) => within(x, y, { distance: 1, ...o }),
    ]) {
      refused('non-finite', () => query(a, b, { pose: { translation: [0, Number.NaN, 0] } }));
      refused('non-finite', () => query(a, b, { pose: { translation: [0, Infinity, 0] } }));
      refused('bad-pose', () => query(a, b, { pose: { rotation: [Number.NaN, 0, 0, 1] } }));
      refused('bad-pose', () => query(a, b, { pose: { rotation: [0, 0, 0, 0] } }));
      refused('bad-pose', () => query(a, b, { pose: { rotation: [0, 0, 0, 2] } }));
      refused('bad-pose', () => query(a, b, { pose: { rotation: [2, 0, 0, 0, 1, 0, 0, 0, 1] } }));
      refused('bad-pose', () => query(a, b, { pose: { rotation: [-1, 0, 0, 0, 1, 0, 0, 0, 1] } }));
      refused('bad-pose', () => query(a, b, { pose: { rotation: [1, 0, 0] } }));
      refused('bad-pose', () => query(a, b, { pose: { translation: [1, 0] } }));
      refused('bad-pose', () => query(a, b, { pose: [1, 2, 3] }));
      refused('bad-option', () => query(a, b, { pose: { rotation: turn }, poseA: { rotation: turn } }));
    }
  });
  test('disposed meshes', () => {
    const gone = soup(71, 10, 0.1);
    collide(gone, b);
    gone.dispose();
    refused('disposed', () => collide(gone, b));
    refused('disposed', () => collide(b, gone));
    refused('disposed', () => distance(gone, b));
    refused('disposed', () => selfIntersect(gone));
  });
});
