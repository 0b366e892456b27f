/** Turns of a moved object: degrees about X, then Y, then Z, around the centre of its box. */
import type { Box, Point } from '../picture/types.js';

export const NO_TURN: Point = [0, 0, 0];

/** Row by row. Quarter turns are exact. */
export function rotationOf([x, y, z]: Point): Float64Array {
  const [[a, p], [b, q], [c, r]] = [x, y, z].map(cosSin);
  return Float64Array.of(
    ...[c * b, c * q * p - r * a, c * q * a + r * p],
    ...[r * b, r * q * p + c * a, r * q * a - c * p],
    ...[-q, b * p, b * a],
  );
}

/** A pose as in stores, turned around a point and then moved. */
export function turnedPose(
  stored: Float64Array,
  middle: Point,
  degrees: Point,
  move: Point,
): Float64Array<ArrayBuffer> {
  const out = Float64Array.from(stored);
  if (degrees.some((angle) => angle !== 0)) {
    const turn = rotationOf(degrees);
    for (let i = 0; i < 3; i++) {
      const row = (j: number, of: (k: number) => number) =>
        turn[3 * i] * of(j) + turn[3 * i + 1] * of(3 + j) + turn[3 * i + 2] * of(6 + j);
      for (let j = 0; j < 3; j++) out[3 * i + j] = row(j, (k) => stored[k]);
      out[9 + i] = middle[i] + row(0, (k) => stored[9 + k / 3] - middle[k / 3]);
    }
  }
  for (let k = 0; k < 3; k++) out[9 + k] += move[k];
  return out;
}

/** Bounds of a box after the same. */
export function turnedBox({ min, max }: Box, degrees: Point, move: Point): Box {
  const turn = rotationOf(degrees);
  const at = (k: number, sign: number) => {
    let half = 0;
    for (let j = 0; j < 3; j++) half += (Math.abs(turn[3 * k + j]) * (max[j] - min[j])) / 2;
    return (min[k] + max[k]) / 2 + move[k] + sign * half;
  };
  return { min: [at(0, -1), at(1, -1), at(2, -1)], max: [at(0, 1), at(1, 1), at(2, 1)] };
}

/** The equivalent angle above -180 and up to 180. */
export function shortAngle(degrees: number): number {
  const rest = degrees % 360;
  return rest > 180 ? rest - 360 : rest <= -180 ? rest + 360 : rest;
}

/** The turn about Z around a point that takes one position to another. */
export function angleBetween([x, y]: Point, from: Point, to: Point): number {
  const angle = Math.atan2(to[1] - y, to[0] - x) - Math.atan2(from[1] - y, from[0] - x);
  return shortAngle((180 / Math.PI) * angle);
}

function cosSin(degrees: number): [number, number] {
  const quarters = degrees / 90;
  if (Number.isInteger(quarters)) {
    const k = ((quarters % 4) + 4) % 4;
    return [[1, 0, -1, 0][k], [0, 1, 0, -1][k]];
  }
  const angle = (Math.PI / 180) * degrees;
  return [Math.cos(angle), Math.sin(angle)];
}
