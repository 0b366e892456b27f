import { collide, Mesh, selfIntersect } from 'impinge';
import { describe, expect, it } from 'vitest';
import { bowl, cup, numbers, spiralPeg, spoon, wrinkledTorus } from '../dist/contact/index.js';
import { expectClosed } from './deform-checks.mjs';

describe('things to be in contact', () => {
  it.each([
    ['cup', cup, 64_000, 1],
    ['spoon', spoon, 86_016, 0],
    ['spiral peg', spiralPeg, 32_160, 0],
    ['wrinkled torus', wrinkledTorus, 32_000, 1],
    ['bowl', bowl, 12_288, 0],
  ])('%s is closed, free of itself and of the published size', (_, make, triangles, holes) => {
    const model = make();
    expect(model.indices.length / 3).toBe(triangles);
    expectClosed(model, holes);
    expect(selfIntersect(Mesh.from(model)).count).toBe(0);
  });

  it.each([
    ['cup', cup, 1],
    ['spoon', spoon, 0],
    ['spiral peg', spiralPeg, 0],
    ['wrinkled torus', wrinkledTorus, 1],
  ])('a coarser %s is closed, and free of itself', (_, make, holes) => {
    const fine = make().indices.length;
    for (const coarseness of [2, 3, 4, 5]) {
      const model = make(coarseness);
      expect(model.indices.length * coarseness ** 2).toBeGreaterThan(0.9 * fine);
      expect(model.indices.length * coarseness ** 2).toBeLessThan(1.1 * fine);
      expectClosed(model, holes);
      expect(selfIntersect(Mesh.from(model)).count).toBe(0);
    }
  });

  it('numbers are closed, free of themselves, and of the published size on average', () => {
    const shapes = numbers();
    expect(shapes.map(({ name }) => name).join('')).toBe('0123456789');
    const holes = { 0: 1, 4: 1, 6: 1, 8: 2, 9: 1 };
    for (const shape of shapes) {
      expectClosed(shape, holes[shape.name] ?? 0);
      expect(selfIntersect(Mesh.from(shape)).count).toBe(0);
    }
    const all = shapes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
    expect(Math.abs(all / 10 - 1080)).toBeLessThan(20);
  });

  it('fit into each other', () => {
    const meet = (a, b, pose) => collide(Mesh.from(a), Mesh.from(b), { poseB: pose }).colliding;
    // the spoon stands in the cup with its bowl below; the torus lies about the peg's foot and higher up
    // biome-ignore format: a matrix, column by column
    const upright = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.015, 0.012, 0, 1];
    expect(meet(cup(), spoon(), upright)).toBe(false);
    for (const height of [0.06, 0.15, 0.25]) {
      // biome-ignore format: a matrix, column by column
      expect(meet(spiralPeg(), wrinkledTorus(), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, height, 0, 1])).toBe(false);
    }
  });
});
