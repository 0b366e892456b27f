/**
 * The capsule of a character, and how it moves among the objects of a scene.
 *
 * Idea: everything is done with a capsule that is larger by a margin, the skin where there is room. It moves along
 * sweeps only, and stops a little before the contact, so that the character itself is free wherever it gets.
 * Errs: sweeps are early, never late, by far less than `play`.
 */
import type { Vec3 } from '../../math/pose.js';
import type { Scene, SceneObject } from '../../scene/scene.js';
import { leastOf } from '../scene/least-among.js';
import { gapFromShape, sweepBound } from '../scene/shape-bounds.js';
import { shapeDistance } from '../shape/shape-distance.js';
import { type CapsuleShape, readShape, type Shape } from '../shape/shape-input.js';
import { type ShapeContact, sweepShape } from '../shape/sweep-shape.js';
import type { TargetPart, TargetParts } from '../target.js';
import { nearestMotion, type SidePlane } from './nearest-motion.js';
import { dot, lengthOf, plus } from './vectors.js';

export interface BodyOptions {
  readonly height: number;
  readonly radius: number;
  readonly skin: number;
  readonly up: Vec3;
  readonly ignores: ((object: SceneObject) => boolean) | undefined;
}

/** Where a motion ended at something. */
export interface Stop extends ShapeContact<Scene> {
  /** The share of the motion that was made. */
  readonly share: number;
  /** How far the capsule is from touching, along the normal. */
  readonly gap: number;
  /** Where the character was then. */
  readonly at: Vec3;
}

/** How many contacts are pushed out of at once. */
const MOST_PUSHES = 24;
/** Of the radius: what the middle is without. */
const THIN = 15 / 16;
/** Of a clearance: a margin that leaves room for rounding. */
const MOST_OF_GAP = 0.99;

export class CharacterBody {
  readonly options: BodyOptions;
  /** How far from contacts motions end: well above rounding, well below the skin. */
  readonly play: number;
  /** Of the lowest point. */
  position: Vec3;
  /** By how much the capsule that is moved is larger; negative: something is in the character. */
  margin: number;
  scene: Scene;

  constructor(scene: Scene, position: Vec3, options: BodyOptions) {
    this.scene = scene;
    this.position = position;
    this.options = options;
    this.margin = options.skin;
    this.play = options.skin / 16;
  }

  /** The capsule, larger by a margin. */
  shape(margin: number): CapsuleShape {
    const { up, radius, height } = this.options;
    const from = plus(this.position, up, radius);
    const to = plus(this.position, up, height - radius);
    return { from, to, radius: radius + margin };
  }

  /** What the capsule touches first. */
  sweep(by: Vec3, except?: SceneObject): ShapeContact<Scene> | undefined {
    return this.sweepOf(this.shape(this.margin), by, except);
  }

  /** What a shape touches first of what the character may touch. */
  sweepOf(shape: Shape, by: Vec3, except?: SceneObject): ShapeContact<Scene> | undefined {
    const motion = Float64Array.from(by);
    const bound = sweepBound(readShape('CharacterController', shape), motion);
    const measure = ({ mesh, pose }: TargetPart) => sweepShape(mesh, shape, motion, { pose });
    return leastOf(this.#obstacles(except), bound, 1, measure) as ShapeContact<Scene> | undefined;
  }

  /** Moves until something is touched, and a little less; returns what that is. */
  advance(by: Vec3, except?: SceneObject): Stop | undefined {
    const found = this.sweep(by, except);
    if (!found) {
      this.position = plus(this.position, by);
      return undefined;
    }
    // distances along the way are convex: before the time of contact they are at least what the speed then says
    const closing = -dot(found.normal, by);
    const share = closing > 0 ? Math.max(0, found.time - this.play / closing) : 0;
    this.position = plus(this.position, by, share);
    const gap = (found.time - share) * Math.max(0, closing) - found.depth;
    return { ...found, share, gap, at: this.position };
  }

  /**
   * Moves out of what has moved into it, by the shortest way out of all of them. Where that leads nowhere it stays, and
   * its margin is what is left: negative where something is in the character.
   */
  recover(): void {
    const { skin, up } = this.options;
    this.margin = skin;
    const start = this.position;
    const planes: SidePlane[] = [];
    for (let i = 0; i < MOST_PUSHES; i++) {
      const found = this.sweep([0, 0, 0]);
      if (!found) {
        if (this.#passes(start)) return;
        break;
      }
      const { normal, depth } = found;
      const moved = plus(this.position, start, -1);
      planes.push({ normal, least: dot(normal, moved) + depth + this.play });
      const out = lengthOf(normal) > 0 ? nearestMotion([0, 0, 0], planes, up, 1) : undefined;
      if (!out) break;
      this.position = plus(start, out);
    }
    this.position = start;
    const gap = this.#clearance(skin);
    this.margin = gap > 0 ? Math.min(skin, MOST_OF_GAP * gap) : -1;
  }

  /** Whether the middle of the character got here without passing through anything. */
  #passes(start: Vec3): boolean {
    const by = plus(this.position, start, -1);
    if (by.every((x) => x === 0)) return true;
    const end = this.position;
    this.position = start;
    const found = this.sweepOf(this.shape(-THIN * this.options.radius), by);
    this.position = end;
    return !found || found.depth > 0;
  }

  /** How far the character is from everything; 0 inside something, Infinity beyond `atMost`. */
  #clearance(atMost: number): number {
    const shape = this.shape(0);
    const bound = gapFromShape(readShape('CharacterController', shape));
    const measure = ({ mesh, pose }: TargetPart, most: number) =>
      shapeDistance(mesh, shape, { pose, atMost: most });
    const found = leastOf(this.#obstacles(), bound, atMost, measure) as
      | { readonly distance: number }
      | undefined;
    return found?.distance ?? Infinity;
  }

  /** The scene without what is passed through. */
  #obstacles(except?: SceneObject): TargetParts {
    const { scene } = this;
    const { ignores } = this.options;
    if (!ignores && !except) return scene;
    return {
      ...{ box: scene.box, error: 0, revision: scene.revision },
      eachPart: (bound, limit, visit) =>
        scene.eachPart(bound, limit, (object, most) =>
          object === except || ignores?.(object) ? most : visit(object, most),
        ),
    };
  }
}
