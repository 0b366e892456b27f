/** Items of a level for the tests of rasterisers, and which of them meet. */
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';

export interface Level {
  readonly kind: 'boxes' | 'triangles';
  /** Six or nine numbers an item, inside the frame. */
  readonly data: readonly number[];
  /** Rising. */
  readonly objects: readonly number[];
  readonly groups: readonly number[];
  /** Per object. */
  readonly margins: readonly number[];
  readonly half: readonly [number, number, number];
}

export const HALF: Level['half'] = [1, 1, 1];
const MARGIN = Math.fround(1e-6);
export const places = (list: readonly unknown[]) => list.map((_, i) => i);

/** Triangles, each its own group. */
export function triangles(
  data: readonly number[],
  objects: readonly number[],
  margin = MARGIN,
  half = HALF,
): Level {
  const count = Math.max(...objects) + 1;
  const margins = Array.from({ length: count }, () => margin);
  return { kind: 'triangles', data, objects, groups: places(objects), margins, half };
}

/** Which items meet one of another object. */
export function meeting({ data: numbers, objects }: Level): number[] {
  const data = Float64Array.from(numbers);
  return objects.map((object, i) =>
    objects.some((other, j) => other !== object && intersectsTriangleTriangle(data, 9 * i, data, 9 * j))
      ? 1
      : 0,
  );
}

/** Corner by corner, as float32 and inside the frame. */
export const within = (x: number) => Math.fround(Math.max(-0.999, Math.min(0.999, x)));

/** Objects of a few triangles each, of all shapes: large and tiny ones, slivers, segments, points; some touch. */
export function soup(random: SeededRandom, objectCount: number, perObject: number, spread: number): Level {
  const data: number[] = [];
  const objects: number[] = [];
  for (let o = 0; o < objectCount; o++) {
    const centre = [0, 1, 2].map(() => spread * (random.next() - 0.5));
    for (let t = 0; t < perObject; t++) {
      const size = spread * 10 ** (-2 * random.next());
      const flat = Math.floor(6 * random.next()); // some lie across an axis
      const at = centre.map((c) => c + spread * (random.next() - 0.5));
      const corners = [0, 1, 2].map(() =>
        at.map((c, k) => within(c + (k === flat ? 0 : size * (random.next() - 0.5)))),
      );
      const kind = random.next();
      if (kind < 0.1) corners[2] = corners[1];
      if (kind < 0.03) corners[1] = corners[2] = corners[0];
      if (o > 0 && random.next() < 0.2) {
        // touches a corner, or passes through one
        const other = 9 * Math.floor(random.next() * o * perObject) + 3 * Math.floor(3 * random.next());
        corners[0] = data.slice(other, other + 3);
      }
      data.push(...corners.flat());
      objects.push(o);
    }
  }
  return triangles(data, objects);
}

/** A triangle, and as many points of it, enlarged by the margin, each an object of its own. */
export function pointsOf(random: SeededRandom, margin: number): Level {
  const shape = random.next();
  const size = 10 ** (-4 * random.next());
  const middle = [0, 1, 2].map(() => 1.6 * random.next() - 0.8);
  const thin = Math.floor(3 * random.next());
  const corners = [0, 1, 2].map(() =>
    middle.map((c, k) => within(c + size * (random.next() - 0.5) * (k === thin && shape < 0.6 ? 1e-5 : 1))),
  );
  if (shape < 0.1) corners[2] = corners[1];
  if (shape > 0.9) for (const corner of corners) corner[thin] = corners[0][thin]; // edge-on
  const data = corners.flat();
  for (let i = 0; i < 40; i++) {
    const weights = corners.map(() => -Math.log(1 - random.next()) * (random.next() < 0.3 ? 0 : 1));
    const sum = weights.reduce((a, b) => a + b, 0) || 1;
    const point = [0, 1, 2].map((k) => {
      const on = corners.reduce((s, corner, c) => s + (corner[k] * weights[c]) / sum, 0);
      // a corner of the cube around it as often as anything inside; half the margin each
      return Math.fround(
        on + margin * (random.next() < 0.5 ? Math.sign(random.next() - 0.5) : 2 * random.next() - 1),
      );
    });
    if (sum === 1) point.splice(0, 3, ...corners[0]);
    data.push(...point, ...point, ...point);
  }
  // a little more than half, for the rounding of the points
  return triangles(data, [...Array(41).keys()], Math.fround(margin + 2e-7));
}
