/** What levels promise about distances, against samples. */
import { Random, seedOf } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import { buildLevels } from '../../src/levels/build-levels.js';
import { meshAt } from '../../src/levels/progressive-mesh.js';
import { every, FAST, runs } from '../budget.js';
import { FAMILIES, type Shape } from './families.js';
import { sampledDistance } from './sampling.js';

/** The surface when every group is at its coarsest step that has at most this error, or coarser ones stand for it. */
function frontAt(levels: ReturnType<typeof buildLevels>, error: number): Shape[] {
  const { groups } = levels;
  const isIn = groups.map(({ mesh }) => mesh.steps[0].out + mesh.steps[0].in <= error);
  const meshes: Shape[] = [];
  groups.forEach(({ mesh, into }, i) => {
    if (!isIn[i]) return;
    let step = mesh.steps.length - 1;
    while (mesh.steps[step].out + mesh.steps[step].in > error) step--;
    if (step < mesh.steps.length - 1 || into.length === 0 || into.some((group) => !isIn[group]))
      meshes.push(meshAt(mesh, step));
  });
  return meshes;
}

function together(shapes: readonly Shape[]): Shape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const shape of shapes) {
    const first = positions.length / 3;
    for (const x of shape.positions) positions.push(x);
    for (const v of shape.indices) indices.push(v + first);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

describe('bounds', () => {
  for (const name of every(Object.keys(FAMILIES), 3)) {
    test(`of ${name} are never below what samples find`, () => {
      for (let run = 0; run < runs(2); run++) {
        const random = new Random(seedOf(run, name.length, name.charCodeAt(0)));
        const shape = FAMILIES[name](FAST ? 8 : 9 + 6 * run, random);
        const levels = buildLevels(shape);
        const top = levels.groups.reduce(
          (most, { mesh }) =>
            Math.max(most, mesh.steps[mesh.steps.length - 1].out + mesh.steps[mesh.steps.length - 1].in),
          0,
        );
        for (const share of [0, 0.03, 0.3, 1]) {
          const error = share * top;
          const front = frontAt(levels, error);
          const whole = together(front);
          const out = sampledDistance(shape, whole, random, 2);
          const inward = sampledDistance(whole, shape, random, 4);
          expect(out + inward).toBeLessThanOrEqual(error + 1e-12);
        }
      }
    });
  }

  test('of one group hold for each of its steps, both ways', () => {
    for (const name of every(Object.keys(FAMILIES), 4)) {
      const random = new Random(seedOf(name.length));
      const shape = FAMILIES[name](FAST ? 8 : 11, random);
      const { groups } = buildLevels(shape);
      const mesh = groups[0].mesh;
      if (groups.some(({ level }, i) => i > 0 && level === 0)) continue; // the shape has more than one group
      mesh.steps.forEach(({ out, in: inward, triangles }, step) => {
        const level = meshAt(mesh, step);
        expect(level.indices.length).toBe(3 * triangles);
        expect(sampledDistance(shape, level, random, 2)).toBeLessThanOrEqual(out + 1e-12);
        expect(sampledDistance(level, shape, random, 2)).toBeLessThanOrEqual(inward + 1e-12);
      });
    }
  });
});
