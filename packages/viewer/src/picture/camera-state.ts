/**
 * The camera's state and its movements. It never rolls: up stays up.
 *
 * Plain float64 numbers in the model's coordinates; nothing here depends on the screen.
 */
import type { Box, Point, View } from './types.js';
import { add, dot, length, normalized, subtract } from './vectors.js';

export interface CameraState {
  readonly eye: Point;
  /** Radians: around Z from +X, and up from the horizon. */
  readonly yaw: number;
  readonly pitch: number;
  /** Distance to the centre of rotation. */
  readonly distance: number;
  /** Radians; 0: orthographic. */
  readonly fieldOfView: number;
  /** Height of an orthographic view. */
  readonly height: number;
}

const STEEPEST = Math.PI / 2;
/** Margin around an object that fills the picture. */
const MARGIN = 1.06;
export const RADIANS = Math.PI / 180;

/** The axes of the camera in the model. */
export function axesOf({ yaw, pitch }: Pick<CameraState, 'yaw' | 'pitch'>): {
  right: Point;
  up: Point;
  forward: Point;
} {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return { right: [sy, -cy, 0], up: [-sp * cy, -sp * sy, cp], forward: [cp * cy, cp * sy, sp] };
}

export function stateOf(view: View): CameraState {
  const way = subtract(view.target, view.eye);
  const distance = length(way) || 1;
  const forward = normalized(length(way) > 0 ? way : [0, 1, 0]);
  const pitch = Math.asin(Math.max(-1, Math.min(1, forward[2])));
  // straight down or up, the screen's up vector determines the yaw
  const isSteep = Math.hypot(forward[0], forward[1]) < 1e-9;
  const [x, y] = isSteep ? [-view.up[0] * forward[2], -view.up[1] * forward[2]] : forward;
  const yaw = x === 0 && y === 0 ? Math.PI / 2 : Math.atan2(y, x);
  return {
    eye: view.eye,
    yaw,
    pitch,
    distance,
    fieldOfView: view.fieldOfView * RADIANS,
    height: view.height,
  };
}

export function viewOf(state: CameraState): View {
  const { up } = axesOf(state);
  return {
    eye: state.eye,
    target: targetOf(state),
    up,
    fieldOfView: state.fieldOfView / RADIANS,
    height: state.height,
  };
}

export function targetOf(state: CameraState): Point {
  return add(state.eye, axesOf(state).forward, state.distance);
}

/** Orbits around a point. */
export function orbited(state: CameraState, around: Point, dYaw: number, dPitch: number): CameraState {
  const pitch = Math.max(-STEEPEST, Math.min(STEEPEST, state.pitch + dPitch));
  const yaw = state.yaw + dYaw;
  const way = subtract(state.eye, around);
  const [before, after] = [axesOf(state), axesOf({ yaw, pitch })];
  const [x, y, z] = [dot(way, before.right), dot(way, before.up), dot(way, before.forward)];
  const eye = add(add(add(around, after.right, x), after.up, y), after.forward, z);
  return { ...state, eye, yaw, pitch };
}

/** Looks around from the same place. */
export function turned(state: CameraState, dYaw: number, dPitch: number): CameraState {
  const pitch = Math.max(-STEEPEST, Math.min(STEEPEST, state.pitch + dPitch));
  return { ...state, yaw: state.yaw + dYaw, pitch };
}

/** Zooms by a factor below 1 to come nearer, keeping a point fixed on the screen. */
export function zoomed(state: CameraState, towards: Point, factor: number): CameraState {
  if (state.fieldOfView > 0) {
    const eye = add(towards, subtract(state.eye, towards), factor);
    return { ...state, eye, distance: state.distance * factor };
  }
  const { right, up } = axesOf(state);
  const way = subtract(towards, state.eye);
  const move = add(add([0, 0, 0], right, dot(way, right)), up, dot(way, up));
  return { ...state, eye: add(state.eye, move, 1 - factor), height: state.height * factor };
}

