/**
 * Two bodies that must keep apart: one of a mechanism, and another one or an obstacle.
 *
 * Idea: the solids around both prove most. Where they do not, and a body is a surface that fills less than its solid,
 * the triangles are asked.
 */
import { collide, distance, meetsShape, type SceneObject, shapeDistance, within } from 'impinge';
import {
  composePoses,
  IDENTITY,
  posePoint,
  type RigidPose,
  relativePose,
} from 'impinge/internal/math/pose.js';
import { locatePoint } from 'impinge/internal/query/solid/locate.js';
import { solidCells } from '../solid-cells.js';
import type { ConvexGap } from './convex-gap.js';
import type { ConvexSolid } from './convex-solid.js';
import { type LinkBody, type Surface, shapeOf } from './link-body.js';
import type { Obstacle } from './obstacle-set.js';
import type { SlidingSurfaces } from './sliding-surfaces.js';

type Filled = Pick<LinkBody, 'inner' | 'surface'>;

/** Of the coordinates that appear: more than float64 loses in any length. */
export const ROUNDING = 1e-13;

/** Two things that meet. */
export interface MeetingPair {
  /** A link, or what it holds. */
  readonly a: string;
  /** Another one, or an obstacle. */
  readonly b: string;
  /** The obstacle in its scene. */
  readonly object: SceneObject | undefined;
}

export class BodyPair {
  /** Indices of bodies; `b` is −1 where it is an obstacle. */
  readonly a: number;
  readonly b: number;
  readonly linkA: number;
  readonly linkB: number;
  readonly solidA: ConvexSolid;
  readonly solidB: ConvexSolid;
  readonly innerA: ConvexSolid | undefined;
  readonly innerB: ConvexSolid | undefined;
  readonly surfaceA: Surface | undefined;
  readonly surfaceB: Surface | undefined;
  readonly bodyA: LinkBody;
  readonly bodyB: LinkBody | Obstacle;
  /** From the obstacle, where that is a half-space. */
  readonly normal: readonly number[] | undefined;
  /** How many joints move both, and the link that the last of these bears, or −1. */
  readonly shared: number;
  readonly ancestor: number;
  /** More than rounding changes in lengths because of where the obstacle is. */
  readonly rounding: number;
  /** Above 0 where one of both is drawn in (drawn-body.ts): they get nowhere deeper into each other than this. */
  readonly depth: number;
  /** What comes nearer than this beyond the clearance need not be told from a contact. */
  accuracy = Infinity;
  /** Meshes that stand for both along motions; undefined: solids do. */
  sliding: SlidingSurfaces | undefined;
  /** The direction from a to b that kept them apart last. */
  nx = 0;
  ny = 0;
  nz = 0;

  constructor(
    a: { readonly index: number; readonly body: LinkBody },
    b: { readonly index: number; readonly body: LinkBody } | Obstacle,
    shared = 0,
    ancestor = -1,
    depth = 0,
  ) {
    this.a = a.index;
    this.bodyA = a.body;
    this.linkA = a.body.link;
    this.solidA = a.body.solid;
    this.innerA = a.body.inner;
    this.surfaceA = a.body.surface;
    const body = 'body' in b ? b.body : b;
    this.b = 'body' in b ? b.index : -1;
    this.bodyB = body;
    this.linkB = 'link' in body ? body.link : -1;
    this.solidB = body.solid;
    this.innerB = body.inner;
    this.surfaceB = body.surface;
    this.normal = 'normal' in body ? body.normal : undefined;
    this.shared = shared;
    this.ancestor = ancestor;
    this.depth = depth;
    this.rounding = 'link' in body ? 0 : ROUNDING * (Math.hypot(...body.solid.centre) + body.solid.reach);
  }

  /**
   * Whether the solids are what is meant: then they decide. Half-spaces reach as far into a surface as into its hull.
   */
  get isSolid(): boolean {
    return this.normal !== undefined || (this.bodyA.isExact && this.bodyB.isExact);
  }

  /** What it is held to where all others are held to `clearance`. */
  heldTo(clearance: number): number {
    return this.depth > 0 ? 0 : clearance;
  }

