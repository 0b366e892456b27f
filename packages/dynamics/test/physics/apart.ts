/**
 * Whether bodies meet, by a test of its own: every triangle against every other in integers of any length. It shares
 * nothing with the library but the positions that bodies report.
 */
import { expect } from 'vitest';
import type { Body } from '../../src/bodies/body.js';
import type { Simulation } from '../../src/bodies/simulation.js';
import { disposed } from '../rigid/rigid-scenes.js';

type Point = readonly [bigint, bigint, bigint];
type Triangle = readonly Point[];

/** Runs with a simulation and lets go of it; at the end no bodies meet, by `intersections()` and by integers. */
export function ended<Result>(simulation: Simulation, use: (simulation: Simulation) => Result): Result {
  return disposed(simulation, () => {
    const result = use(simulation);
    expect(simulation.intersections()).toBe(0);
    expect(meetingPairs(simulation.bodies)).toEqual([]);
    return result;
  });
}

/** Pairs of bodies that meet, by name; of two that are scenery, none. */
export function meetingPairs(bodies: readonly Body[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < bodies.length; i++)
    for (let j = 0; j < i; j++) {
      const [a, b] = [bodies[j], bodies[i]];
      if ((a.kind === 'dynamic' || b.kind === 'dynamic') && meet(a, b)) found.push(`${a.name} ${b.name}`);
    }
  return found;
}

function meet(a: Body, b: Body): boolean {
  const [around, other] = [boxOf(a.positions, allOf(a)), boxOf(b.positions, allOf(b))];
  if (!boxesMeet(around, other)) return false;
  for (let s = 0; s < a.indices.length; s += 3) {
    const one = cornersOf(a, s);
    const box = boxOf(a.positions, one);
    if (!boxesMeet(box, other)) continue;
    for (let t = 0; t < b.indices.length; t += 3) {
      const two = cornersOf(b, t);
      if (boxesMeet(box, boxOf(b.positions, two)) && trianglesMeet(inIntegers(a, one), inIntegers(b, two)))
        return true;
    }
  }
  return false;
}

const allOf = ({ vertexCount }: Body) => Array.from({ length: vertexCount }, (_, v) => v);
const cornersOf = ({ indices }: Body, at: number) => [indices[at], indices[at + 1], indices[at + 2]];

function boxOf(positions: Float64Array, vertices: readonly number[]): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const v of vertices)
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], positions[3 * v + k]);
      box[3 + k] = Math.max(box[3 + k], positions[3 * v + k]);
    }
  return box;
}

const boxesMeet = (a: readonly number[], b: readonly number[]) =>
  [0, 1, 2].every((k) => a[k] <= b[3 + k] && b[k] <= a[3 + k]);

/** Float32 numbers are multiples of 2⁻¹⁴⁹. */
function inIntegers({ positions }: Body, vertices: readonly number[]): Triangle {
  return vertices.map((v) => {
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
    return [x, y, z].map((c) => BigInt(c * 2 ** 149)) as unknown as Point;
  });
}

/** As closed sets. Two triangles meet if an edge of one meets the other. */
export function trianglesMeet(a: Triangle, b: Triangle): boolean {
  return [0, 1, 2].some(
    (k) => segmentMeets(a[k], a[(k + 1) % 3], b) || segmentMeets(b[k], b[(k + 1) % 3], a),
  );
}

function segmentMeets(p: Point, q: Point, [a, b, c]: Triangle): boolean {
  const [s, t] = [side(a, b, c, p), side(a, b, c, q)];
  if (s * t > 0) return false;
  if (s === 0 && t === 0) return meetsInPlane(p, q, [a, b, c]);
  const sides = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
  return sides.every((x) => x >= 0) || sides.every((x) => x <= 0);
}

/** Seen along the axis in which the triangle is largest; one without area meets nothing by itself. */
function meetsInPlane(p: Point, q: Point, triangle: Triangle): boolean {
  const axis = [0, 1, 2].find((k) => turn(triangle[0], triangle[1], triangle[2], k) !== 0);
  if (axis === undefined) return false;
  const [a, b, c] = triangle;
  const isInside = (v: Point) => {
    const turns = [turn(a, b, v, axis), turn(b, c, v, axis), turn(c, a, v, axis)];
    return turns.every((x) => x >= 0) || turns.every((x) => x <= 0);
  };
  const crosses = (u: Point, v: Point) =>
    turn(p, q, u, axis) * turn(p, q, v, axis) <= 0 &&
    turn(u, v, p, axis) * turn(u, v, q, axis) <= 0 &&
    [0, 1, 2].every((k) => k === axis || spansMeet(p[k], q[k], u[k], v[k]));
  return isInside(p) || isInside(q) || crosses(a, b) || crosses(b, c) || crosses(c, a);
}

const spansMeet = (a: bigint, b: bigint, c: bigint, d: bigint) =>
  (a < b ? a : b) <= (c > d ? c : d) && (c < d ? c : d) <= (a > b ? a : b);

const signOf = (x: bigint) => (x > 0n ? 1 : x < 0n ? -1 : 0);

/** On which side of a, b, c the point d is. */
function side(a: Point, b: Point, c: Point, d: Point): number {
  const [u, v, w] = [b, c, d].map((p) => [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
  return signOf(
    u[0] * (v[1] * w[2] - v[2] * w[1]) +
      u[1] * (v[2] * w[0] - v[0] * w[2]) +
      u[2] * (v[0] * w[1] - v[1] * w[0]),
  );
}

/** Which way a, b, c turn, seen along an axis. */
function turn(a: Point, b: Point, c: Point, axis: number): number {
  const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
  return signOf((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]));
}
