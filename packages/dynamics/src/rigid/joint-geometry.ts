/**
 * What joints measure: how far they are off, their coordinates, and which motions of their bodies change these.
 *
 * A joint is a few rows. `HOLD` rows have an error that must be 0, `STOP` rows a coordinate within limits, `SPRING`
 * rows one that a spring pulls at, `DRIVE` rows one whose speed a motor sets. Layout of a row: `ROW_SIZE` numbers: the
 * direction in which the point of a moves away from that of b, the levers at a and b (r × direction, or an axis), and
 * what I⁻¹ makes of these. The row grows at the speed direction · (v_a − v_b) + lever_a · w_a − lever_b · w_b: the
 * exact derivative of what is measured, wherever errors are 0.
 */
import { INVERSE_INERTIA, MATRIX, TURN } from './layout.generated.js';

export const HOLD = 0;
export const STOP = 1;
export const SPRING = 2;
export const DRIVE = 3;

export const LEVER_A = 3;
export const LEVER_B = 6;
export const ANSWER_A = 9;
export const ANSWER_B = 12;
export const ROW_SIZE = 15;

/** The parts of a joint that are measured. */
export interface MeasuredJoint {
  readonly kind: 'fixed' | 'ball' | 'hinge' | 'slider' | 'distance' | 'spring';
  /** In the frames of both bodies; `across`, two directions at right angles to the axis of b. */
  readonly a: { readonly at: Float64Array; readonly axis: Float64Array };
  readonly b: { readonly at: Float64Array; readonly axis: Float64Array; readonly across: Float64Array };
  /** The rotation of a seen from b when it was made. */
  readonly turn: Float64Array;
  readonly limits: readonly [number, number] | undefined;
  readonly state: { readonly position: number };
}

/** Of the joint that was looked at last, in the world: arms to its points, axes, the way from b's point to a's. */
const armA = new Float64Array(3);
const armB = new Float64Array(3);
const axisA = new Float64Array(3);
const axisB = new Float64Array(3);
const across = new Float64Array(6);
const way = new Float64Array(3);
/** The rotation since it was made, in the frame of b: a unit quaternion; and twice its vector, in the world. */
const turned = new Float64Array(4);
const lean = new Float64Array(3);

/** Kinds of the rows of a joint, in the order in which they are measured. */
export function rowKinds(
  { kind, limits }: MeasuredJoint,
  isDriven: boolean,
  isSprung: boolean,
): readonly number[] {
  const holds = { fixed: 6, ball: 3, hinge: 5, slider: 5, distance: 0, spring: 0 }[kind];
  const kinds: number[] = new Array(holds).fill(HOLD);
  if (limits) kinds.push(limits[0] === limits[1] ? HOLD : STOP);
  if (isSprung) kinds.push(SPRING);
  if (isDriven) kinds.push(DRIVE);
  return kinds;
}

/** The coordinate of a joint, with its bodies' frames at x[p …] and y[q …]. */
export function measureCoordinate(
  joint: MeasuredJoint,
  x: Float64Array,
  p: number,
  y: Float64Array,
  q: number,
): number {
  look(joint, x, p, y, q);
  return coordinate(joint);
}

/** Writes what each row measures. */
export function measureRows(
  joint: MeasuredJoint,
  kinds: readonly number[],
  x: Float64Array,
  p: number,
  q: number,
  out: Float64Array,
  from: number,
): void {
  look(joint, x, p, x, q);
  const { kind, limits } = joint;
  let row = from;
  if (kind === 'slider') for (let k = 0; k < 6; k += 3) out[row++] = along(way, 0, across, k);
  else if (kind !== 'distance' && kind !== 'spring') for (let k = 0; k < 3; k++) out[row++] = way[k];
  if (kind === 'hinge') for (let k = 0; k < 6; k += 3) out[row++] = along(axisA, 0, across, k);
  else if (kind === 'fixed' || kind === 'slider') for (let k = 0; k < 3; k++) out[row++] = lean[k];
  if (row === from + kinds.length) return;
  const value = coordinate(joint);
  for (; row < from + kinds.length; row++)
    out[row] = kinds[row - from] === HOLD ? value - (limits as readonly number[])[0] : value;
}

/** Writes the rows themselves, with bodies at x[bodyA …] and x[bodyB …]. */
export function writeRows(
  joint: MeasuredJoint,
  kinds: readonly number[],
  x: Float64Array,
  p: number,
  q: number,
  bodyA: number,
  bodyB: number,
  rows: Float64Array,
  from: number,
): void {
  look(joint, x, p, x, q);
  const { kind } = joint;
  let at = ROW_SIZE * from;
  const shift = (direction: Float64Array, k: number, toA: boolean) => {
    for (let j = 0; j < 3; j++) rows[at + j] = direction[k + j];
    crossInto(armA, direction, k, rows, at + LEVER_A);
    crossInto(armB, direction, k, rows, at + LEVER_B);
    if (toA) {
      // b carries the direction, and turns the way along it
      crossInto(way, direction, k, rows, at + ANSWER_B);
      for (let j = 0; j < 3; j++) rows[at + LEVER_B + j] += rows[at + ANSWER_B + j];
    }
    at += ROW_SIZE;
  };
  const turn = (lever: Float64Array, k: number) => {
    for (let j = 0; j < 3; j++) {
      rows[at + j] = 0;
      rows[at + LEVER_A + j] = rows[at + LEVER_B + j] = lever[k + j];
    }
    at += ROW_SIZE;
  };
  if (kind === 'slider') for (let k = 0; k < 6; k += 3) shift(across, k, true);
  else if (kind !== 'distance' && kind !== 'spring') for (let k = 0; k < 9; k += 3) shift(UNITS, k, false);
  if (kind === 'hinge') {
    for (let k = 0; k < 6; k += 3) {
      crossInto(axisA, across, k, lever, 0);
      turn(lever, 0);
    }
  } else if (kind === 'fixed' || kind === 'slider') for (let k = 0; k < 9; k += 3) turn(UNITS, k);
  const end = ROW_SIZE * (from + kinds.length);
  while (at < end) {
    if (kind === 'hinge') turn(axisB, 0);
    else if (kind === 'ball') turn(tiltAxis(), 0);
    else if (kind === 'slider') shift(axisB, 0, true);
    else shift(spanDirection(), 0, false);
  }
  for (let row = ROW_SIZE * from; row < end; row += ROW_SIZE) {
    answer(x, bodyA + INVERSE_INERTIA, rows, row + LEVER_A, row + ANSWER_A);
    answer(x, bodyB + INVERSE_INERTIA, rows, row + LEVER_B, row + ANSWER_B);
  }
}

