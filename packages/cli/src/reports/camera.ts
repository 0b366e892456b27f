/** A camera that looks at a box from above at an angle, for BCF viewpoints and our own pictures. */
import type { Vec3 } from 'impinge';
import type { ReportBox } from './report-box.js';

export interface Camera {
  readonly eye: Vec3;
  /** Perpendicular unit vectors. */
  readonly direction: Vec3;
  readonly up: Vec3;
  readonly fieldOfViewDegrees: number;
}

const FIELD_OF_VIEW = 60; // the maximum of BCF 2.1

/** Azimuth and downward angle, in radians. */
export type ViewDirection = readonly [azimuth: number, elevation: number];

/** The usual direction first, then all around, then flatter, at last from below. */
export const VIEW_DIRECTIONS: readonly ViewDirection[] = [32, 12, -25].flatMap((elevation) =>
  [50, 140, 230, 320].map(
    (azimuth): ViewDirection => [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180],
  ),
);

/**
 * Shows the whole box, and at least `radius` around its centre: contacts are small, the objects are not. The eye is
 * outside `section`.
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
  // going back from the centre, the ray leaves the section through its nearest side
  const outside = Math.min(
    ...direction.map((d, axis) => (section.max[axis] - section.min[axis]) / 2 / Math.abs(d)),
  );
  const distance = Math.max(whole, 1.02 * outside);
  const eye = (axis: number) => (min[axis] + max[axis]) / 2 - distance * direction[axis];
  return { eye: [eye(0), eye(1), eye(2)], direction, up, fieldOfViewDegrees: FIELD_OF_VIEW };
}

/** The projection of a point: right and up in units of half the view's height, and its depth. */
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
