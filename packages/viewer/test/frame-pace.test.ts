import { expect, test } from 'vitest';
import { type Effort, FINE, FramePace, PLAIN, ROUGH } from '../src/picture/frame-pace.js';

const SIZE = { triangles: 2e6, fewTriangles: 2e5 };

/** A pace after some frames on a GPU with this time per triangle of a plain frame. */
function paced(msPerTriangle: number, efforts: readonly Effort[] = [FINE, FINE, PLAIN, PLAIN]): FramePace {
  const pace = new FramePace();
  for (const effort of efforts) {
    const triangles = effort.isFew ? SIZE.fewTriangles : SIZE.triangles;
    pace.learn(effort, SIZE, msPerTriangle * effort.cost * triangles);
  }
  return pace;
}

test('a fast card draws everything finely, moving or not', () => {
  const pace = paced(2e-6);
  expect(pace.effort(SIZE, true)).toBe(FINE);
  expect(pace.effort(SIZE, false)).toBe(FINE);
  expect(pace.few).toBeGreaterThan(SIZE.triangles);
});

test('a slow one draws less while the camera moves, and no more than it can', () => {
  const pace = paced(1e-4);
  expect(pace.effort(SIZE, true)).toBe(ROUGH);
  expect(pace.effort(SIZE, false)).toBe(PLAIN);
  expect(pace.effort({ triangles: 1e8, fewTriangles: 2e5 }, false)).toBe(ROUGH);
  expect(pace.expected(ROUGH, { triangles: 2e6, fewTriangles: pace.few })).toBeLessThan(45);
  expect(pace.expected(FINE, { triangles: pace.part(FINE), fewTriangles: 0 })).toBeLessThan(65);
});

test('what is drawn roughly tells how long all of it would take', () => {
  const [plain, rough] = [paced(1e-4), paced(1e-4, [FINE, FINE, ROUGH, ROUGH])];
  expect(rough.expected(FINE, SIZE)).toBeCloseTo(plain.expected(FINE, SIZE), 6);
});

test('the first frames, in which programs are compiled, tell nothing', () => {
  const pace = new FramePace();
  pace.learn(FINE, SIZE, 5000);
  pace.learn(FINE, SIZE, 5000);
  expect(pace.effort({ triangles: 1000, fewTriangles: 1000 }, true)).toBe(FINE);
  expect(pace.effort(SIZE, true)).toBe(PLAIN);
});
