/**
 * A body that moves through a model, collides and slides.
 *
 * The time of impact bounds the free part of a straight motion; the rest is projected into the plane of the contact, up
 * to four times. A ledge is climbed by moving up, forward and down. Invariant: a body that starts free ends free: its
 * end position is tested exactly against everything near before it is returned; if that fails, it does not move.
 *
 * With an error, levels stand for the model. An original point within reach lies no farther than `out` from a piece
 * that was found, so a body farther than that from each of them is free. Where a start or an end is not, the step is
 * made again with exact pieces.
 */
import type { Session, SessionBody, SessionSurroundings } from '@impinge/model';
import { collide, distance, type Mesh, timeOfImpact, type Vec3 } from 'impinge';
import { add, dot, subtract } from '../picture/vectors.js';
import type { HeldLevels } from './held-levels.js';
import { personMesh } from './person-mesh.js';
import { poseOf } from './poses.js';
import { slide } from './slide.js';
import type { Obstacle, WalkAnswer, WalkOptions } from './types.js';

interface NearObstacle extends Obstacle {
  /** Distance at the start of the step. */
  readonly apart: number;
}

/** Distance kept from obstacles, and accuracy of contacts, as shares of the radius. */
const SKIN = 1 / 250;
const ACCURACY = 1 / 2500;
const MOST_SLIDES = 4;
/** Maximum slope of a floor: the cosine of 50°. */
const FLOOR = 0.64;
/**
 * Offsets in the search for a free place: sideways in radii, upwards in heights. The smallest are for rounded
 * positions.
 */
const ASIDE = [0, 0.02, 0.5, 1, 2, 4];
const UP = [0, 0.001, 0.01, 0.03, 0.1, 0.3, 1];

/** The result of a straight motion. */
interface Sweep {
  readonly at: Vec3;
  /** The rest of the motion. */
  readonly left: Vec3;
  /** From the body to the obstacle; undefined: none. */
  readonly normal: Vec3 | undefined;
  readonly object: number;
}

export class Walker {
  readonly radius: number;
  readonly height: number;
  readonly #mesh: Mesh;
  readonly #body: SessionBody;
  readonly #levels: HeldLevels;

  constructor(session: Session, levels: HeldLevels, radius: number, height: number, at: Vec3) {
    this.#levels = levels;
    this.radius = radius;
    this.height = height;
    this.#mesh = personMesh(radius, height);
    this.#body = session.add(this.#mesh, { pose: { translation: at } });
  }

  /** Makes a step; `also` are obstacles besides the model. */
  async step(
    from: Vec3,
    towards: Vec3,
    options: WalkOptions,
    also: readonly Obstacle[] = [],
  ): Promise<WalkAnswer> {
    const { ledge = 0, fall = 0, error = 0 } = options;
    const reach = Math.hypot(...subtract(towards, from)) + ledge + fall + this.radius;
    if (error > 0) {
      const around = await this.#levels.around(this.#mesh, from, reach, error);
      try {
        const near = this.#nearOf([...around.pieces, ...also], from, reach);
        const went = this.#goFree(near, from, towards, options);
        if (went) return went;
      } finally {
        around.dispose();
      }
    }
    const around = await this.#surroundings(from, reach);
    try {
      const exact = around.pieces.map((piece) => ({ ...piece, out: 0 }));
      const near = this.#nearOf([...exact, ...also], from, reach);
      const went = this.#goFree(near, from, towards, options);
      // a safety net for the end: rounding is far below the skin
      const answer = went ?? { at: from, touched: [], standing: false, free: !this.#meets(near, from) };
      if (answer.free) {
        this.#body.move({ translation: answer.at });
        return answer;
      }
    } finally {
      around.dispose();
    }
    return this.#stand(from, options, also);
  }

  dispose(): void {
    this.#body.remove();
    this.#mesh.dispose();
  }

  async #surroundings(from: Vec3, reach: number): Promise<SessionSurroundings> {
    // a step that continues the last one keeps the pace, and with it the prefetching
    if (from.some((x, k) => x !== this.#body.pose[9 + k])) this.#body.move({ translation: from });
    return this.#body.around({ distance: reach });
  }

  #nearOf(obstacles: readonly Obstacle[], from: Vec3, reach: number): NearObstacle[] {
    const poseA = { translation: from };
    return obstacles.flatMap((one) => {
      const found = distance(this.#mesh, one.mesh, { poseA, poseB: poseOf(one.pose), atMost: reach });
      return found.pointA ? [{ ...one, apart: found.distance }] : [];
    });
  }

  /** A step from a free place to another; undefined: one of them is not known to be free. */
  #goFree(
    near: readonly NearObstacle[],
    from: Vec3,
    towards: Vec3,
    { ledge = 0, fall = 0 }: WalkOptions,
  ): WalkAnswer | undefined {
    if (near.some(({ apart, out }) => apart <= out)) return undefined;
    const touched = new Set<number>();
    const { at, floor } = this.#go(near, from, towards, ledge, fall, touched);
    if (this.#meets(near, at)) return undefined;
    return { at, touched: [...touched], standing: fall > 0 && floor, free: true };
  }

  #go(
    near: readonly NearObstacle[],
    from: Vec3,
    towards: Vec3,
    ledge: number,
    fall: number,
    touched: Set<number>,
  ): { readonly at: Vec3; readonly floor: boolean } {
    const walks = fall > 0;
    const way = subtract(towards, from);
    let at = this.#slideAlong(near, from, from, way, walks, touched);
    const missing = Math.hypot(way[0], way[1]) - Math.hypot(at[0] - from[0], at[1] - from[1]);
    if (ledge > 0 && missing > SKIN * this.radius) {
      const up = this.#sweep(near, from, from, [0, 0, ledge]);
      const over = this.#slideAlong(near, from, up.at, way, walks, touched);
      const down = this.#sweep(near, from, over, [0, 0, from[2] - over[2]]);
      const farther = Math.hypot(over[0] - from[0], over[1] - from[1]);
      const gained = farther - Math.hypot(at[0] - from[0], at[1] - from[1]);
      const onFloor = !walks || isFloor(down.normal);
      if (gained > SKIN * this.radius && onFloor) at = down.at;
    }
    if (!walks) return { at, floor: false };
    const down = this.#sweep(near, from, at, [0, 0, -fall]);
    if (down.normal) touched.add(down.object);
    if (!down.normal || isFloor(down.normal)) return { at: down.at, floor: down.normal !== undefined };
    // slides off something steep with the remaining fall
    const off = this.#slideAlong(near, from, down.at, slide(down.left, [down.normal]), false, touched);
    return { at: off, floor: false };
  }

  /** Slides along obstacles. Slopes too steep to walk on count as walls. */
  #slideAlong(
    near: readonly NearObstacle[],
    from: Vec3,
    start: Vec3,
    way: Vec3,
    walks: boolean,
    touched: Set<number>,
  ): Vec3 {
    const planes: Vec3[] = [];
    let at = start;
    let left = way;
    for (let i = 0; i <= MOST_SLIDES; i++) {
      const swept = this.#sweep(near, from, at, left);
      at = swept.at;
      if (!swept.normal) break;
      touched.add(swept.object);
      planes.push(walks && !isFloor(swept.normal) ? upright(swept.normal) : swept.normal);
      left = slide(swept.left, planes);
    }
    return at;
  }

