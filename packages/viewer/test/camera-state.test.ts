import { expect, test } from 'vitest';
import {
  axesOf,
  between,
  type CameraState,
  fitted,
  orbited,
  stateOf,
  viewOf,
  zoomed,
} from '../src/picture/camera-state.js';
import { clipOfPixel, lensOf, placeOf, rayThrough } from '../src/picture/lens.js';
import type { Point } from '../src/picture/types.js';
import { dot, subtract } from '../src/picture/vectors.js';

const FAR = 5e6;
const state: CameraState = {
  eye: [FAR, FAR + 3, 20],
  yaw: 0.7,
  pitch: -0.4,
  distance: 12,
  fieldOfView: 0.9,
  height: 10,
};
const depths = { reach: 50, middle: [FAR, FAR, 0] as Point, isReversed: true };
const at = (camera: CameraState, point: Point) => placeOf(lensOf(camera, 800, 600, depths), point);

test('a view and back is the same camera, straight down too', () => {
  for (const pitch of [-0.4, 0.9, -Math.PI / 2, Math.PI / 2]) {
    const back = stateOf(viewOf({ ...state, pitch }));
    expect(back.pitch).toBeCloseTo(pitch, 7);
    expect(Math.cos(back.yaw - state.yaw)).toBeCloseTo(1, 9);
    expect(back.distance).toBeCloseTo(12, 6);
  }
});

test.each([0.9, 0])('turning and zooming keep the point they are about (field of view %s)', (fieldOfView) => {
  const camera = { ...state, fieldOfView };
  const { from, direction } = rayThrough(lensOf(camera, 800, 600, depths), 200, 450);
  const point = from.map((x, k) => x + 9 * direction[k]) as unknown as Point;
  expect(at(camera, point).x).toBeCloseTo(200, 4);
  expect(at(camera, point).y).toBeCloseTo(450, 4);
  const near = zoomed(camera, point, 0.5);
  expect(at(near, point).x).toBeCloseTo(200, 4);
  expect(at(near, point).y).toBeCloseTo(450, 4);
  const { right, up, forward } = axesOf(camera);
  const turned = orbited(camera, point, 0.3, 0.2);
  const after = axesOf(turned);
  for (const [a, b] of [
    [right, after.right],
    [up, after.up],
    [forward, after.forward],
  ]) {
    expect(dot(subtract(point, turned.eye), b)).toBeCloseTo(dot(subtract(point, camera.eye), a), 6);
  }
});

/**
 * In one direction, a fitted box spans the picture from edge to edge, and in the other it is in the middle; if centred,
 * it reaches at least one edge.
 */
test.each([
  [0.9, [1, 1, -0.5], false],
  [0.9, [1, 0.2, 0.1], false],
  [0.9, [0.1, 0.2, -1], false],
  [0.9, [1, 1, -0.5], true],
  [0, [1, 1, -0.5], true],
] as const)(
  'a box that is fitted fills the picture and is all in it (%s, %s, centred: %s)',
  (fieldOfView, from, isCentred) => {
    const box = { min: [FAR, FAR, 0], max: [FAR + 30, FAR + 10, 5] } as const;
    const camera = fitted({ ...state, fieldOfView }, box, 800 / 600, from, isCentred);
    const [x, y]: [number[], number[]] = [[], []];
    for (let corner = 0; corner < 8; corner++) {
      const point = [0, 1, 2].map((k) => ((corner >> k) & 1 ? box.max[k] : box.min[k])) as unknown as Point;
      const place = at(camera, point);
      expect(place.behind).toBe(false);
      x.push(place.x / 400 - 1);
      y.push(place.y / 300 - 1);
    }
    const [left, right, top, bottom] = [-Math.min(...x), Math.max(...x), -Math.min(...y), Math.max(...y)];
    const most = Math.max(left, right, top, bottom);
    expect(most).toBeLessThan(1);
    expect(most).toBeGreaterThan(0.9);
    if (isCentred) {
      const middle = at(camera, [FAR + 15, FAR + 5, 2.5]);
      expect(middle.x).toBeCloseTo(400, 4);
      expect(middle.y).toBeCloseTo(300, 4);
      return;
    }
    const isAcross = Math.max(left, right) > Math.max(top, bottom);
    for (const side of isAcross ? [left, right] : [top, bottom]) expect(side).toBeGreaterThan(0.9);
    expect(left).toBeCloseTo(right, 6);
    expect(top).toBeCloseTo(bottom, 6);
  },
);

test('a pixel as a picture of its own has the middle of the pixel in its middle', () => {
  const lens = lensOf(state, 800, 600, depths);
  const { direction } = rayThrough(lens, 123.5, 45.5);
  const clip = clipOfPixel(lens, 123, 45);
  const [x, y, w] = [0, 1, 3].map((row) =>
    direction.reduce((sum, v, k) => sum + clip[4 * k + row] * 7 * v, clip[12 + row]),
  );
  expect(x / w).toBeCloseTo(0, 9);
  expect(y / w).toBeCloseTo(0, 9);
});

test('a flight ends where it goes, and turns the short way', () => {
  const to = { ...state, yaw: state.yaw + 2 * Math.PI - 0.2, distance: 3 };
  expect(between(state, to, 1).eye.every((x, k) => Math.abs(x - to.eye[k]) < 20)).toBe(true);
  expect(between(state, to, 0.5).yaw).toBeCloseTo(state.yaw - 0.1, 9);
  expect(between(state, to, 0.5).distance).toBeCloseTo(6, 9);
});
