/**
 * What two fronts have near each other, cut out of them: few triangles, which are compared as if they were all.
 *
 * Promise: where it was made, the triangles that any two originals within `reach` stand on are in it. Where b has moved
 * against a by m since, it has those that originals within reach − m stand on.
 */
import { IDENTITY, type RigidPose } from '../../../math/pose.js';
import { Mesh } from '../../../mesh/mesh.js';
import type { NearParts } from '../../../query/levels/near-parts.js';
import { distancePlaced } from '../../../query/pair/distance.js';
import type { PairMotion, PosedPair, Shape } from '../contact-engine.js';
import { ContactShape } from '../contact-shape.js';
import { searchedShareOf } from '../pair-guard.js';
import { type CutTriangles, cutTriangles } from './cut-triangles.js';
import type { FrontShape } from './front-shape.js';
import { movedBetween } from './motion-parts.js';

export class FrontCut {
  readonly reach: number;
  /** How much farther apart than the originals the fronts may be, and how much nearer. */
  readonly off: number;
  readonly into: number;
  /** Of b in the frame of a, where it was made. */
  readonly #pose: Float64Array;
  readonly #sides: { readonly a: CutSide; readonly b: CutSide } | undefined;

  constructor(near: NearParts, { a, b, pose }: PosedPair, reach: number) {
    this.reach = reach;
    this.#pose = pose.slice();
    const found = cutTriangles(near, restPose(a, b, pose), reach);
    const rounding = found ? found[0].rounding + found[1].rounding : 0;
    this.off = near.a.out + near.b.out + rounding;
    this.into = near.a.in + near.b.in + rounding;
    this.#sides = found && { a: new CutSide(a, found[0]), b: new CutSide(b, found[1]) };
  }

  /** Whether it has everything within reach of each other at a pose. */
  covers({ b, pose }: PosedPair, reach: number): boolean {
    return reach <= this.#reachAt(b, pose);
  }

  /** Between which numbers the distance of the originals is, as far as the cut reaches. */
  apart({ b, pose }: PosedPair): readonly [least: number, most: number] {
    const known = this.#reachAt(b, pose);
    if (!this.#sides) return [known, Infinity];
    const { a, b: other } = this.#sides;
    const placed = { bToA: restPose(a, other, pose), aToWorld: IDENTITY as RigidPose };
    const { distance } = distancePlaced(a.mesh, other.mesh, placed, Infinity);
    return [Math.max(0, Math.min(distance - this.off, known)), distance + this.into];
  }

  /** The share of a motion in which what is in the cut stays farther apart than a distance, as originals. */
  freeShare(motion: PairMotion, distance: number): number {
    const sides = this.#sides;
    return sides ? searchedShareOf(sides.a, sides.b, motion, distance + this.off) : 1;
  }

  /** Both sides as shapes of their own; undefined where nothing is near. */
  shapes(): { readonly a: ContactShape; readonly b: ContactShape } | undefined {
    const sides = this.#sides;
    return sides && { a: sides.a.shape, b: sides.b.shape };
  }

  dispose(): void {
    this.#sides?.a.dispose();
    this.#sides?.b.dispose();
  }

  #reachAt(b: Shape, pose: Float64Array): number {
    return this.reach - movedBetween(b, this.#pose, pose);
  }
}

/** A mesh is compared as a whole. */
class CutSide {
  readonly mesh: Mesh;
  readonly centre: Shape['centre'];
  readonly #of: Shape;
  readonly #triangles: CutTriangles;
  #shape: ContactShape | undefined;

  constructor(of: Shape, triangles: CutTriangles) {
    this.#of = of;
    this.#triangles = triangles;
    this.centre = of.centre;
    this.mesh = of instanceof ContactShape ? of.mesh : Mesh.from({ ...triangles, name: of.name });
  }

  get shape(): ContactShape {
    if (this.#of instanceof ContactShape) return this.#of;
    const { name, centre, closed } = this.#of as FrontShape;
    return (this.#shape ??= new ContactShape({ name, ...this.#triangles }, centre, closed));
  }

  dispose(): void {
    this.#shape?.dispose();
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
