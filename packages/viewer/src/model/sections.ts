/** Sections as set by the user, and their planes. */
import type { Point, SectionPlane } from '../picture/types.js';

export interface AxisPlane {
  readonly on: boolean;
  readonly offset: number;
  /** Cuts away the part below instead of the part above. */
  readonly flipped: boolean;
}

export interface Section {
  readonly kind: 'none' | 'box' | 'planes';
  /** Minimum and maximum. */
  readonly box: readonly number[];
  readonly planes: readonly [x: AxisPlane, y: AxisPlane, z: AxisPlane];
}

/** Height of the cut above a floor in plans, in metres. */
const PLAN_CUT = 1.2;
/** Depth below a floor in plans, in metres, so that its slab is visible: what ends below it is hidden. */
const PLAN_BELOW = 0.4;

export function sectionPlanes({ kind, box, planes }: Section): SectionPlane[] {
  if (kind === 'none') return [];
  if (kind === 'box') return boxPlanes(box);
  return planes.flatMap(({ on, offset, flipped }, axis) => (on ? [axisPlane(axis, offset, flipped)] : []));
}

export function boxPlanes(box: readonly number[]): SectionPlane[] {
  return [0, 1, 2].flatMap((axis) => [
    axisPlane(axis, box[axis + 3], false),
    axisPlane(axis, box[axis], true),
  ]);
}

/**
 * A second plane below the floor would cut off the lower ends of what reaches below it, so that walls would be open
 * tubes from above; what lies wholly below is hidden instead.
 */
export function planPlanes(floor: number, metresPerUnit: number): SectionPlane[] {
  return [axisPlane(2, floor + PLAN_CUT / metresPerUnit, false)];
}

/** The height that objects of a plan reach. */
export function leastOfPlan(floor: number, metresPerUnit: number): number {
  return floor - PLAN_BELOW / metresPerUnit;
}

function axisPlane(axis: number, at: number, flipped: boolean): SectionPlane {
  const sign = flipped ? -1 : 1;
  const normal: Point = [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0];
  return { normal, offset: sign * at };
}

/** Enlarges a box by a share of its size, and at least by `least`. */
export function grown(box: readonly number[], share: number, least: number): number[] {
  const size = Math.max(...[0, 1, 2].map((axis) => box[axis + 3] - box[axis]));
  const space = Math.max(share * size, least);
  return box.map((x, i) => (i < 3 ? x - space : x + space));
}
