/** More pairs at nearly the same distance than a search can remember. */
import { describe, expect, test } from 'vitest';
import { icosphere } from '../../../../../lab/scenes/index.mjs';
import { buildHierarchy } from '../../../src/hierarchy/build.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { distance } from '../../../src/query/pair/distance.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { within } from '../../../src/query/pair/within.js';
import { grid } from '../../hierarchy/fixtures.js';
import { quaternionPose, shiftPose } from '../support/scenes.js';

const SCENES = {
  'concentric spheres': [
    () => Mesh.from(icosphere(24, 1)),
    () => Mesh.from(icosphere(24, 1.002)),
    quaternionPose(181, 0.7),
  ],
  'equal concentric spheres': [() => Mesh.from(icosphere(16, 1)), () => Mesh.from(icosphere(16, 1.5)), {}],
  'parallel grids': [() => grid(70), () => grid(60), shiftPose(0, 0, 0.25)],
  'nearly parallel grids': [() => grid(70), () => grid(60), quaternionPose(182, 1e-4, [0, 0, 0.25])],
} as const;

describe.each(Object.entries(SCENES))('%s', (_, [makeA, makeB, options]) => {
  test.each([false, true])('lazy: %s: the closest pair, and none closer', (lazy) => {
    const a = makeA();
    const b = makeB();
    for (const mesh of [a, b]) useHierarchy(buildHierarchy(mesh, { lazy }));
    const found = distance(a, b, options);
    const [c, d] = [makeA(), makeB()];
    for (const mesh of [c, d]) useHierarchy(buildHierarchy(mesh, { volume: 'aabb' }));
    for (const [x, y] of [
      [a, b],
      [c, d],
    ]) {
      const reference = distance(x, y, { ...options, atMost: found.distance * (1 + 1e-12) });
      expect(Math.abs(reference.distance - found.distance)).toBeLessThan(1e-14);
    }
    expect(distance(c, d, { ...options, atMost: found.distance * (1 - 1e-12) }).distance).toBe(Infinity);
    expect(within(a, b, { ...options, distance: found.distance }).within).toBe(true);
    expect(within(a, b, { ...options, distance: found.distance * (1 - 1e-9) }).within).toBe(false);
    expect(distance(a, b, { ...options, atMost: found.distance * (1 - 1e-9) }).distance).toBe(Infinity);
  });
});
