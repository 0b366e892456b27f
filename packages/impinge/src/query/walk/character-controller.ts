/**
 * A character that walks through a scene: an upright capsule that goes where it is told, slides along walls, climbs
 * steps and slopes, follows the ground down and is carried by what it stands on.
 *
 * Idea: on the ground a motion is made in three parts. Walking goes sideways: contacts that are flat enough lift it,
 * all others are upright walls, which it steps onto (up, on, down) or slides along. Settling goes down to the ground.
 * In the air a motion is made as it is given, and slides along everything, up to where it lands.
 * Invariant: all motions are those of character-body.ts, so it ends inside nothing that it was not in before.
 */
import { ImpingeError } from '../../base/errors.js';
import { readFunction, readKnown, readLength, readPositive } from '../../base/options.js';
import { invertLinear, type LinearPose } from '../../math/linear-map.js';
import { type Point, readPoint } from '../../math/point.js';
import { posePoint, type Vec3 } from '../../math/pose.js';
import { assertScene, type Scene, type SceneObject } from '../../scene/scene.js';
import type { CapsuleShape } from '../shape/shape-input.js';
import type { ShapeContact } from '../shape/sweep-shape.js';
import { CharacterBody, type Stop } from './character-body.js';
import { Footing } from './footing.js';
import { nearestMotion, type SidePlane } from './nearest-motion.js';
import { across, cross, dot, lengthOf, plus, times, unit } from './vectors.js';

export interface CharacterOptions {
  /** Of the lowest point, its feet (default 0 0 0). */
  readonly position?: Point;
  /** From feet to head (default 1.8). */
  readonly height?: number;
  /** Default 0.3. */
  readonly radius?: number;
  /** Which way is up (default 0 1 0). */
  readonly up?: Point;
  /** The distance that it keeps from everything, above 0 (default 0.01). */
  readonly skin?: number;
  /** The highest step that it climbs (default 0.3). */
  readonly stepHeight?: number;
  /** The steepest slope that it climbs and stands on, in radians from level (default 50°). */
  readonly maxSlope?: number;
  /** How far it follows the ground down, on slopes and stairs (default: the step height). */
  readonly snap?: number;
  /** Objects that it passes through. */
  readonly ignores?: (object: SceneObject) => boolean;
}

/** What a character touched on its way. */
export interface CharacterHit {
  readonly object: SceneObject;
  readonly triangle: number;
  readonly point: Vec3;
  /** Of length 1, towards the character. */
  readonly normal: Vec3;
  /** How much farther it would have gone into it. */
  readonly blocked: number;
}

/** What a character stands on. */
export interface CharacterGround {
  readonly object: SceneObject;
  readonly triangle: number;
  readonly point: Vec3;
  readonly normal: Vec3;
}

export interface CharacterMove {
  /** From where it was to where it is, what carried it included. */
  readonly moved: Vec3;
  readonly grounded: boolean;
  readonly ground: CharacterGround | undefined;
  /** In the order in which it met them. */
  readonly hits: readonly CharacterHit[];
  /** How far the ground carried it, and turned it about `up`, in radians. */
  readonly carried: Vec3;
  readonly turned: number;
  /** Whether something is inside it that it could not get out of. */
  readonly stuck: boolean;
}

const NAMES = {
  position: true,
  height: true,
  radius: true,
  up: true,
  skin: true,
  stepHeight: true,
  maxSlope: true,
  snap: true,
  ignores: true,
} as const;

/** How often a motion is turned aside. */
const MOST_TURNS = 16;
/** How often a way onto a step is tried with half its length. */
const MOST_HALVINGS = 8;
/** What rising counts against going aside, while walking. */
const EASE = 2 ** -10;
/** Of a motion: less is none. */
const NOTHING = 1e-9;

/** A contact that motions keep clear of. */
interface Side {
  readonly stop: Stop;
  /** What motions are held to: the contact's normal, or what of it is level. */
  readonly normal: Vec3;
  readonly isFloor: boolean;
}

