import { describe, expect, test } from 'vitest';
import { CommandError } from '../src/command-error.js';
import { isRigid, transformedAxis } from '../src/matrix.js';
import { parsePose } from '../src/pose-text.js';

function moved(pose: string, point: [number, number, number]): number[] {
  const matrix = parsePose(pose, '--pose');
  expect(isRigid(matrix)).toBe(true);
  return [0, 1, 2].map((row) => transformedAxis(matrix, row, ...point) + 0);
}

test.each([
  ['t=1,2,3', [2, 2, 3]],
  ['rz=90', [0, 1, 0]],
  ['rz=-90', [0, -1, 0]],
  ['ry=90', [0, 0, -1]],
  ['rx=90', [1, 0, 0]],
  ['rz=90 t=5,0,0', [5, 1, 0]],
  ['t=5,0,0 rz=90', [0, 6, 0]],
  ['rz=90;rx=90', [0, 0, 1]],
  ['rz=450', [0, 1, 0]],
  ['q=0,0,0,1', [1, 0, 0]],
  ['q=0,1,0,0', [-1, 0, 0]],
  ['m=0,1,0,0,-1,0,0,0,0,0,1,0,7,8,9,1', [7, 9, 9]],
] as const)('%s takes (1, 0, 0) to %j, exactly', (pose, expected) => {
  expect(moved(pose, [1, 0, 0])).toEqual(expected);
});

test('angles between quarter turns, quaternions rounded to a few digits', () => {
  const [x, y] = moved('rz=30', [1, 0, 0]);
  expect(x).toBeCloseTo(Math.cos(Math.PI / 6), 15);
  expect(y).toBeCloseTo(0.5, 15);
  expect(moved('q=0,0,0.7071,0.7071', [1, 0, 0])[1]).toBeCloseTo(1, 15);
});

describe('wrong poses are refused with the step at fault', () => {
  test.each([
    ['', '--pose: it is empty'],
    ['1,2,3', '--pose: "1,2,3" is not one of t=, r=, rx=, ry=, rz=, q=, m='],
    ['s=2', '--pose: "s=2" is not one of t=, r=, rx=, ry=, rz=, q=, m='],
    ['t=1,2', '--pose: "t=1,2": t= takes 3 numbers separated by commas'],
    ['t=1,2,', '--pose: "t=1,2,": t= takes 3 numbers separated by commas'],
    ['t=1,2,x', '--pose: "t=1,2,x": t= takes 3 numbers separated by commas'],
    ['t=1,2,1e999', '--pose: "t=1,2,1e999": t= takes 3 numbers separated by commas'],
    ['rz=ninety', '--pose: "rz=ninety": rz= takes 1 number'],
    ['q=0,0,0,2', '--pose: "q=0,0,0,2": the quaternion\'s length is not 1'],
    [
      'm=2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1',
      '--pose: "m=2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1" is not a rigid motion',
    ],
    [
      'm=1,0,0,0,0,1,0,0,0,0,-1,0,0,0,0,1',
      '--pose: "m=1,0,0,0,0,1,0,0,0,0,-1,0,0,0,0,1" is not a rigid motion',
    ],
    [
      'm=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2',
      '--pose: "m=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2" is not a rigid motion',
    ],
    ['constructor=1', '--pose: "constructor=1" is not one of t=, r=, rx=, ry=, rz=, q=, m='],
  ])('%j', (pose, message) => {
    expect(() => parsePose(pose, '--pose')).toThrow(new CommandError(message));
  });
});
