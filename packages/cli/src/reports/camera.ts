/** A view of a box from above at an angle: where BCF viewers put their camera, and ours when it draws. */
import type { Vec3 } from 'impinge';
import type { ReportBox } from './report-box.js';

export interface Camera {
  readonly eye: Vec3;
  /** Unit vectors at right angles to each other. */
  readonly direction: Vec3;
  readonly up: Vec3;
  readonly fieldOfViewDegrees: number;
}

const FIELD_OF_VIEW = 60; // the most that BCF 2.1 allows

/** An azimuth and how far down it looks, in radians. */
export type ViewDirection = readonly [azimuth: number, elevation: number];

/** The one that is usual first, then all around it, less steeply, and at last from below. */
export const VIEW_DIRECTIONS: readonly ViewDirection[] = [32, 12, -25].flatMap((elevation) =>
  [50, 140, 230, 320].map(
    (azimuth): ViewDirection => [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180],
  ),
);

/**
 * Shows all of the box, and at least `radius` around its middle: contacts are small, what is in contact is not. The eye
 * is outside of `section`.
 */
export function frameBox(
  { min, max }: ReportBox,
  radius: number,
  [azimuth, elevation]: ViewDirection = VIEW_DIRECTIONS[0],
  section: ReportBox = { min, max },
): Camera {
  const half = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2;
  const direction: Vec3 = [
    Math.cos(elevation) * Math.cos(azimuth),
    Math.cos(elevation) * Math.sin(azimuth),
    -Math.sin(elevation),
  ];
  const up: Vec3 = [
    Math.sin(elevation) * Math.cos(azimuth),
    Math.sin(elevation) * Math.sin(azimuth),
    Math.cos(elevation),
  ];
  // a sphere around the box touches the sides of the view
  const whole = Math.max(1.15 * half, radius) / Math.sin((FIELD_OF_VIEW / 2 / 180) * Math.PI);
  // backwards from the middle, the section is left through the nearest of its sides
  const outside = Math.min(
    ...direction.map((d, axis) => (section.max[axis] - section.min[axis]) / 2 / Math.abs(d)),
  );
  const distance = Math.max(whole, 1.02 * outside);
  const eye = (axis: number) => (min[axis] + max[axis]) / 2 - distance * direction[axis];
  return { eye: [eye(0), eye(1), eye(2)], direction, up, fieldOfViewDegrees: FIELD_OF_VIEW };
}

/** Where a camera sees a point: right and up in units of half the height of the view, and how far ahead. */
export function project({ eye, direction: d, up, fieldOfViewDegrees }: Camera, p: Vec3): Vec3 {
  const right: Vec3 = [d[1] * up[2] - d[2] * up[1], d[2] * up[0] - d[0] * up[2], d[0] * up[1] - d[1] * up[0]];
  const v: Vec3 = [p[0] - eye[0], p[1] - eye[1], p[2] - eye[2]];
  const depth = dot(v, d);
  const scale = 1 / (depth * Math.tan((fieldOfViewDegrees / 360) * Math.PI));
  return [dot(v, right) * scale, dot(v, up) * scale, depth];
}

function dot(p: Vec3, q: Vec3): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
