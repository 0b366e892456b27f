/** What is drawn over a clash: the curve in which the two meet, and an arrow as long as it is deep. */
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

/** From the deepest point the way out, `depth` long. */
export function depthMark(point: Point, direction: Point, depth: number, label: string): Mark {
  const end = point.map((x, axis) => x + depth * direction[axis]);
  return { kind: 'arrow', points: Float64Array.from([...point, ...end]), colour: MARK, label };
}

/**
 * The way out, as a picture may show it: across the contact, that is along the least side of the box around it, away
 * from the middle of the object that is thinner that way. Reports keep depths, not directions.
 */
export function wayOut(
  contact: readonly number[],
  boxA: readonly number[],
  boxB: readonly number[],
  point: Point,
): Point {
  const size = (box: readonly number[], axis: number) => box[axis + 3] - box[axis];
  const axis = [0, 1, 2].reduce((least, k) => (size(contact, k) < size(contact, least) ? k : least), 0);
  const thinner = size(boxA, axis) <= size(boxB, axis) ? boxA : boxB;
  const sign = point[axis] >= (thinner[axis] + thinner[axis + 3]) / 2 ? 1 : -1;
  return [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0];
}