  /** Bounds the distance of what both certainly fill, from above; Infinity where nothing is known of that. */
  innerMost(gap: ConvexGap, poses: Float64Array, near: number, slack: number): number {
    const { innerA, innerB, linkA, linkB } = this;
    if (!innerA || !innerB) return Infinity;
    const [poseB, b] = linkB < 0 ? [IDENTITY as RigidPose, 0] : [poses, 12 * linkB];
    gap.measure(innerA, poses, 12 * linkA, innerB, poseB, b, near + slack, near, slack);
    return gap.most;
  }

  /**
   * Whether they come within a distance of each other, for links at poses, triangle by triangle, or one lies in the
   * other, which is solid if it is closed.
   */
  isWithin(poses: Float64Array, least: number): boolean {
    return this.#touches(poses, least) || this.isInside(poses);
  }

  #touches(poses: Float64Array, least: number): boolean {
    const [a, b] = this.#placed(poses);
    if ('mesh' in a && 'mesh' in b) {
      const at = { poseA: a.pose, poseB: b.pose, mode: 'any' } as const;
      return least > 0
        ? within(a.mesh, b.mesh, { ...at, distance: least }).within
        : collide(a.mesh, b.mesh, at).colliding;
    }
    const [{ mesh, pose }, solid] = 'mesh' in a ? [a, b as ConvexSolid] : [b as Surface, a];
    if (least > 0) return shapeDistance(mesh, shapeOf(solid), { pose, atMost: least }) !== undefined;
    return meetsShape(mesh, shapeOf(solid), { pose });
  }

  /** Whether one may lie in the other without what both certainly fill telling. */
  get mayHold(): boolean {
    const closed = this.surfaceA?.isClosed || this.surfaceB?.isClosed;
    return this.depth > 0 ? closed === true : mayHold(this.bodyA, this.bodyB);
  }

  /** Whether a part of one that does not touch the other lies in it. */
  isInside(poses: Float64Array): boolean {
    if (!this.mayHold) return false;
    const [a, b] = this.#placed(poses);
    return ('mesh' in a && holds(a, b)) || ('mesh' in b && holds(b, a));
  }

  /** Their distance, or Infinity where it is more than `atMost`. */
  distance(poses: Float64Array, atMost: number): number {
    const [a, b] = this.#placed(poses);
    if ('mesh' in a && 'mesh' in b) {
      return distance(a.mesh, b.mesh, { poseA: a.pose, poseB: b.pose, atMost }).distance;
    }
    const [{ mesh, pose }, solid] = 'mesh' in a ? [a, b as ConvexSolid] : [b as Surface, a];
    return shapeDistance(mesh, shapeOf(solid), { pose, atMost })?.distance ?? Infinity;
  }

  #placed(poses: Float64Array): [Surface | ConvexSolid, Surface | ConvexSolid] {
    return [
      placed(this.surfaceA, this.solidA, poses, this.linkA),
      placed(this.surfaceB, this.solidB, poses, this.linkB),
    ];
  }
}

/** Whether one may lie in the other, whose surface it does not touch, without what both certainly fill telling. */
export function mayHold(a: Filled, b: Filled): boolean {
  if (!a.surface?.isClosed && !b.surface?.isClosed) return false;
  return !a.inner || !b.inner || a.inner.hides(b.inner) || b.inner.hides(a.inner);
}

function placed(surface: Surface | undefined, solid: ConvexSolid, poses: Float64Array, link: number) {
  const pose = link < 0 ? (IDENTITY as RigidPose) : poses.subarray(12 * link, 12 * link + 12);
  return surface ? { ...surface, pose: composePoses(pose, surface.pose) } : solid.posed(pose);
}

/** Whether a closed surface has a part of something else inside, which it does not touch. */
function holds({ mesh, pose, isClosed }: Surface, other: Surface | ConvexSolid): boolean {
  if (!isClosed) return false;
  if ('mesh' in other) return solidCells.of(mesh).holdsAny(other.mesh, relativePose(pose, other.pose));
  const [x, y, z] = other.points;
  const point = new Float64Array(3);
  posePoint(relativePose(pose, IDENTITY as RigidPose), x, y, z, point, 0);
  for (let k = 0; k < 3; k++) point[k] -= mesh.origin[k];
  return locatePoint({ meshes: [mesh], closed: true }, point) === 'inside';
}

export function describe({ bodyA, bodyB }: BodyPair): MeetingPair {
  return { a: bodyA.name, b: bodyB.name, object: 'object' in bodyB ? bodyB.object : undefined };
}
