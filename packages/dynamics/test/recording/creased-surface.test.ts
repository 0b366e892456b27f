import { breaking } from '@impinge/scenes/deform';
import { pyramid } from '@impinge/scenes/rigid';
import { expect, test } from 'vitest';
import { creasedSurface } from '../../src/recording/creased-surface.js';

test('the edges of a box stay sharp: every side has corners and a normal of its own', () => {
  const [box] = pyramid({ rows: 1 }).shapes;
  const { positions, normals, indices } = creasedSurface(box.positions, box.indices);
  expect(positions.length / 3).toBe(24);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [...indices.subarray(t, t + 3)].map((v) => [...normals.subarray(3 * v, 3 * v + 3)]);
    expect(a).toEqual(b);
    expect(b).toEqual(c);
    expect(a.map(Math.abs).sort()).toEqual([0, 0, 1]);
  }
});

test('a ball stays smooth: one normal per vertex, away from the middle', () => {
  const { ball } = breaking();
  const { positions, normals } = creasedSurface(ball.positions, ball.indices);
  expect(positions.length).toBe(ball.positions.length);
  const middle = [0, 1, 2].map((k) => {
    const along = positions.filter((_, i) => i % 3 === k);
    return (Math.min(...along) + Math.max(...along)) / 2;
  });
  for (let i = 0; i < positions.length; i += 3) {
    const out = middle.map((m, k) => positions[i + k] - m);
    const along = out.reduce((sum, x, k) => sum + x * normals[i + k], 0) / Math.hypot(...out);
    expect(along).toBeGreaterThan(0.99);
  }
});
