/**
 * Whether bodies meet, by brute force: every triangle against all others with a box in reach, in rational numbers. It
 * shares nothing with the library but the positions that bodies report.
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

/** A sweep along x over the triangles of both that are in the box of the other. */
function meet(a: Body, b: Body): boolean {
  const [boxA, boxB] = [boxOf(a.positions, allOf(a)), boxOf(b.positions, allOf(b))];
  if (!boxesMeet(boxA, boxB)) return false;
  const waiting = [...trianglesIn(a, boxB), ...trianglesIn(b, boxA)].sort((p, q) => p.box[0] - q.box[0]);
  const open = new Map<Body, Boxed[]>([a, b].map((body) => [body, []]));
  for (const next of waiting) {
    const other = next.body === a ? b : a;
    const others = open.get(other)!.filter(({ box }) => box[3] >= next.box[0]);
    open.set(other, others);
    for (const { corners, box } of others)
      if (boxesMeet(box, next.box) && exactTriangleTriangle(next.corners, 0, corners, 0).intersects)
        return true;
    open.get(next.body)!.push(next);
  }
  return false;
}

interface Boxed {
  readonly body: Body;
  readonly corners: number[];
  readonly box: number[];
}

function trianglesIn(body: Body, around: readonly number[]): Boxed[] {
  const found: Boxed[] = [];
  for (let at = 0; at < body.indices.length; at += 3) {
    const vertices = cornersOf(body, at);
    const box = boxOf(body.positions, vertices);
    if (boxesMeet(box, around)) found.push({ body, corners: pointsOf(body, vertices), box });
  }
  return found;
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
