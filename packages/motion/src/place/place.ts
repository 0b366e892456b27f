/**
 * Where a body may be put: the free pose nearest to one that is wished for, by moving it, by turning it too, standing
 * on what is below it if it is to.
 */
import { ImpingeError, type Mesh, type Point, type Pose, Scene, type Vec3 } from 'impinge';
import {
  type OptionNames,
  readAtMost,
  readChoice,
  readKnown,
  readLength,
} from 'impinge/internal/base/options.js';
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { composePoses, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { type Bounds, readBounds, readDirection } from '../bounds.js';
import type { MotionContact } from '../edge-search.js';
import { FreeSpace } from '../free-space.js';
import type { Obstacles } from '../obstacles.js';
import { InnerBalls } from './inner-balls.js';
import { type FoundPlace, NearestPlace } from './nearest-place.js';

const TURNS = ['none', 'upright', 'any'] as const;

export interface PlaceOptions {
  /** Where the body is wished to be. */
  readonly near: Pose;
  /** Where the middle of the body's box may be (default: within four times the body's radius of the wish). */
  readonly region?: Bounds;
  /** Distances of at most this are contacts (default 0: touching is). */
  readonly clearance?: number;
  /** Whether it may be turned: not (default), about `up`, or anyhow. */
  readonly turn?: (typeof TURNS)[number];
  /** Against gravity (default 0, 0, 1). */
  readonly up?: Point;
  /** Whether it is to stand: no more than the clearance and the accuracy above what is below (default false). */
  readonly rest?: boolean;
  /** Places that are nearer by less are not looked for (default: a hundredth of the body's radius). */
  readonly accuracy?: number;
  readonly limits?: {
    /** Boxes of places that are looked at (default 20 000). */
    readonly cells?: number;
  };
  readonly signal?: AbortSignalLike;
  /** Called with the boxes of places looked at so far. */
  readonly onProgress?: (cells: number) => void;
}

export type PlaceResult =
  | {
      readonly found: true;
      readonly pose: RigidPose;
      /** How far the middle of its box is from where it was wished, and by what angle it was turned. */
      readonly moved: number;
      readonly turned: number;
      /** With that turn, no free place in the region is nearer. */
      readonly atLeast: number;
      /** How far the next obstacle is. Infinity where there is none. */
      readonly clearance: number;
      /** What it stands on, if it is to. */
      readonly floor: MotionContact | undefined;
      readonly stats: PlaceStats;
    }
  | {
      readonly found: false;
      /**
       * `blocked`: proved that there is none with any turn that was tried; `accuracy`: none is as wide as that;
       * `cells`: the limit came first.
       */
      readonly reason: 'blocked' | 'accuracy' | 'cells';
      readonly stats: PlaceStats;
    };

export interface PlaceStats {
  readonly cells: number;
  /** Turns that were tried. */
  readonly turns: number;
}

const NAMES: OptionNames<PlaceOptions> = {
  near: true,
  region: true,
  clearance: true,
  turn: true,
  up: true,
  rest: true,
  accuracy: true,
  limits: true,
  signal: true,
  onProgress: true,
};

const REGION = 4;
const ACCURACY = 0.01;
const MOST_CELLS = 20_000;
/** Boxes looked at between two turns of the event loop. */
const BREATH = 256;
/** Turns about `up`, and turns of any kind that are tried. */
const ABOUT_UP = 24;
const ANY = 120;

/** Looks for the free pose nearest to one that is wished for. Equal questions have equal answers. */
export async function place(body: Mesh, obstacles: Obstacles, options: PlaceOptions): Promise<PlaceResult> {
  const {
    near,
    clearance = 0,
    turn = 'none',
    rest = false,
    signal,
    onProgress,
    ...given
  } = readKnown('place', options, NAMES);
  if (near === undefined) throw new ImpingeError('bad-input', 'place: there is no pose to be near');
  readChoice('turn', turn, TURNS);
  const up = readDirection('up', given.up ?? [0, 0, 1]);
  const free = new FreeSpace(body, obstacles, { clearance });
  const { radius } = free.ball;
  if (!(radius > 0)) throw new ImpingeError('bad-input', 'the body has no size');
  const wish = toRigidPose(near);
  const middle = middleOf(free, wish);
  const region = given.region
    ? readBounds(given.region)
    : { min: middle.map((x) => x - REGION * radius), max: middle.map((x) => x + REGION * radius) };
  const accuracy = readLength('accuracy', given.accuracy ?? ACCURACY * radius);
  if (accuracy === 0) throw new ImpingeError('bad-option', 'accuracy must be more than 0');
  const { cells: mostCells = MOST_CELLS } = readKnown('limits', given.limits ?? {}, { cells: true });
  readAtMost('limits.cells', mostCells);
  const balls = new InnerBalls(body);
  let [cells, tried, isOpen, isCut] = [0, 0, false, false];
  let best: { place: FoundPlace; angle: number; search: NearestPlace; cost: number } | undefined;
  const turns = turnsOf(wish, turn, up);
  for (const { pose, angle } of turns) {
    // a turn counts as far as the farthest point moves
    const most = (best?.cost ?? Infinity) - angle * radius;
    if (!(most > accuracy)) break;
    // half of the boxes are for the pose as it was wished
    const share = tried === 0 && turn !== 'none' ? 0.5 : 1 / Math.max(1, turns.length - tried);
    const last = cells + share * (mostCells - cells);
    const search = new NearestPlace({
      ...{ free, balls, turn: pose, near: middle, region, accuracy, most },
      up: rest ? up : undefined,
    });
    while (cells + search.cells < last && search.step()) {
      if (search.cells % BREATH !== 0) continue;
      onProgress?.(cells + search.cells);
      await new Promise((resolve) => setTimeout(resolve));
      if (signal?.aborted)
        throw new ImpingeError('aborted', `place was aborted after ${cells + search.cells} boxes`);
    }
    tried++;
    cells += search.cells;
    isOpen ||= search.isOpen;
    isCut ||= cells >= last;
    if (search.best) best = { place: search.best, angle, search, cost: search.best.length + angle * radius };
  }
  const stats = { cells, turns: tried };
  if (!best) return { found: false, reason: isCut ? 'cells' : isOpen ? 'accuracy' : 'blocked', stats };
  const { pose, length, floor } = best.place;
  return {
    found: true,
    pose,
    moved: length,
    turned: best.angle,
    atLeast: best.search.atLeast,
    clearance: free.nearest(pose)?.distance ?? Infinity,
    floor,
    stats,
  };
}

/** Places several bodies, one after the other: each is an obstacle for those that follow. */
export async function placeAll(
  bodies: readonly { readonly body: Mesh; readonly near: Pose }[],
  obstacles: Obstacles,
  options: Omit<PlaceOptions, 'near'>,
): Promise<PlaceResult[]> {
  const { near: _, ...names } = NAMES;
  readKnown('placeAll', options, names);
  if (!Array.isArray(bodies)) throw new ImpingeError('bad-input', 'placeAll: bodies must be a list');
  const placed = new Scene();
  const around = [obstacles, placed].flat() as Extract<Obstacles, readonly unknown[]>;
  const out: PlaceResult[] = [];
  for (const one of bodies) {
    const { body, near } = readKnown('bodies', one, { body: true, near: true });
    const result = await place(body, around, { ...options, near });
    if (result.found) placed.add(body, { pose: result.pose });
    out.push(result);
  }
  return out;
}

function middleOf({ ball: { centre } }: FreeSpace, p: RigidPose): number[] {
  const [x, y, z] = centre;
  return [0, 1, 2].map((k) => p[3 * k] * x + p[3 * k + 1] * y + p[3 * k + 2] * z + p[9 + k]);
}

/** The turns that are tried, the least first. */
function turnsOf(
  wish: RigidPose,
  turn: (typeof TURNS)[number],
  up: Vec3,
): readonly { readonly pose: RigidPose; readonly angle: number }[] {
  const turned = (axis: Vec3, angle: number) => {
    const sine = Math.sin(0.5 * angle);
    const rotation = [...axis.map((x) => sine * x), Math.cos(0.5 * angle)];
    return { pose: composePoses(toRigidPose({ rotation }), wish), angle: Math.abs(angle) };
  };
  const out = [turned(up, 0)];
  if (turn === 'upright') {
    for (let i = 1; i <= ABOUT_UP / 2; i++) {
      const angle = (2 * Math.PI * i) / ABOUT_UP;
      out.push(turned(up, angle));
      if (2 * i < ABOUT_UP) out.push(turned(up, -angle));
    }
  } else if (turn === 'any') {
    const random = new SeededRandom(1);
    for (let i = 0; i < ANY; i++) {
      const z = 2 * random.next() - 1;
      const around = 2 * Math.PI * random.next();
      const across = Math.sqrt(1 - z * z);
      out.push(turned([across * Math.cos(around), across * Math.sin(around), z], Math.PI * random.next()));
    }
    out.sort((a, b) => a.angle - b.angle);
  }
  return out;
}
