/**
 * The projection from the model to the picture.
 *
 * Depth is reversed if the GPU supports it: 1 at the near plane, 0 at infinity, as float32. A relative distance of a
 * millionth is then resolved at any depth; and depth is linear in the picture over a plane, which the edge detection
 * relies on.
 */
import { axesOf, type CameraState } from './camera-state.js';
import type { Box, Point } from './types.js';
import { add, dot, normalized, subtract } from './vectors.js';

export interface Lens {
  readonly state: CameraState;
  readonly width: number;
  readonly height: number;
  /** Column-major. */
  readonly projection: readonly number[];
  /** Column-major: from coordinates relative to the eye, along the model's axes. */
  readonly clip: readonly number[];
  /** Twelve numbers: camera to model, row by row, and the eye. */
  readonly pose: Float64Array;
}

export interface Depths {
  /** Half of the model's largest extent. */
  readonly reach: number;
  readonly middle: Point;
  readonly isReversed: boolean;
}

export function lensOf(state: CameraState, width: number, height: number, depths: Depths): Lens {
  const { right, up, forward } = axesOf(state);
  const aspect = width / height;
  const projection = new Array<number>(16).fill(0);
  const { reach, isReversed } = depths;
  // an upper bound on the distance of anything visible
  const farthest = 4 * reach + 2 * Math.hypot(...subtract(state.eye, depths.middle));
  if (state.fieldOfView > 0) {
    const f = 1 / Math.tan(state.fieldOfView / 2);
    projection[0] = f / aspect;
    projection[5] = f;
    projection[11] = -1;
    // small float32 values lose no precision, and a stray object must not push the near plane in front of others
    if (isReversed) projection[14] = 1e-9 * reach;
    else {
      const close = 1e-5 * Math.max(reach, farthest);
      projection[10] = -(farthest + close) / (farthest - close);
      projection[14] = (-2 * farthest * close) / (farthest - close);
    }
  } else {
    projection[0] = 2 / (state.height * aspect);
    projection[5] = 2 / state.height;
    projection[15] = 1;
    // objects behind the eye are visible, too
    projection[10] = isReversed ? 1 / (2 * farthest) : -1 / farthest;
    projection[14] = isReversed ? 0.5 : 0;
  }
  const rows = [right, up, [-forward[0], -forward[1], -forward[2]]];
  const clip = new Array<number>(16).fill(0);
  for (let row = 0; row < 4; row++) {
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) clip[4 * k + row] += projection[4 * i + row] * rows[i][k];
    }
    clip[12 + row] = projection[12 + row];
  }
  const pose = new Float64Array(12);
  for (let k = 0; k < 3; k++) {
    pose.set([right[k], up[k], -forward[k]], 3 * k);
    pose[9 + k] = state.eye[k];
  }
  return { state, width, height, projection, clip, pose };
}

/** An eye in a box is as far from it as this share of its diagonal. */
const LEAST_DISTANCE = 1 / 16;

/** The size of a pixel at the nearest point of a box, rounded down to a power of two. `height`: of the picture. */
export function pixelAt({ fieldOfView, height: extent, eye }: CameraState, height: number, box: Box): number {
  const { min, max } = box;
  const away = eye.map((x, k) => Math.max(min[k] - x, 0, x - max[k]));
  const distance = Math.max(Math.hypot(...away), LEAST_DISTANCE * Math.hypot(...subtract(max, min)));
  const across = fieldOfView > 0 ? 2 * distance * Math.tan(fieldOfView / 2) : extent;
  return 2 ** Math.floor(Math.log2(across / height));
}

export interface Ray {
  readonly from: Point;
  /** Unit length. */
  readonly direction: Point;
}

/** The ray through a point of the picture, in the unit of `width`, from the upper left corner. */
export function rayThrough(
  { state, width, height }: Pick<Lens, 'state' | 'width' | 'height'>,
  x: number,
  y: number,
): Ray {
  const { right, up, forward } = axesOf(state);
  const half = state.fieldOfView > 0 ? Math.tan(state.fieldOfView / 2) : state.height / 2;
  const [u, v] = [(half * (2 * x - width)) / height, half * (1 - (2 * y) / height)];
  const aside = add(add([0, 0, 0], right, u), up, v);
  if (state.fieldOfView > 0) return { from: state.eye, direction: normalized(add(forward, aside)) };
  return { from: add(state.eye, aside), direction: forward };
}

/** The position of a point in the picture; invalid if `behind` the eye. */
export function placeOf(lens: Lens, point: Point): { x: number; y: number; behind: boolean } {
  const way = subtract(point, lens.state.eye);
  const { right, up, forward } = axesOf(lens.state);
  const deep = lens.state.fieldOfView > 0 ? dot(way, forward) : 1;
  const x = (dot(way, right) * lens.projection[0]) / deep;
  const y = (dot(way, up) * lens.projection[5]) / deep;
  return { x: ((x + 1) / 2) * lens.width, y: ((1 - y) / 2) * lens.height, behind: deep <= 0 };
}

/** The clip matrix for a single pixel of the picture. */
export function clipOfPixel(lens: Lens, x: number, y: number): number[] {
  const [u, v] = [(2 * (x + 0.5)) / lens.width - 1, 1 - (2 * (y + 0.5)) / lens.height];
  return lens.clip.map((entry, i) => {
    const w = lens.clip[(i & ~3) + 3];
    if (i % 4 === 0) return (entry - u * w) * lens.width;
    return i % 4 === 1 ? (entry - v * w) * lens.height : entry;
  });
}
