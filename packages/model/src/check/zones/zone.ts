/**
 * Zones: space that belongs to an object and must stay free, such as headroom above a stair or access in front of a
 * panel. A rule says their sizes; shapes are made of the object when it is compared, and move with it.
 *
 * Above and below are those of the world. Front, back, left and right are −y, +y, −x and +x of the object's own axes.
 */
import { shown } from 'impinge/internal/base/options.js';

/** Lengths in the model's unit. At least one side, or the swing of a door. */
export interface Zone {
  /** This much above whatever of the object one sees from above, and below whatever one sees from below. */
  readonly above?: number;
  readonly below?: number;
  /** Where the space above and below begins, as a distance from the object (default 0). */
  readonly from?: number;
  /** This much beside the box around the object in its own axes; `around`: on all four sides. */
  readonly front?: number;
  readonly back?: number;
  readonly left?: number;
  readonly right?: number;
  readonly around?: number;
  /** Instead of the object's own: how wide, in the middle of it, and how high, from its lower end. */
  readonly width?: number;
  readonly height?: number;
  /** What the leaves of a door sweep, by its label `operation`. */
  readonly swing?: boolean;
}

/** All sizes, 0 where there is none; `swing` is 1 or 0. */
export const ZONE_SIZES = [
  ...(['above', 'below', 'from', 'front', 'back', 'left', 'right', 'width', 'height', 'swing'] as const),
];
export type ZoneSizes = Readonly<Record<(typeof ZONE_SIZES)[number], number>>;

/** The keys of a zone. */
export const ZONE_KEYS = [...ZONE_SIZES, 'around'] as const satisfies readonly (keyof Zone)[];

const SIDES = ['front', 'back', 'left', 'right'] as const;

/** Validates; `fail` throws. */
export function readZone(zone: Zone, fail: (why: string) => never): ZoneSizes {
  if (typeof zone !== 'object' || zone === null || Array.isArray(zone))
    fail(`its zone is ${shown(zone)}, not sizes such as { above: 2 }`);
  for (const key of Object.keys(zone))
    if (!(ZONE_KEYS as readonly string[]).includes(key))
      fail(`zone: unknown field "${key}"; there are ${ZONE_KEYS.join(', ')}`);
  const { swing = false, ...lengths } = zone;
  if (typeof swing !== 'boolean') fail(`zone: swing is ${shown(swing)}, not true or false`);
  for (const [key, length] of Object.entries(lengths)) {
    if (!(typeof length === 'number' && length >= 0 && length < Infinity))
      fail(`zone: ${key} is ${shown(length)}, not a length of 0 or more`);
  }
  const { above = 0, below = 0, from = 0, around = 0, width = 0, height = 0 } = zone;
  const [front, back, left, right] = SIDES.map((side) => zone[side] ?? around);
  if (above + below + front + back + left + right === 0 && !swing)
    fail('zone: it has no size; write above, below, front, back, left, right, around or swing');
  if (from > 0 && !(from < Math.max(above, below))) fail('zone: it begins (from) where it ends');
  return { above, below, from, front, back, left, right, width, height, swing: Number(swing) };
}

/** Whether it is made of the box around the object in its own axes. */
export function isOfBox({ front, back, left, right, swing }: ZoneSizes): boolean {
  return front + back + left + right + swing > 0;
}

/**
 * A box in the world that the zone of an object is in, by the object's box alone. `axes` has the own axes as columns,
 * row by row. Conservative.
 */
export function zoneBounds(box: Float64Array, axes: ArrayLike<number>, zone: ZoneSizes): Float64Array {
  const out = box.slice();
  out[2] -= zone.below;
  out[5] += zone.above;
  if (!isOfBox(zone)) return out;
  // the object's own box is in that around its world box, in its own axes
  const own = boxIn(box, (p, k) => axes[k] * p[0] + axes[3 + k] * p[1] + axes[6 + k] * p[2]);
  const wider = (k: number, size: number) => Math.max(0, 0.5 * (size - (own[3 + k] - own[k])));
  const swing = zone.swing * (own[3] - own[0]);
  const [inX, inY] = [wider(0, zone.width), wider(1, zone.width)];
  own[0] -= zone.left + inX;
  own[3] += zone.right + inX;
  own[1] -= Math.max(zone.front, swing) + inY;
  own[4] += Math.max(zone.back, swing) + inY;
  own[5] = Math.max(own[5], own[5] + zone.height);
  const world = boxIn(own, (p, k) => axes[3 * k] * p[0] + axes[3 * k + 1] * p[1] + axes[3 * k + 2] * p[2]);
  return out.map((x, k) => (k < 3 ? Math.min(x, world[k]) : Math.max(x, world[k])));
}

/** The box around a turned box. */
function boxIn(box: Float64Array, turned: (p: number[], k: number) => number): Float64Array {
  const out = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let corner = 0; corner < 8; corner++) {
    const p = [0, 1, 2].map((k) => box[k + 3 * ((corner >> k) & 1)]);
    for (let k = 0; k < 3; k++) {
      const x = turned(p, k);
      out[k] = Math.min(out[k], x);
      out[3 + k] = Math.max(out[3 + k], x);
    }
  }
  return out;
}
