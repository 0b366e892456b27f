/**
 * What two fronts have near each other, cut out of them: few triangles, which are compared as if they were all.
 *
 * Promise: where it was made, the triangles that any two originals within `reach` stand on are in it. Where b has moved
 * against a by m since, it has those that originals within reach − m stand on.
 */
import { IDENTITY, type RigidPose } from '../../../math/pose.js';
import { Mesh } from '../../../mesh/mesh.js';
import type { NearParts } from '../../../query/levels/near-parts.js';
import { UNLIMITED } from '../../../query/pair/collide.js';
import { distancePlaced } from '../../../query/pair/distance.js';
import { withinPlaced } from '../../../query/pair/within.js';
import type { PairMotion, PosedPair, Shape } from '../contact-engine.js';
import { ContactShape } from '../contact-shape.js';
import { searchedShareOf } from '../pair-guard.js';
import { type CutTriangles, cutTriangles } from './cut-triangles.js';
import type { FrontShape } from './front-shape.js';
import { type MotionParts, movedBetween } from './motion-parts.js';

interface CutShapes {
  readonly a: ContactShape;
  readonly b: ContactShape;
}

/** On which motion a cut was made, and where. */
export interface MadeAt {
  readonly parts: MotionParts;
  readonly share: number;
}

export class FrontCut {
  readonly reach: number;
  /** How much farther apart than the originals the fronts may be, and how much nearer. */
  readonly off: number;
  readonly into: number;
  /** Of b in the frame of a, where it was made. */
  readonly #pose: Float64Array;
  readonly #made: MadeAt | undefined;
  readonly #sides: { readonly a: CutSide; readonly b: CutSide } | undefined;

  constructor(near: NearParts, { a, b, pose }: PosedPair, reach: number, made?: MadeAt) {
    this.reach = reach;
    this.#made = made;
    this.#pose = pose.slice();
    const found = cutTriangles(near, restPose(a, b, pose), reach);
    const rounding = found ? found[0].rounding + found[1].rounding : 0;
    this.off = near.a.out + near.b.out + rounding;
    this.into = near.a.in + near.b.in + rounding;
    this.#sides = found && { a: new CutSide(a, found[0]), b: new CutSide(b, found[1]) };
  }

  /** It has what all originals stand on that are within so much of each other at a pose. */
  reachAt({ b, pose }: PosedPair): number {
    return this.reach - movedBetween(b, this.#pose, pose);
  }

  /**
   * The same at a share of a motion, of those originals that may come near in it; of these, none moves against the other side
   * by more than `length` in all of the motion.
   */
  reachAlong(parts: MotionParts, share: number, length: number): number {
    if (!this.#made) return 0;
    const { parts: own, share: from } = this.#made;
    return this.reach - Math.abs(share - from) * length - (own === parts ? 0 : parts.strayFrom(own));
  }

  /** Between which numbers the distance of what is in it is, as originals. */
  apart({ pose }: PosedPair): readonly [least: number, most: number] {
    if (!this.#sides) return [Infinity, Infinity];
    const { a, b } = this.#sides;
    const placed = { bToA: restPose(a, b, pose), aToWorld: IDENTITY as RigidPose };
    const { distance } = distancePlaced(a.mesh, b.mesh, placed, Infinity);
    return [Math.max(0, distance - this.off), distance + this.into];
  }

  /** The share of a motion in which what is in the cut stays farther apart than a distance, as originals. */
  freeShare(motion: PairMotion, distance: number): number {
    const sides = this.#sides;
    return sides ? searchedShareOf(sides.a, sides.b, motion, distance + this.off) : 1;
  }

  /** Works with what originals within reach of each other at a pose stand on, as shapes of their own; false where there is none. */
  withShapes(pose: Float64Array, reach: number, use: (shapes: CutShapes) => void): boolean {
    if (!this.#sides) return false;
    const { a, b } = this.#sides;
    const { pairs, count } = withinPlaced(a.mesh, b.mesh, restPose(a, b, pose), UNLIMITED, reach + this.off);
    if (count === 0) return false;
    const shapes = { a: a.shapeOf(pairs, 0), b: b.shapeOf(pairs, 1) };
    try {
      use(shapes);
      return true;
    } finally {
      a.letGo(shapes.a);
      b.letGo(shapes.b);
    }
  }

  dispose(): void {
    this.#sides?.a.dispose();
    this.#sides?.b.dispose();
  }
}

/** A mesh is compared as a whole. */
class CutSide {
  readonly mesh: Mesh;
  readonly centre: Shape['centre'];
  readonly #of: Shape;
  readonly #triangles: CutTriangles;

  constructor(of: Shape, triangles: CutTriangles) {
    this.#of = of;
    this.#triangles = triangles;
    this.centre = of.centre;
    this.mesh = of instanceof ContactShape ? of.mesh : Mesh.from({ ...triangles, name: of.name });
  }

  /** The triangles that are every second of a list, from `first` on. */
  shapeOf(list: Uint32Array, first: number): ContactShape {
    if (this.#of instanceof ContactShape) return this.#of;
    const { name, centre, closed } = this.#of as FrontShape;
    const { positions: x, indices: corners } = this.#triangles;
    const places = new Map<number, number>();
    const positions: number[] = [];
    const indices: number[] = [];
    for (const triangle of new Set(list.filter((_, i) => i % 2 === first))) {
      for (const v of corners.subarray(3 * triangle, 3 * triangle + 3)) {
        let place = places.get(v);
        if (place === undefined) {
          places.set(v, (place = places.size));
          positions.push(x[3 * v], x[3 * v + 1], x[3 * v + 2]);
        }
        indices.push(place);
      }
    }
    const surface = { name, positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
    return new ContactShape(surface, centre, closed);
  }

  /** A shape that was made for this side. */
  letGo(shape: ContactShape): void {
    if (shape !== this.#of) shape.dispose();
  }

  dispose(): void {
    if (!(this.#of instanceof ContactShape)) this.mesh.dispose();
  }
}

/** From the coordinates that b was made in to those of a. */
export function restPose(a: Pick<Shape, 'centre'>, b: Pick<Shape, 'centre'>, pose: Float64Array): RigidPose {
  const rest = pose.slice();
  const [x, y, z] = b.centre;
  for (let k = 0; k < 3; k++)
    rest[9 + k] += a.centre[k] - (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z);
  return rest;
}
