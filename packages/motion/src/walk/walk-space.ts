/**
 * The poses of a body that walks: it turns about the vertical, is free above half the step height, and has a floor
 * below. States are those of a rigid body (plan/rigid-space.ts) whose centre is at its feet, below the middle of its
 * box.
 */
import { ImpingeError, type Mesh, type Vec3 } from 'impinge';
import { readKnown, readPositive } from 'impinge/internal/base/options.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { assertMesh } from 'impinge/internal/mesh/mesh.js';
import { dot, plus, times } from 'impinge/internal/query/walk/vectors.js';
import type { Room } from '../bounds.js';
import { FreeSpace } from '../free-space.js';
import type { Obstacle } from '../obstacles.js';
import { boundsAround, RigidSpace } from '../plan/rigid-space.js';
import type { State } from '../plan/state-space.js';
import { sidesOf, type Upright, UprightTurns } from '../plan/upright.js';
import { certify, type PathCertificate } from '../plan/verify-path.js';
import { Floor } from './floor.js';
import { trunkOf } from './trunk.js';

/** How a body walks. */
export interface Walk extends Omit<Upright, 'angle'> {
  /**
   * The highest step that it climbs; what is lower above its floor it may pass over. Its feet are at most half of that
   * above or below the floor, and all of it above as much must be free.
   */
  readonly stepHeight: number;
  /** The steepest floor that it walks on, in radians from level (default 50°). */
  readonly maxSlope?: number;
}

export const WALK_NAMES = { stepHeight: true, maxSlope: true, up: true, own: true } as const;

const MAX_SLOPE = (50 * Math.PI) / 180;
/** How far from below the middle there must be a floor, as a share of the body's narrower side. */
const REACH = 0.25;
/** How far a body may stand above its floor where something beside it is higher, as shares of the step height. */
const LIFTS = [0, 0.25, 0.45];

export interface WalkSpaceOptions {
  readonly clearance: number;
  readonly accuracy?: number;
  /** Where the feet may be (default: around the obstacles and these poses). */
  readonly bounds?: Room;
  readonly poses: readonly RigidPose[];
}

export class WalkSpace extends RigidSpace {
  readonly floor: Floor;
  readonly up: Vec3;
  readonly sides: readonly [Vec3, Vec3];
  readonly stepHeight: number;
  /** The body's narrower side. */
  readonly width: number;
  /** By how much what is compared may be off, which the clearance is larger by. */
  readonly #rounding: number;

  static of(body: Mesh, obstacles: readonly Obstacle[], walk: Walk, options: WalkSpaceOptions): WalkSpace {
    const { stepHeight, maxSlope = MAX_SLOPE, ...turns } = readKnown('walk', walk, WALK_NAMES);
    readPositive('stepHeight', stepHeight);
    readPositive('maxSlope', maxSlope);
    if (!(maxSlope < Math.PI / 2))
      throw new ImpingeError('bad-option', `maxSlope must be less than a right angle, got ${maxSlope}`);
    assertMesh(body);
    const upright = new UprightTurns(turns);
    const { feet, width, height, low } = extentOf(body, upright.own);
    if (!(height > stepHeight))
      throw new ImpingeError('bad-option', `stepHeight must be less than the body's height, ${height}`);
    if (!(width > 0)) throw new ImpingeError('bad-input', 'the body has no width to stand on');
    const { mesh, rounding } = trunkOf(body, upright.own, low + 0.5 * stepHeight);
    const { clearance, accuracy, bounds, poses } = options;
    const free = new FreeSpace(mesh, obstacles, {
      clearance: clearance + rounding,
      centre: feet,
      ...(accuracy !== undefined && { accuracy }),
    });
    const sides = sidesOf(upright.up);
    const floor = new Floor(obstacles, {
      ...{ up: upright.up, sides, stepHeight, maxSlope },
      reach: REACH * width,
    });
    const within = bounds ?? boundsAround(free, poses);
    return new WalkSpace(free, within, upright, { floor, sides, stepHeight, width, rounding });
  }

  private constructor(
    free: FreeSpace,
    bounds: Room,
    upright: UprightTurns,
    of: Pick<WalkSpace, 'floor' | 'sides' | 'stepHeight' | 'width'> & { readonly rounding: number },
  ) {
    super(free, bounds, upright);
    this.up = upright.up;
    this.floor = of.floor;
    this.sides = of.sides;
    this.stepHeight = of.stepHeight;
    this.width = of.width;
    this.#rounding = of.rounding;
  }

  override keepsClear(state: State): boolean {
    const feet = feetOf(state);
    return this.floor.isUnderAll(feet, feet) && super.keepsClear(state);
  }

  override edgeFree(from: State, to: State): boolean {
    return this.floor.isUnderAll(feetOf(from), feetOf(to)) && super.edgeFree(from, to);
  }

  /** The free ones among poses that stand on, or a little above, the feet of a state: the lowest first. */
  *standing(state: State): Generator<State> {
    for (const lift of LIFTS) {
      const out = state.slice();
      out.set(plus(feetOf(state), this.up, lift * this.stepHeight));
      if (super.keepsClear(out)) yield out;
    }
  }

  /** Looks at poses with distances and rays alone. */
  certify(poses: readonly RigidPose[]): PathCertificate {
    const found = certify(this.free, poses, { upright: this.upright });
    const feet = poses.map((pose) => feetOf(this.stateOf(pose)));
    const ends = feet.length > 1 ? feet.slice(1) : feet;
    const bare = ends.findIndex((end, i) => !this.floor.isUnderAll(feet[i], end));
    const failed = [found.motion, bare].filter((motion) => motion >= 0);
    const free = failed.length === 0;
    return {
      ...found,
      free,
      clearance: free ? Math.max(0, found.clearance - this.#rounding) : 0,
      motion: free ? -1 : Math.min(...failed),
    };
  }
}

export function feetOf(state: State): Vec3 {
  return [state[0], state[1], state[2]];
}

/** The point below the middle of a body's box, as it stands, and how large that is. */
function extentOf({ storedPositions: p, storedIndices, origin }: Mesh, own: Vec3) {
  const axes = [...sidesOf(own), own];
  const extents = axes.map((axis) => {
    let [least, most] = [Infinity, -Infinity];
    for (const v of storedIndices) {
      const along = dot(axis, [p[3 * v] + origin[0], p[3 * v + 1] + origin[1], p[3 * v + 2] + origin[2]]);
      least = Math.min(least, along);
      most = Math.max(most, along);
    }
    return { least, most };
  });
  const [x, y, z] = extents;
  const middles = [0.5 * (x.least + x.most), 0.5 * (y.least + y.most), z.least];
  const feet = axes.reduce<Vec3>((sum, axis, k) => plus(sum, times(axis, middles[k])), [0, 0, 0]);
  const width = Math.min(x.most - x.least, y.most - y.least);
  return { feet, width, height: z.most - z.least, low: z.least };
}
