/** Times as lines. */
import { expect, test } from 'vitest';
import { heightOf, pathOf, scaleOf } from '../src/replay/time-chart.js';

const SIZE = { width: 100, height: 30 };

test('the scale has whole decades around all times, three or more', () => {
  expect(
    scaleOf([
      [0.02, 4],
      [Number.NaN, 130],
    ]),
  ).toEqual({ least: 0.01, most: 1000 });
  expect(scaleOf([[5, 6]])).toEqual({ least: expect.closeTo(0.01, 9), most: 10 });
  expect(scaleOf([[Number.NaN], [0]])).toEqual({ least: 0.1, most: 100 });
});

test('equal factors are equal heights; what is beyond lies on the ends', () => {
  const scale = { least: 0.1, most: 100 };
  expect([0.1, 1, 10, 100].map((ms) => heightOf(ms, scale, 30))).toEqual(
    [30, 20, 10, 0].map((y) => expect.closeTo(y, 9)),
  );
  expect([0, 1e4].map((ms) => heightOf(ms, scale, 30))).toEqual([30, 0]);
});

test('a line has gaps where nothing was measured, and the largest of steps that share a point', () => {
  const scale = { least: 0.1, most: 100 };
  const { NaN: no } = Number;
  expect(pathOf([1, 10, no, no, 100], scale, SIZE)).toBe('M0.0 20.0h0.01L25.0 10.0M100.0 0.0h0.01');
  expect(pathOf([], scale, SIZE)).toBe('');
  expect(pathOf([1], scale, SIZE)).toBe('M0.0 20.0h0.01');
  const many = new Float64Array(6000).fill(1);
  many[3333] = 100;
  const path = pathOf(many, scale, SIZE);
  expect(path.match(/L/g)!.length).toBe(599);
  expect(path.match(/ 0\.0/g)!.length).toBe(1);
});
