/**
 * Whether bodies meet, by brute force: every triangle against every other in rational numbers. It shares nothing with
 * the library but the positions that bodies report.
 */
import { expect } from 'vitest';
import { exactTriangleTriangle } from '../../../impinge/test/geometry/oracle.js';
import type { Body } from '../../src/bodies/body.js';
import type { Simulation } from '../../src/bodies/simulation.js';
import { disposed } from '../rigid/rigid-scenes.js';

/** Runs with a simulation and lets go of it; at the end no bodies meet, by `intersections()` and by the oracle. */
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
      if (!boxesMeet(box, boxOf(b.positions, two))) continue;
      if (exactTriangleTriangle(pointsOf(a, one), 0, pointsOf(b, two), 0).intersects) return true;
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

const pointsOf = ({ positions }: Body, vertices: readonly number[]) =>
  vertices.flatMap((v) => Array.from(positions.subarray(3 * v, 3 * v + 3)));
