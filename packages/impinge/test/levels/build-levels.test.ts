/** How groups hang together, and that their finest meshes are the originals. */
import { Random } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import { buildLevels } from '../../src/levels/build-levels.js';
import { meshAt } from '../../src/levels/progressive-mesh.js';
import { every, FAST } from '../budget.js';
import { FAMILIES, type Shape } from './families.js';

/** Each triangle as text, smallest corner first, in order. */
function listed({ positions, indices }: Shape): string[] {
  const triangles: string[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [0, 1, 2].map((k) => {
      const v = 3 * indices[t + k];
      return `${positions[v] + 0} ${positions[v + 1] + 0} ${positions[v + 2] + 0}`;
    });
    const first = corners.indexOf([...corners].sort()[0]);
    triangles.push([0, 1, 2].map((k) => corners[(first + k) % 3]).join(' | '));
  }
  return triangles.sort();
}

describe.each(every(Object.keys(FAMILIES), 3))('levels of %s', (name) => {
  const shape = FAMILIES[name](FAST ? 14 : 28, new Random(7));
  const { groups } = buildLevels(shape);

  test('begin with the originals, every one of them once', () => {
    const finest = groups.filter(({ level }) => level === 0).flatMap(({ mesh }) => listed(meshAt(mesh, 0)));
    expect(finest.sort()).toEqual(listed(shape));
  });

  test('have errors that only grow', () => {
    for (const { mesh, into } of groups) {
      const { steps } = mesh;
      for (let i = 1; i < steps.length; i++) {
        expect(steps[i].out).toBeGreaterThanOrEqual(steps[i - 1].out);
        expect(steps[i].in).toBeGreaterThanOrEqual(steps[i - 1].in);
        expect(steps[i].triangles).toBeLessThan(steps[i - 1].triangles);
      }
      const last = steps[steps.length - 1];
      for (const above of into) {
        expect(groups[above].mesh.steps[0].out).toBeGreaterThanOrEqual(last.out);
        expect(groups[above].mesh.steps[0].in).toBeGreaterThanOrEqual(last.in);
      }
    }
  });

  test('pass on what is left of each group, and nothing else', () => {
    const last = Math.max(...groups.map(({ level }) => level));
    for (let level = 0; level < last; level++) {
      const left = groups
        .filter((group) => group.level === level)
        .flatMap(({ mesh }) => listed(meshAt(mesh, mesh.steps.length - 1)));
      const taken = groups
        .filter((group) => group.level === level + 1)
        .flatMap(({ mesh }) => listed(meshAt(mesh, 0)));
      expect(taken.sort()).toEqual(left.sort());
    }
    groups.forEach(({ from, into }, i) => {
      for (const below of from) expect(groups[below].into).toContain(i);
      for (const above of into) expect(groups[above].from).toContain(i);
    });
  });

  test('are the same every time', () => {
    expect(buildLevels(shape)).toEqual({ groups });
  });
});

test('a connected surface comes down to few triangles', () => {
  const shape = FAMILIES['torus'](60, new Random(1));
  const { groups } = buildLevels(shape);
  const top = groups.filter(({ into }) => into.length === 0);
  expect(shape.indices.length / 3).toBe(14_400);
  expect(top.reduce((sum, { mesh }) => sum + mesh.steps[mesh.steps.length - 1].triangles, 0)).toBeLessThan(
    100,
  );
});
