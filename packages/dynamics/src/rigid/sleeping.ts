/**
 * Rest: bodies that hang together by contacts and joints, of which none has moved for a while, sleep until something
 * comes near, or the caller changes one of them.
 */
import { UnionFind } from 'impinge/internal/base/union-find.js';
import type { RigidBody } from '../bodies/rigid-body.js';
import { MOTION, ROTATION, VELOCITY } from '../bodies/rigid-state.js';
import type { BodyTable } from './body-table.js';
import type { Member } from './member.js';
import type { NearPair } from './near-pair.js';

/**
 * Maximum motion of a still body, in thicknesses, alone and where bodies lie on each other, which the solver's errors
 * move by as much; and the time it must last, in seconds.
 */
const STILL_ALONE = 0.1;
const STILL_TOGETHER = 0.5;
const STILL_SECONDS = 0.5;
/**
 * Speed in thicknesses per second below which bodies resting on scenery are slowed down, and the rate at which their
 * speed decays, 1 / s.
 */
const SLOW_THICKNESSES_PER_SECOND = 20;
const SLOWING_RATE = 3;
/** Bodies within this many thicknesses sleep and wake together. */
const TOGETHER_THICKNESSES = 2;

export interface RestOptions {
  readonly thickness: number;
  readonly sleeping: boolean;
  readonly dt: number;
  readonly cut: Uint8Array;
}

/**
 * Puts still bodies to sleep, with everything they touch, unless they are driven; slow ones resting on scenery are
 * slowed down. Where sleeping is off, only bodies that stay in place are slowed down: else a stack would sway, and a
 * little more each time. `pairs` have contacts. `cut`, by index: bodies that lost time in the step do
 * not count as still.
 */
export function bringToRest(
  members: readonly Member[],
  pairs: readonly NearPair[],
  ties: readonly (readonly [Member, Member])[],
  table: BodyTable,
  moving: Uint8Array,
  driven: readonly Member[],
  { thickness, sleeping, dt, cut }: RestOptions,
): void {
  const count = members.length;
  const joined = new UnionFind(count);
  const together = new Uint8Array(count);
  const restless = new Uint8Array(count);
  const supported = new Uint8Array(count);
  for (const pair of pairs) {
    const { a, b } = pair;
    if (pair.least > TOGETHER_THICKNESSES * thickness) continue;
    if (a.rigid && b.rigid) {
      joined.union(a.index, b.index);
      together[a.index] = together[b.index] = 1;
    } else {
      const [free, scenery] = a.rigid ? [a.index, b.index] : [b.index, a.index];
      if (moving[scenery] !== 0) restless[free] = 1;
      supported[free] = 1;
    }
  }
  for (const [a, b] of ties) {
    together[a.index] = together[b.index] = 0;
    if (a.rigid && b.rigid) joined.union(a.index, b.index);
    else if (moving[b.index] !== 0) restless[a.index] = 1;
  }
  for (const { index } of driven) restless[index] = 1;
  const wakeful = new Uint8Array(count);
  const onScenery = new Uint8Array(count);
  const awake = members.filter(({ rigid, index }) => rigid && moving[index] !== 0);
  for (const member of awake) {
    const { index } = member;
    const most = (together[index] === 0 ? STILL_ALONE : STILL_TOGETHER) * thickness;
    if (isStill(member, most) && cut[index] === 0) member.still += dt;
    else startStill(member);
    const island = joined.find(index);
    if (member.still < STILL_SECONDS || restless[index] !== 0) wakeful[island] = 1;
    if (supported[index] !== 0) onScenery[island] = 1;
  }
  for (const { rigid, index, shape, still } of awake) {
    const island = joined.find(index);
    const { state } = rigid as RigidBody;
    if (sleeping && wakeful[island] === 0) {
      state.asleep = true;
      state.velocity.fill(0);
      state.angular.fill(0);
    } else if (onScenery[island] !== 0 && (sleeping || still > 0)) {
      const { velocity: v, spin: w } = table;
      const k = 3 * index;
      const turning = Math.sqrt(w[k] ** 2 + w[k + 1] ** 2 + w[k + 2] ** 2);
      const speed = Math.sqrt(v[k] ** 2 + v[k + 1] ** 2 + v[k + 2] ** 2) + turning * shape.radius;
      if (speed > SLOW_THICKNESSES_PER_SECOND * thickness) continue;
      for (let axis = VELOCITY; axis < MOTION; axis++)
        state.numbers[axis] *= 1 - Math.min(1, SLOWING_RATE * dt);
    }
  }
}

export function wake(member: Member): void {
  const state = member.rigid?.state;
  if (!state) return;
  state.asleep = false;
  state.disturbed = false;
  startStill(member);
}

function startStill(member: Member): void {
  const { numbers: x } = member.rigid!.state;
  const { stillPlace, stillTurn } = member;
  member.still = 0;
  for (let k = 0; k < 3; k++) stillPlace[k] = x[k];
  for (let k = 0; k < 4; k++) stillTurn[k] = x[ROTATION + k];
}

/** Whether no point of a body has moved by more than `most` since it was first found still. */
function isStill({ rigid, shape, stillPlace, stillTurn }: Member, most: number): boolean {
  const { numbers: x } = rigid!.state;
  let waySq = 0;
  let turnSq = 0;
  for (let k = 0; k < 3; k++) waySq += (x[k] - stillPlace[k]) ** 2;
  for (let k = 0; k < 4; k++) turnSq += (x[ROTATION + k] - stillTurn[k]) ** 2;
  // quaternions of rotations by φ from each other are 2 sin(φ / 4) apart
  const turn = 4 * Math.asin(Math.min(1, 0.5 * Math.sqrt(turnSq)));
  return Math.sqrt(waySq) + turn * shape.radius <= most;
}
