/**
 * Whether a motion of two bodies with contact levels is free, by planes between the originals of their nodes, as
 * kernels/contacts/guard.ts does it for triangles. Along a direction, the originals below two nodes are as far apart as
 * at the nearer of both ends of the motion, less the deviation of points from straight paths by turning. Nodes without
 * a separating plane are divided.
 *
 * The nodes are those of the last search, with their normals: originals that are below none of them were farther apart
 * than its reach. Where the bodies have come closer since, and come closer in the motion, by less than that, they stay
 * apart; so the number of planes is known beforehand. Else the coarsest surfaces are searched for pairs that near.
 */
import type { Allowance } from 'impinge/internal/query/pair/allowed.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import type { PairMotion } from '../contact-engine.js';
import type { HullFront, NearNodes } from './hull-front.js';
import { bendOf, relativePose } from './pair-motion.js';

/** Numbers of a pair: its nodes, normal and gap. */
const NUMBERS = 6;

/** Pairs of nodes of which each two originals within a reach are below one, with b at a pose in the frame of a. */
export class HeldPairs {
  readonly pose = new Float64Array(12);
  reach = 0;
  /** Six numbers each. */
  readonly list: number[] = [];

  get count(): number {
    return this.list.length / NUMBERS;
  }

  begin(pose: Float64Array, reach: number): void {
    this.pose.set(pose);
    this.reach = reach;
    this.list.length = 0;
  }

  add({ nodeA, nodeB, x, y, z, gap }: Readonly<NearNodes>): void {
    this.list.push(nodeA, nodeB, x, y, z, gap);
  }

  save(out: StateWriter): void {
    out.array(this.pose);
    out.number(this.reach);
    out.array(Float64Array.from(this.list));
  }

  restore(from: StateReader): void {
    from.into(this.pose);
    this.reach = from.number();
    this.list.length = 0;
    for (const number of from.doubles()) this.list.push(number);
  }

  /** A bound on the displacement of any point of b, which is no farther than `radius` from its centre, since. */
  movedTo(pose: Float64Array, radius: number): number {
    let [shift, turn] = [0, 0];
    for (let k = 0; k < 9; k++) turn += (pose[k] - this.pose[k]) ** 2;
    for (let k = 9; k < 12; k++) shift += (pose[k] - this.pose[k]) ** 2;
    return (Math.sqrt(shift) + Math.sqrt(turn) * radius) * (1 + 1e-12);
  }
}

/** What planes show of a motion, and the pairs looked at for that. */
export interface PlanesFound {
  /** Whether nothing comes within the distance in all of it. */
  readonly holds: boolean;
  /** Whether that is not known because more pairs were needed than allowed. */
  readonly stopped: boolean;
  readonly tests: number;
}

/** Whether planes show that nothing comes within `distance` in the whole motion, by at most so many pairs. */
export function planesOfHulls(
  front: HullFront,
  motion: PairMotion,
  distance: number,
  held: HeldPairs,
  allowance: Allowance,
  most: number,
): PlanesFound {
  const { fromA, toA, fromB, toB } = motion;
  const { way, stray } = bendOf(front.a.radius, front.b.radius, motion);
  const least = distance + stray;
  const before = relativePose(fromA, fromB);
  const after = relativePose(toA, toB);
  const isFree = (nodeA: number, nodeB: number, x: number, y: number, z: number): boolean => {
    if (!(front.gapAlong(nodeA, nodeB, x, y, z, before) > least)) return false;
    // the same direction of the world, as a sees it in the end
    const wx = fromA[0] * x + fromA[1] * y + fromA[2] * z;
    const wy = fromA[3] * x + fromA[4] * y + fromA[5] * z;
    const wz = fromA[6] * x + fromA[7] * y + fromA[8] * z;
    const ex = toA[0] * wx + toA[3] * wy + toA[6] * wz;
    const ey = toA[1] * wx + toA[4] * wy + toA[7] * wz;
    const ez = toA[2] * wx + toA[5] * wy + toA[8] * wz;
    return front.gapAlong(nodeA, nodeB, ex, ey, ez, after) > least;
  };
  let [holds, stopped, tests] = [true, false, 0];
  const look = (nodeA: number, nodeB: number, x: number, y: number, z: number): void => {
    if (!holds || stopped) return;
    const left = most - ++tests;
    stopped = left < 0;
    if (stopped || isFree(nodeA, nodeB, x, y, z)) return;
    const below = front.below(
      nodeA,
      nodeB,
      before,
      way + least,
      (found, divisible) => {
        if (!holds || isFree(found.nodeA, found.nodeB, found.x, found.y, found.z)) return true;
        holds = divisible;
        return !divisible;
      },
      left,
    );
    tests += Math.min(below, left);
    stopped = holds && below > left;
  };
  const nearer = way + held.movedTo(before, front.b.radius) + least;
  const { list } = held;
  if (!(held.reach >= nearer)) tests += front.coarsest(before, way + least, allowance, look);
  else
    for (let i = 0; i < list.length; i += NUMBERS) {
      // originals of those farther apart cannot have come near
      if (list[i + 5] <= nearer) look(list[i], list[i + 1], list[i + 2], list[i + 3], list[i + 4]);
    }
  return { holds: holds && !stopped, stopped, tests };
}