const UNITS = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const lever = new Float64Array(3);

/** Takes in a joint where its bodies are. */
function look(joint: MeasuredJoint, x: Float64Array, p: number, y: Float64Array, q: number): void {
  const { a, b } = joint;
  rotate(x, p + MATRIX, a.at, 0, armA, 0);
  rotate(y, q + MATRIX, b.at, 0, armB, 0);
  rotate(x, p + MATRIX, a.axis, 0, axisA, 0);
  rotate(y, q + MATRIX, b.axis, 0, axisB, 0);
  rotate(y, q + MATRIX, b.across, 0, across, 0);
  rotate(y, q + MATRIX, b.across, 3, across, 3);
  for (let k = 0; k < 3; k++) way[k] = x[p + k] + armA[k] - (y[q + k] + armB[k]);
  multiply(y, q + TURN, -1, x, p + TURN, 1, turned);
  multiply(turned, 0, 1, joint.turn, 0, -1, turned);
  const twice = turned[3] < 0 ? -2 : 2;
  rotate(y, q + MATRIX, turned, 0, lean, 0);
  for (let k = 0; k < 3; k++) lean[k] *= twice;
}

function coordinate({ kind, b, state }: MeasuredJoint): number {
  if (kind === 'slider') return along(way, 0, axisB, 0);
  if (kind === 'ball') {
    crossInto(axisB, axisA, 0, lever, 0);
    return Math.atan2(Math.hypot(lever[0], lever[1], lever[2]), along(axisA, 0, axisB, 0));
  }
  if (kind !== 'hinge') return Math.hypot(way[0], way[1], way[2]);
  const angle = 2 * Math.atan2(along(turned, 0, b.axis, 0), turned[3]);
  return angle + 2 * Math.PI * Math.round((state.position - angle) / (2 * Math.PI));
}

/** The axis about which a tilts; any, where it does not. */
function tiltAxis(): Float64Array {
  crossInto(axisB, axisA, 0, lever, 0);
  return made(lever, across);
}

/** From b's point to a's; any direction, where they are one. */
function spanDirection(): Float64Array {
  for (let k = 0; k < 3; k++) lever[k] = way[k];
  return made(lever, UNITS);
}

/** Makes a vector one long; one of length 0 becomes another. */
function made(v: Float64Array, other: Float64Array): Float64Array {
  const length = Math.hypot(v[0], v[1], v[2]);
  for (let k = 0; k < 3; k++) v[k] = length > 1e-12 ? v[k] / length : other[k];
  return v;
}

function along(v: Float64Array, i: number, w: Float64Array, k: number): number {
  return v[i] * w[k] + v[i + 1] * w[k + 1] + v[i + 2] * w[k + 2];
}

function crossInto(v: Float64Array, w: Float64Array, k: number, out: Float64Array, to: number): void {
  const x = v[1] * w[k + 2] - v[2] * w[k + 1];
  const y = v[2] * w[k] - v[0] * w[k + 2];
  out[to + 2] = v[0] * w[k + 1] - v[1] * w[k];
  out[to] = x;
  out[to + 1] = y;
}

function rotate(
  m: Float64Array,
  at: number,
  v: Float64Array,
  i: number,
  out: Float64Array,
  to: number,
): void {
  for (let k = 0; k < 3; k++)
    out[to + k] = m[at + 3 * k] * v[i] + m[at + 3 * k + 1] * v[i + 1] + m[at + 3 * k + 2] * v[i + 2];
}

/** out = a · b; with a sign of −1, the reverse of either. */
function multiply(
  a: Float64Array,
  i: number,
  signA: number,
  b: Float64Array,
  k: number,
  signB: number,
  out: Float64Array,
): void {
  const [ax, ay, az, aw] = [signA * a[i], signA * a[i + 1], signA * a[i + 2], a[i + 3]];
  const [bx, by, bz, bw] = [signB * b[k], signB * b[k + 1], signB * b[k + 2], b[k + 3]];
  out[0] = aw * bx + ax * bw + ay * bz - az * by;
  out[1] = aw * by + ay * bw + az * bx - ax * bz;
  out[2] = aw * bz + az * bw + ax * by - ay * bx;
  out[3] = aw * bw - ax * bx - ay * by - az * bz;
}

function answer(x: Float64Array, i: number, rows: Float64Array, from: number, to: number): void {
  const [u, v, w] = [rows[from], rows[from + 1], rows[from + 2]];
  rows[to] = x[i] * u + x[i + 1] * v + x[i + 2] * w;
  rows[to + 1] = x[i + 1] * u + x[i + 3] * v + x[i + 4] * w;
  rows[to + 2] = x[i + 2] * u + x[i + 4] * v + x[i + 5] * w;
}
