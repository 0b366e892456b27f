/**
 * The space beside an object: in front of it, behind, left and right, and what its leaves sweep if it is a door. Made
 * of the box around it in its own axes.
 */
import type { ZoneSizes } from './zone.js';
import { convexPrism, type ZonePart } from './zone-part.js';

/** Sides of a polygon around a quarter of a circle. */
const QUARTER = 16;
/** A door whose box is deeper than this share of its width is drawn open: the frame is no deeper than that. */
const FRAME = 0.3;

/** The own axes of an object, as columns, row by row, and its box along them. */
export interface OwnBox {
  readonly axes: ArrayLike<number>;
  readonly box: Float64Array;
}

export function boxParts({ axes, box }: OwnBox, zone: ZoneSizes, operation: string): ZonePart[] {
  const [x0, y0, z0, x1, y1] = box;
  const { front, back, left, right, width } = zone;
  const height = zone.height || box[5] - z0;
  const turned = (p: readonly number[]) =>
    [0, 1, 2].map((k) => axes[3 * k] * p[0] + axes[3 * k + 1] * p[1] + axes[3 * k + 2] * p[2]);
  const spread = (from: number, to: number) => {
    const middle = 0.5 * (from + to);
    return width > 0 ? [middle - 0.5 * width, middle + 0.5 * width] : [from, to];
  };
  /** A box of the given extents, and how far one gets in it along an axis. */
  const slab = (x: readonly number[], y: readonly number[], axis: 0 | 1, sign: 1 | -1): ZonePart => {
    const corners = [
      [x[0], y[0]],
      [x[1], y[0]],
      [x[1], y[1]],
      [x[0], y[1]],
    ];
    const outwards = turned([axis === 0 ? sign : 0, axis === 1 ? sign : 0, 0]);
    const begin = sign > 0 ? [x, y][axis][0] : -[x, y][axis][1];
    const base = corners.map(([p, q]) => turned([p, q, z0]));
    const at = [0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1]), z0 + 0.5 * height];
    at[axis] = sign * begin;
    return convexPrism(base, turned([0, 0, height]), [...outwards, -begin], turned(at));
  };
  const [wideX, wideY] = [spread(x0, x1), spread(y0, y1)];
  const acrossX = [wideX[0] - left, wideX[1] + right];
  const parts: ZonePart[] = [];
  if (front > 0) parts.push(slab(acrossX, [y0 - front, y0], 1, -1));
  if (back > 0) parts.push(slab(acrossX, [y1, y1 + back], 1, 1));
  if (left > 0) parts.push(slab([x0 - left, x0], wideY, 0, -1));
  if (right > 0) parts.push(slab([x1, x1 + right], wideY, 0, 1));
  if (zone.swing === 0) return parts;
  const depth = Math.min(y1 - y0, FRAME * (x1 - x0));
  for (const { from, to, side } of leavesOf(operation)) {
    const [hinge, tip] = [x0 + from * (x1 - x0), x0 + to * (x1 - x0)];
    parts.push(swept(hinge, tip, side > 0 ? y0 + depth : y0, side));
  }
  return parts;

  function swept(hinge: number, tip: number, y: number, side: 1 | -1): ZonePart {
    const radius = Math.abs(tip - hinge);
    const along = Math.sign(tip - hinge);
    const rim = Array.from({ length: QUARTER + 1 }, (_, i) => {
      const angle = (i * Math.PI) / (2 * QUARTER);
      return [hinge + along * radius * Math.cos(angle), y + side * radius * Math.sin(angle), z0];
    });
    const base = [[hinge, y, z0], ...rim];
    if (along * side < 0) base.reverse();
    const outwards = turned([0, side, 0]);
    const length = [...outwards, -side * y];
    const error = radius * (1 - Math.cos(Math.PI / (4 * QUARTER)));
    const begin = turned([0.5 * (hinge + tip), y, z0 + 0.5 * height]);
    return convexPrism(base.map(turned), turned([0, 0, height]), length, begin, error);
  }
}

/** A leaf: its hinge and its tip as shares of the width, and to which side it opens. */
interface Leaf {
  readonly from: number;
  readonly to: number;
  readonly side: 1 | -1;
}

/** The leaves of a door by its IfcDoorTypeOperationEnum, which says left and right as seen along +y. */
export function leavesOf(operation: string): Leaf[] {
  const left = (side: 1 | -1, to = 1): Leaf => ({ from: 0, to, side });
  const right = (side: 1 | -1, to = 0): Leaf => ({ from: 1, to, side });
  const both = (p: 1 | -1, q: 1 | -1) => [left(p, 0.5), right(q, 0.5)];
  switch (operation) {
    case 'SINGLE_SWING_LEFT':
      return [left(1)];
    case 'SINGLE_SWING_RIGHT':
      return [right(1)];
    case 'DOUBLE_SWING_LEFT':
      return [left(1), left(-1)];
    case 'DOUBLE_SWING_RIGHT':
      return [right(1), right(-1)];
    case 'SWING_FIXED_LEFT':
      return [left(1, 0.5)];
    case 'SWING_FIXED_RIGHT':
      return [right(1, 0.5)];
    case 'DOUBLE_DOOR_SINGLE_SWING':
    case 'DOUBLE_PANEL_SINGLE_SWING':
      return both(1, 1);
    case 'DOUBLE_DOOR_DOUBLE_SWING':
    case 'DOUBLE_PANEL_DOUBLE_SWING':
      return [...both(1, 1), ...both(-1, -1)];
    case 'DOUBLE_DOOR_SINGLE_SWING_OPPOSITE_LEFT':
    case 'DOUBLE_PANEL_SINGLE_SWING_OPPOSITE_LEFT':
      return both(1, -1);
    case 'DOUBLE_DOOR_SINGLE_SWING_OPPOSITE_RIGHT':
    case 'DOUBLE_PANEL_SINGLE_SWING_OPPOSITE_RIGHT':
      return both(-1, 1);
    default:
      return [];
  }
}
