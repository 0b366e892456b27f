/** How far what is near moves, held against every two vertices of the originals. */
import { NearBoxes } from '@impinge/model/internal/level-queries/near-boxes.js';
import { NearParts } from '@impinge/model/internal/level-queries/near-parts.js';
import type { StoredModel } from '@impinge/model/internal/store/model.js';
import { beforeAll, expect, test } from 'vitest';
import { MotionParts } from '../../src/rigid/stored/motion-parts.js';
import { NearZone } from '../../src/rigid/stored/near-zone.js';
import { StoredShape } from '../../src/rigid/stored/stored-shape.js';
import { bumpyBall, modelOf } from './stored-models.js';

const BALL = bumpyBall(7, 0.05);
const STILL = poseAt(0, 0);
let model: StoredModel;
beforeAll(async () => {
  model = await modelOf(BALL, 'ball', 64);
});

/** Turned about the z axis, and moved by so much along y. */
function poseAt(angle: number, y: number): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1, 0.3, y, 0);
}

function placed(p: Float64Array): Float64Array {
  const x = BALL.positions;
  return Float64Array.from(
    x,
    (_, i) =>
      p[3 * (i % 3)] * x[i - (i % 3)] +
      p[3 * (i % 3) + 1] * x[i - (i % 3) + 1] +
      p[3 * (i % 3) + 2] * x[i - (i % 3) + 2] +
      p[9 + (i % 3)],
  );
}
const apart = (p: ArrayLike<number>, v: number, q: ArrayLike<number>, w: number) =>
  Math.hypot(p[v] - q[w], p[v + 1] - q[w + 1], p[v + 2] - q[w + 2]);

/** Whether a vertex of b is within a distance of one of a. */
function isNear(b: Float64Array, v: number, distance: number): boolean {
  const a = BALL.positions;
  for (let w = 0; w < a.length; w += 3) {
    if (Math.abs(a[w] - b[v]) < distance && apart(a, w, b, v) <= distance) return true;
  }
  return false;
}

test('is never less than they do', () => {
  const error = 0.01;
  const shape = new StoredShape('ball', model, [0, 0, 0], 2 ** 24);
  const parts = new NearParts(shape.at(error), shape.at(error));
  const boxes = new NearBoxes(parts.a, parts.b, parts.boxes);
  const distance = 0.15;
  const made = { a: shape, b: shape, pose: poseAt(0.1, 2.02) };
  const zone = new NearZone(parts, boxes, made, 1);
  let tighter = 0;
  for (const [angle, y] of [
    [0.12, 2.02],
    [0.16, 2],
    [0.05, 2.05],
  ]) {
    const [from, to] = [poseAt(0.1, 2.03), poseAt(angle, y)];
    expect(zone.isGoodFor(to, distance, 0)).toBe(true);
    const moved = zone.moved(from, to, distance);
    const motion = new MotionParts(shape, shape, { fromA: STILL, toA: STILL, fromB: from, toB: to });
    const length = zone.length(motion, from, distance);
    if (length < 0.95 * motion.length) tighter++;
    let near = 0;
    const [before, after] = [placed(from), placed(to)];
    let [most, mostOfBoth] = [0, 0];
    for (let v = 0; v < BALL.positions.length; v += 3) {
      const way = apart(before, v, after, v);
      const [wasNear, isNow] = [isNear(before, v, distance), isNear(after, v, distance)];
      if (isNow) near++;
      if (isNow) most = Math.max(most, way);
      if (isNow || wasNear) mostOfBoth = Math.max(mostOfBoth, way);
    }
    expect(most).toBeLessThanOrEqual(moved);
    expect(mostOfBoth).toBeLessThanOrEqual(length);
    expect(near).toBeGreaterThan(0);
    expect(zone.isClear(to, distance)).toBe(false);
  }
  expect(tighter).toBeGreaterThan(0);
  const away = new NearZone(parts, boxes, { ...made, pose: poseAt(0.1, 2.6) }, 1);
  expect(away.isClear(poseAt(0.1, 2.55), distance)).toBe(true);
  expect(zone.isGoodFor(poseAt(0.1, 2.8), distance, 0)).toBe(true);
  expect(zone.isGoodFor(poseAt(0.1, 3.1), distance, 0)).toBe(false);
  shape.dispose();
});
