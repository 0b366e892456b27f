/** The marks of a clash: the contact curve, and an arrow as long as it is deep. */
import type { ExactModel } from '../exact/exact-model.js';
import type { Mark, Point } from '../picture/types.js';

/** Visible on both colours of a clash, in light and dark themes. */
const MARK = 0xd6006c;

export function curveMark(segments: Float64Array): Mark {
  return { kind: 'line', points: segments, colour: MARK };
}

/** A line across the gap between two objects. */
export function gapMark(from: Point, to: Point, label: string): Mark {
  return { kind: 'line', points: Float64Array.from([...from, ...to]), colour: MARK, label };
}

/** The straight way that is blocked at its end. */
export function straightMark(from: Point, to: Point): Mark {
  return { kind: 'arrow', points: Float64Array.of(...from, ...to), colour: MARK, label: 'no way was found' };
}

export function dotMark(point: Point, label?: string): Mark {
  return {
    kind: 'dot',
    points: Float64Array.from(point),
    colour: MARK,
    ...(label !== undefined && { label }),
  };
}

/** From the innermost point to the end of the shortest way out. */
export function depthMark(point: Point, end: Point, label: string): Mark {
  return { kind: 'arrow', points: Float64Array.from([...point, ...end]), colour: MARK, label };
}

/**
 * The end of the shortest way out from the innermost point of a clash: on the object whose surface is as far from that
 * point as the clash is deep, within `slack`. Undefined if neither is, as for conventional depths.
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
