import { expect, test } from 'vitest';
import { Canvas } from '../src/reports/canvas.js';
import { drawLocation } from '../src/reports/location-plan.js';

const MODEL = { min: [-3, 2, 0], max: [41.7, 30.3, 9] } as const;

test('a plan that was drawn before is drawn the same into another picture', () => {
  const map = () => ({ columns: 3, rows: 2, cells: Uint8Array.of(0, 1, 2, 3, 4, 0) });
  const drawnOn = (ground: number, plan: ReturnType<typeof map>, x: number) => {
    const canvas = new Canvas(640, 480, ground);
    drawLocation(canvas, [x, 12, 1], MODEL, plan);
    return canvas.pixels;
  };
  const plan = map();
  expect(drawnOn(50, plan, 10)).toEqual(drawnOn(50, map(), 10));
  for (const [ground, x] of [
    [60, 10],
    [70, 33],
  ])
    expect(drawnOn(ground, plan, x)).toEqual(drawnOn(ground, map(), x));
});