/** The size of a pixel at a distance, in the model's unit. */
export function metresPerPixel(state: CameraState, distance: number, pixelsHigh: number): number {
  const high = state.fieldOfView > 0 ? 2 * distance * Math.tan(state.fieldOfView / 2) : state.height;
  return high / pixelsHigh;
}

/**
 * A camera for which a box fills the picture, with its centre in the middle if `isCentred`. `aspect`: width by height.
 */
export function fitted(
  state: CameraState,
  box: Box,
  aspect: number,
  from?: Point,
  isCentred = state.fieldOfView === 0,
): CameraState {
  const middle: Point = [0, 1, 2].map((k) => (box.min[k] + box.max[k]) / 2) as unknown as Point;
  const turnedState = from ? { ...state, ...anglesOf(from) } : state;
  const { right, up, forward } = axesOf(turnedState);
  const tangent = Math.tan((state.fieldOfView > 0 ? state.fieldOfView : 45 * RADIANS) / 2);
  let high = 0;
  // required distance for the right, left, top and bottom extents
  const away = [-Infinity, -Infinity, -Infinity, -Infinity];
  const corners: Point[] = [];
  for (let corner = 0; corner < 8; corner++) {
    const at = [0, 1, 2].map((k) => ((corner >> k) & 1 ? box.max[k] : box.min[k])) as unknown as Point;
    const way = subtract(at, middle);
    const [x, y, z] = [(MARGIN * dot(way, right)) / aspect, MARGIN * dot(way, up), dot(way, forward)];
    corners.push([x, y, z]);
    high = Math.max(high, Math.abs(x), Math.abs(y));
    [x, -x, y, -y].forEach((across, side) => {
      away[side] = Math.max(away[side], across / tangent - z);
    });
  }
  if (high === 0) {
    return { ...turnedState, eye: add(middle, forward, -1 / tangent), distance: 1 / tangent, height: 2 };
  }
  if (isCentred) {
    const distance = Math.max(...away);
    return { ...turnedState, eye: add(middle, forward, -distance), distance, height: 2 * high };
  }
  const distance = Math.max(away[0] + away[1], away[2] + away[3]) / 2;
  const [aside, above] = [0, 1].map((axis) => evenly(corners, axis, distance, high) / MARGIN);
  const target = add(add(middle, right, aspect * aside), up, above);
  return { ...turnedState, eye: add(target, forward, -distance), distance, height: 2 * high };
}

/** The eye's offset along an axis that gives equal margins on both sides; near corners project farther out. */
function evenly(corners: readonly Point[], axis: number, distance: number, most: number): number {
  let [low, up] = [-most, most];
  for (let step = 0; step < 50; step++) {
    const at = (low + up) / 2;
    const places = corners.map((corner) => (corner[axis] - at) / (distance + corner[2]));
    if (Math.max(...places) + Math.min(...places) > 0) low = at;
    else up = at;
  }
  return (low + up) / 2;
}

export function anglesOf(direction: Point): { yaw: number; pitch: number } {
  const [x, y, z] = normalized(direction);
  const yaw = Math.hypot(x, y) < 1e-9 ? Math.PI / 2 : Math.atan2(y, x);
  return { yaw, pitch: Math.asin(Math.max(-1, Math.min(1, z))) };
}

/** Interpolates between two states, `t` from 0 to 1, turning the short way. */
export function between(a: CameraState, b: CameraState, t: number): CameraState {
  const mix = (x: number, y: number) => x + (y - x) * t;
  const turn = ((((b.yaw - a.yaw + Math.PI) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)) - Math.PI;
  const [from, to] = [targetOf(a), targetOf(b)];
  const target = [0, 1, 2].map((k) => mix(from[k], to[k])) as unknown as Point;
  const angles = { yaw: a.yaw + turn * t, pitch: mix(a.pitch, b.pitch) };
  const distance = a.distance * (b.distance / a.distance) ** t;
  const eye = add(target, axesOf(angles).forward, -distance);
  const height = a.height * (b.height / a.height) ** t;
  return { eye, ...angles, distance, fieldOfView: b.fieldOfView, height };
}
