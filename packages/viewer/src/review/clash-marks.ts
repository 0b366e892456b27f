/** What is drawn over a clash: the curve in which the two meet, and an arrow as long as it is deep. */
import type { ExactModel } from '../exact/exact-model.js';
import type { Mark, Point } from '../picture/types.js';

/** Seen on both colours of a clash, in light and dark. */
const MARK = 0xd6006c;

export function curveMark(segments: Float64Array): Mark {
  return { kind: 'line', points: segments, colour: MARK };
}

/** From one end to the other of what lies between two objects. */
export function gapMark(from: Point, to: Point, label: string): Mark {
  return { kind: 'line', points: Float64Array.from([...from, ...to]), colour: MARK, label };
}

export function dotMark(point: Point, label?: string): Mark {
  return {
    kind: 'dot',
    points: Float64Array.from(point),
    colour: MARK,
    ...(label !== undefined && { label }),
  };
}

/** From the innermost point to where the shortest way out ends. */
export function depthMark(point: Point, end: Point, label: string): Mark {
  return { kind: 'arrow', points: Float64Array.from([...point, ...end]), colour: MARK, label };
}

/**
 * Where the shortest way out from the innermost point of a clash ends: on the object from whose surface that point is
 * as far as the clash is deep, within `slack`. Undefined where it is neither, as with depths that are conventions.
 */
export async function wayOut(
  exact: Pick<ExactModel, 'surface'>,
  objects: readonly [number, number],
  point: Point,
  depth: number,
  slack: number,
): Promise<Point | undefined> {
  const [a, b] = await Promise.all(objects.map((object) => exact.surface(object, point)));
  const off = (end: Point) => Math.abs(Math.hypot(...end.map((x, k) => x - point[k])) - depth);
  const best = off(a.point) <= off(b.point) ? a.point : b.point;
  return off(best) <= slack ? best : undefined;
}
