/** Triangles in order: every one once, in parts of nearly equal size, near ones together. */
import { Random } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import { splitTriangles } from '../../src/levels/cluster.js';

/** One small triangle at each of these places. */
function soup(count: number, placeOf: (t: number) => readonly number[]) {
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const place = placeOf(t);
    for (let k = 0; k < 9; k++) positions[9 * t + k] = place[k % 3] + (k === 3 || k === 7 ? 1e-3 : 0);
  }
  return { positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

const random = new Random(5);
const PLACES: Record<string, (t: number) => readonly number[]> = {
  anywhere: () => [random.next(), random.next(), random.next()],
  'on a line, in order': (t) => [0, t, 0],
  'on a line, backwards': (t) => [0, 0, -t],
  'all in one place': () => [1, 2, 3],
  'in two places': (t) => [t % 2, 0, 0],
};

describe.each(Object.keys(PLACES))('triangles %s', (name) => {
  test.each([1, 2, 3, 4, 5, 6, 7, 64, 65, 1000])('%i of them', (count) => {
    const shape = soup(count, PLACES[name]);
    const centre = (t: number, k: number) => shape.positions[9 * t + k];
    for (const most of [count, 10, 7].filter((n) => n > 4)) {
      const parts = splitTriangles(shape, most);
      expect(parts).toHaveLength(Math.ceil(count / most));
      const sizes = parts.map(({ length }) => length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(
        Math.ceil(Math.log2(parts.length + 1)),
      );
      expect(parts.flatMap((part) => [...part]).sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
      if (parts.length < 2) continue;
      // the first cut: along the longest side of all centres, equal ones by number
      const left = new Set(parts.slice(0, parts.length >> 1).flatMap((part) => [...part]));
      const spans = [0, 1, 2].map((k) => {
        const all = Array.from({ length: count }, (_, t) => centre(t, k));
        return Math.max(...all) - Math.min(...all);
      });
      const axis = spans.indexOf(Math.max(...spans));
      const order = [...Array(count).keys()].sort((a, b) => centre(a, axis) - centre(b, axis) || a - b);
      expect(new Set(order.slice(0, left.size))).toEqual(left);
    }
  });
});

test('no triangles are no parts', () => {
  expect(splitTriangles({ positions: new Float32Array(0), indices: new Uint32Array(0) }, 8)).toEqual([]);
});
