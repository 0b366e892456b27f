/** Profiles of solids of revolution: lines and arcs, sampled evenly along their length. */
import { circlePoint } from '../deform/turning.js';

/** Distance from the axis, and height. */
export type ProfilePoint = readonly [radius: number, height: number];

const FINE = 64;

/** Points of an arc about a centre, between two angles in turns (0: away from the axis, a quarter: up). */
export function arc(centre: ProfilePoint, radius: number, from: number, to: number): ProfilePoint[] {
  return Array.from({ length: FINE + 1 }, (_, i) => {
    const [out, up] = circlePoint(from + ((to - from) * i) / FINE);
    return [centre[0] + radius * out, centre[1] + radius * up] as const;
  });
}

/** Points of a line that bulges by `bulge` to its right in the middle. */
export function bow(from: ProfilePoint, to: ProfilePoint, bulge: number): ProfilePoint[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.sqrt(dx * dx + dy * dy);
  return Array.from({ length: FINE + 1 }, (_, i) => {
    const t = i / FINE;
    const off = (4 * t * (1 - t) * bulge) / length;
    return [from[0] + t * dx + off * dy, from[1] + t * dy - off * dx] as const;
  });
}

/** `count` evenly spaced points along a polyline, without its first and last. */
export function evenly(points: readonly ProfilePoint[], count: number): ProfilePoint[] {
  const along = [0];
  for (let i = 1; i < points.length; i++) {
    const [dx, dy] = [points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]];
    along.push(along[i - 1] + Math.sqrt(dx * dx + dy * dy));
  }
  const whole = along[along.length - 1];
  const result: ProfilePoint[] = [];
  for (let k = 1, i = 1; k <= count; k++) {
    const at = (whole * k) / (count + 1);
    while (along[i] < at) i++;
    const t = (at - along[i - 1]) / (along[i] - along[i - 1]);
    result.push([
      points[i - 1][0] + t * (points[i][0] - points[i - 1][0]),
      points[i - 1][1] + t * (points[i][1] - points[i - 1][1]),
    ]);
  }
  return result;
}
