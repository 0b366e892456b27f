/** Converts pointer positions to moves. */
import { axesOf, stateOf } from '../picture/camera-state.js';
import type { Ray } from '../picture/lens.js';
import type { Point, View } from '../picture/types.js';
import { add, dot, subtract } from '../picture/vectors.js';

/** `view`: parallel to the screen; `xy`: horizontal; or along one axis. `turn`: about Z, in place. */
export const WAYS = { view: 'Screen', xy: 'XY', x: 'X', y: 'Y', z: 'Z', turn: 'Turn' } as const;
export type Way = keyof typeof WAYS;

const AXES: Readonly<Record<'x' | 'y' | 'z', Point>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
/** Sine of the minimum angle between a ray and a plane or axis. */
const STEEP = 0.05;

/** The position of the grabbed point for a pointer ray; undefined if the ray is too flat. */
export function draggedTo(way: Way, grabbed: Point, ray: Ray, view: View): Point | undefined {
  if (way === 'view' || way === 'xy' || way === 'turn') {
    const normal = way === 'view' ? axesOf(stateOf(view)).forward : AXES.z;
    const slope = dot(ray.direction, normal);
    if (Math.abs(slope) < STEEP) return undefined;
    const along = dot(subtract(grabbed, ray.from), normal) / slope;
    return along > 0 || view.fieldOfView === 0 ? add(ray.from, ray.direction, along) : undefined;
  }
  // the point of the axis through the grabbed point that is nearest to the ray
  const axis = AXES[way];
  const slant = dot(axis, ray.direction);
  const sineSq = 1 - slant * slant;
  if (sineSq < STEEP * STEEP) return undefined;
  const apart = subtract(ray.from, grabbed);
  const along = (dot(apart, axis) - slant * dot(apart, ray.direction)) / sineSq;
  return add(grabbed, axis, along);
}

export function meetsBox({ from, direction }: Ray, min: Point, max: Point): boolean {
  let [enter, leave] = [-Infinity, Infinity];
  for (let k = 0; k < 3; k++) {
    if (direction[k] === 0) {
      if (from[k] < min[k] || from[k] > max[k]) return false;
      continue;
    }
    const [p, q] = [(min[k] - from[k]) / direction[k], (max[k] - from[k]) / direction[k]];
    enter = Math.max(enter, Math.min(p, q));
    leave = Math.min(leave, Math.max(p, q));
  }
  return enter <= leave && leave >= 0;
}