  /** Moves straight until an obstacle is a skin away. `from`: where distances were measured. */
  #sweep(near: readonly NearObstacle[], from: Vec3, at: Vec3, way: Vec3): Sweep {
    const length = Math.hypot(...way);
    if (!(length > SKIN * this.radius * 1e-3)) return { at, left: [0, 0, 0], normal: undefined, object: -1 };
    const gone = Math.hypot(...subtract(at, from));
    const motionA = { from: { translation: at }, to: { translation: add(at, way) } };
    let first = { gets: Infinity, normal: undefined as Vec3 | undefined, object: -1 };
    for (const { object, mesh, pose, apart, out } of near) {
      if (apart > gone + length) continue; // out of reach
      const motionB = { from: poseOf(pose) };
      const accuracy = ACCURACY * this.radius;
      const { time, normal } = timeOfImpact(this.#mesh, mesh, { motionA, motionB, accuracy });
      if (time === Infinity || !normal) continue;
      // the skin is measured along the normal, so a grazing motion ends earlier
      const approach = Math.max(dot(way, normal), 0.01 * length);
      const gets = Math.max(0, time - (SKIN * this.radius + out) / approach);
      if (gets < first.gets) first = { gets, normal, object };
    }
    const { gets, normal, object } = first;
    if (!normal) return { at: add(at, way), left: [0, 0, 0], normal, object };
    const left: Vec3 = [way[0] * (1 - gets), way[1] * (1 - gets), way[2] * (1 - gets)];
    return { at: add(at, way, gets), left, normal, object };
  }

  /** Whether anything that is stood for may meet the body. */
  #meets(near: readonly Obstacle[], at: Vec3): boolean {
    const poseA = { translation: at };
    return near.some(({ mesh, pose, out }) => {
      if (out > 0) return distance(this.#mesh, mesh, { poseA, poseB: poseOf(pose), atMost: out }).pointA;
      return collide(this.#mesh, mesh, { poseA, poseB: poseOf(pose), mode: 'any' }).colliding;
    });
  }

  /** Searches a free place nearby, sideways or above. */
  async #stand(
    from: Vec3,
    { ledge = 0, fall = 0 }: WalkOptions,
    also: readonly Obstacle[],
  ): Promise<WalkAnswer> {
    const reach = ASIDE[ASIDE.length - 1] * this.radius + UP[UP.length - 1] * this.height + ledge + fall;
    const around = await this.#surroundings(from, reach);
    try {
      const obstacles = [...around.pieces.map((piece) => ({ ...piece, out: 0 })), ...also];
      for (const up of UP) {
        for (const aside of ASIDE) {
          for (let side = 0; side < (aside > 0 ? 8 : 1); side++) {
            const angle = (Math.PI / 4) * side;
            const reached = aside * this.radius;
            const way: Vec3 = [Math.cos(angle) * reached, Math.sin(angle) * reached, up * this.height];
            const at = add(from, way);
            if (this.#meets(obstacles, at)) continue;
            this.#body.move({ translation: at });
            return { at, touched: [], standing: false, free: true };
          }
        }
      }
      return { at: from, touched: [], standing: false, free: false };
    } finally {
      around.dispose();
    }
  }
}

function isFloor(normal: Vec3 | undefined): boolean {
  return normal !== undefined && -normal[2] >= FLOOR;
}

/** The horizontal part, normalised; zero if there is none. */
function upright([x, y]: Vec3): Vec3 {
  const length = Math.hypot(x, y);
  return length > 0 ? [x / length, y / length, 0] : [0, 0, 0];
}