export class CharacterController {
  readonly #world: Scene | { readonly scene: Scene };
  readonly #body: CharacterBody;
  readonly #footing: Footing;
  readonly #up: Vec3;
  readonly #stepHeight: number;
  readonly #snap: number;
  #ground: ShapeContact<Scene> | undefined;
  /** Of the ground's object when it was last looked at. */
  #pose: LinearPose | undefined;
  /** Whether that is an edge that it is climbing. */
  #isOnEdge = false;
  /** Whether it has been put somewhere, and has not looked what is below. */
  #isNew = true;
  #hits: CharacterHit[] = [];

  /** In a scene, or in what has one, such as a `Simulation`: it is asked for at every move. */
  constructor(world: Scene | { readonly scene: Scene }, options: CharacterOptions = {}) {
    const {
      position = [0, 0, 0],
      up = [0, 1, 0],
      ignores,
      ...given
    } = readKnown('CharacterController', options, NAMES);
    this.#world = world;
    assertScene(this.#scene);
    const radius = readPositive('radius', given.radius ?? 0.3);
    const height = readLength('height', given.height ?? 1.8);
    if (!(height >= 2 * radius))
      throw new ImpingeError('bad-option', `height must be at least twice the radius, got ${height}`);
    const skin = readPositive('skin', given.skin ?? 0.01);
    const maxSlope = readLength('maxSlope', given.maxSlope ?? (50 / 180) * Math.PI);
    if (!(maxSlope < Math.PI / 2))
      throw new ImpingeError('bad-option', `maxSlope must be below π / 2, got ${maxSlope}`);
    this.#up = unit(readVector('up', up));
    if (lengthOf(this.#up) === 0) throw new ImpingeError('bad-option', 'up must not be 0 0 0');
    this.#stepHeight = readLength('stepHeight', given.stepHeight ?? 0.3);
    this.#snap = readLength('snap', given.snap ?? this.#stepHeight);
    if (ignores !== undefined) readFunction('ignores', ignores);
    this.#footing = new Footing(this.#up, maxSlope, skin);
    const size = { height, radius, skin, up: this.#up, ignores };
    this.#body = new CharacterBody(this.#scene, readVector('position', position), size);
  }

  /** Of its feet. Setting it puts it there, whatever is there. */
  get position(): Vec3 {
    return this.#body.position;
  }

  set position(value: Point) {
    this.#body.position = readVector('position', value);
    this.#ground = undefined;
    this.#isNew = true;
  }

  /** The capsule where it is. */
  get shape(): CapsuleShape {
    return this.#body.shape(0);
  }

  get grounded(): boolean {
    return this.#ground !== undefined;
  }

  /**
   * Moves it by a vector as far as that goes: for a walk with gravity, the velocity times the time. First it is carried
   * by what it stands on, and gets out of what has moved into it. With a part upwards it leaves the ground.
   */
  move(by: Point): CharacterMove {
    const wish = readVector('by', by);
    const body = this.#body;
    const start = body.position;
    body.scene = this.#scene;
    this.#hits = [];
    const turned = this.#carry();
    const carried = plus(body.position, start, -1);
    body.recover();
    const stuck = body.margin < 0;
    if (stuck) this.#ground = undefined;
    else this.#go(wish);
    this.#pose = this.#ground?.object.pose;
    return {
      moved: plus(body.position, start, -1),
      grounded: this.grounded,
      ground: this.#ground && groundOf(this.#ground),
      hits: this.#hits,
      ...{ carried, turned, stuck },
    };
  }

  #go(wish: Vec3): void {
    const rise = dot(wish, this.#up);
    if (this.#isNew) this.#settle(0, 2 * this.#body.options.skin);
    this.#isNew = false;
    if (!this.#ground || rise > NOTHING * lengthOf(wish)) {
      this.#ground = undefined;
      this.#fly(wish);
      return;
    }
    const level = across(wish, this.#up);
    const stays = this.#isOnEdge && dot(level, this.#ground.normal) <= 0;
    const steps = this.#walk(level);
    this.#settle(Math.max(0, -rise), this.#snap, stays || steps > 0);
  }

  /** Sideways, over ground that is flat enough, along everything else; the number of steps that were climbed. */
  #walk(by: Vec3): number {
    const body = this.#body;
    let steps = 0;
    let rest = by;
    let sides: Side[] = [];
    if (this.#ground && this.#footing.holds(this.#ground.normal))
      sides.push(this.#floor({ ...this.#ground, share: 1, gap: body.play, at: body.position }));
    for (let i = 0; i < MOST_TURNS; i++) {
      const motion = this.#along(rest, sides, EASE);
      if (lengthOf(motion) <= NOTHING * lengthOf(by)) break;
      const stop = body.advance(motion);
      if (!stop) break;
      rest = times(rest, 1 - stop.share);
      this.#note(stop, motion);
      if (this.#footing.isSlope(stop, unit(across(motion, this.#up)))) sides.push(this.#floor(stop));
      else if (dot(stop.normal, this.#up) < 0) sides.push({ stop, normal: stop.normal, isFloor: false });
      else {
        const share = this.#step(rest);
        if (share > 0) {
          rest = times(rest, 1 - share);
          sides = [];
          steps++;
        } else sides.push(this.#wall(stop));
      }
    }
    return steps;
  }

  /**
   * Up, on and down onto something that it can stand on, as far as there is: on narrow steps, less than the whole way.
   * Returns the share of the way that was made, 0 where there is none.
   */
  #step(by: Vec3): number {
    const body = this.#body;
    const start = body.position;
    const most = this.#stepHeight + 2 * body.play;
    const length = lengthOf(by);
    if (this.#stepHeight === 0 || length === 0) return 0;
    body.advance(times(this.#up, most));
    const raised = body.position;
    const foot = dot(start, this.#up) - body.margin;
    for (let part = 1, i = 0; i < MOST_HALVINGS; part *= 0.5, i++) {
      const made = part * (body.advance(times(by, part))?.share ?? 1);
      if (made * length < Math.min(body.play, 0.5 * length)) break;
      const down = body.advance(times(this.#up, foot + body.margin - dot(raised, this.#up) - body.play));
      if (down && dot(down.point, this.#up) - foot <= most && this.#isTread(down)) return made;
      body.position = raised;
    }
    body.position = start;
    return 0;
  }

  /** Whether what a step came down on is its top: flat enough itself, or the edge of what is. */
  #isTread(stop: Stop): boolean {
    return this.#footing.holds(stop.normal) || this.#footing.isEdgeOfGround(stop);
  }

  /** Down to the ground within reach; without any, down by `fall` only. */
  #settle(fall: number, reach: number, isStepping = false): void {
    const body = this.#body;
    const start = body.position;
    this.#ground = undefined;
    this.#isOnEdge = false;
    const stop = body.advance(times(this.#up, -fall - reach));
    if (stop && this.#footing.holds(stop.normal)) this.#ground = stop;
    else if (stop) {
      // on its way over an edge: up, or down to the ground below its middle
      this.#isOnEdge = isStepping && this.#footing.isEdgeOfGround(stop);
      this.#ground = this.#isOnEdge ? stop : this.#groundBelow(reach);
    }
    if (this.#ground) return;
    body.position = start;
    if (fall > 0) this.#fly(times(this.#up, -fall));
  }

  /** What is below its middle, within reach of its feet, and flat enough. */
  #groundBelow(reach: number): ShapeContact<Scene> | undefined {
    const { play, position, options, margin } = this.#body;
    const centre = plus(position, this.#up, options.radius);
    const depth = options.radius + margin + reach;
    const found = this.#body.sweepOf({ centre, radius: play }, times(this.#up, -depth));
    return found && this.#footing.holds(found.normal) ? found : undefined;
  }

  /** Along everything, up to where it lands. */
  #fly(by: Vec3): void {
    const body = this.#body;
    const start = body.position;
    const sides: Side[] = [];
    let rest = by;
    for (let i = 0; i < MOST_TURNS; i++) {
      const motion = this.#along(rest, sides, 1);
      if (lengthOf(motion) <= NOTHING * lengthOf(by)) break;
      const stop = body.advance(motion);
      if (!stop) break;
      rest = times(rest, 1 - stop.share);
      this.#note(stop, motion);
      if (dot(by, this.#up) <= 0 && this.#footing.holds(stop.normal)) {
        this.#ground = stop;
        const steps = this.#walk(across(rest, this.#up));
        this.#settle(0, this.#snap, steps > 0);
        return;
      }
      sides.push({ stop, normal: stop.normal, isFloor: false });
      // nothing steep is climbed by flying against it
      if (dot(stop.normal, this.#up) > 0) sides.push(this.#wall(stop));
    }
    const sunk = dot(plus(start, body.position, -1), this.#up);
    const held = sides.filter(({ stop }) => dot(stop.normal, this.#up) > 0);
    // several that are too steep hold it together
    if (held.length > 2 && sunk < -0.001 * dot(by, this.#up)) this.#ground = held[0].stop;
  }

  /** Goes where the ground has gone; by how much that has turned. */
  #carry(): number {
    const ground = this.#ground;
    const before = this.#pose;
    if (!ground || !before || ground.object.pose === before) return 0;
    const body = this.#body;
    const now = ground.object.pose;
    const back = invertLinear(before);
    const moved = (v: Vec3): Vec3 => {
      const out: [number, number, number] = [0, 0, 0];
      posePoint(back, ...v, out, 0);
      posePoint(now, ...out, out, 0);
      return out;
    };
    let rest = plus(moved(body.position), body.position, -1);
    const sides: Side[] = [];
    const ahead = unit(across(Math.abs(this.#up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], this.#up));
    const turned = plus(moved(plus(body.position, ahead)), moved(body.position), -1);
    for (let i = 0; i < MOST_TURNS && lengthOf(rest) > 0; i++) {
      const stop = body.advance(this.#along(rest, sides, 1), ground.object);
      if (!stop) break;
      rest = times(rest, 1 - stop.share);
      sides.push({ stop, normal: stop.normal, isFloor: false });
    }
    return Math.atan2(dot(this.#up, cross(ahead, turned)), dot(ahead, turned));
  }

  /** The motion nearest to a wish that goes into nothing that is near. */
  #along(wish: Vec3, sides: readonly Side[], ease: number): Vec3 {
    const { play, position } = this.#body;
    const near = sides
      .map((side) => ({
        ...side,
        gap: side.stop.gap + dot(side.stop.normal, plus(position, side.stop.at, -1)),
      }))
      .filter(({ gap }) => gap <= 2 * play)
      .map(({ normal, isFloor, gap }) => ({ normal, isFloor, least: gap < 0.5 * play ? play - gap : 0 }));
    const floors = near.filter(({ isFloor }) => isFloor);
    const others = near.filter(({ isFloor }) => !isFloor);
    const free = this.#over(floors, this.#nearest(wish, others, ease));
    if (near.every(({ normal, least }) => dot(normal, free) >= least - NOTHING * play)) return free;
    return this.#over(floors, this.#nearest(wish, near, ease));
  }

  #nearest(wish: Vec3, sides: readonly SidePlane[], ease: number): Vec3 {
    const flat = sides.map(({ normal }) => ({ normal, least: 0 }));
    return (
      nearestMotion(wish, sides, this.#up, ease) ?? nearestMotion(wish, flat, this.#up, ease) ?? [0, 0, 0]
    );
  }

  /** A motion as high as floors make it, and no higher. */
  #over(floors: readonly SidePlane[], motion: Vec3): Vec3 {
    if (floors.length === 0) return motion;
    const level = across(motion, this.#up);
    const rises = floors.map(({ normal, least }) => (least - dot(normal, level)) / dot(normal, this.#up));
    return plus(level, this.#up, Math.max(...rises));
  }

  #floor(stop: Stop): Side {
    return { stop, normal: stop.normal, isFloor: true };
  }

  #wall(stop: Stop): Side {
    const level = unit(across(stop.normal, this.#up));
    return { stop, normal: lengthOf(level) > 0 ? level : stop.normal, isFloor: false };
  }

  #note({ object, triangle, point, normal, share }: Stop, motion: Vec3): void {
    const blocked = Math.max(0, -dot(normal, motion)) * (1 - share);
    this.#hits.push({ object, triangle, point, normal, blocked });
  }

  get #scene(): Scene {
    const world = this.#world;
    return 'eachPart' in Object(world) ? (world as Scene) : Object(world).scene;
  }
}

function readVector(name: string, value: Point): Vec3 {
  const [x, y, z] = readPoint(`CharacterController: ${name}`, value, [0, 0, 0]);
  return [x, y, z];
}

function groundOf({ object, triangle, point, normal }: ShapeContact<Scene>): CharacterGround {
  return { object, triangle, point, normal };
}
