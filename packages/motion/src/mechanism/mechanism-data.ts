/**
 * A mechanism as plain data: links with shapes, and the joints between them. Lengths in any unit, angles in radians.
 */
import type { Mesh, Pose } from 'impinge';

/** What a link is made of, and where in the link's frame: solids, and meshes, which are surfaces. */
export type LinkShape = {
  /** Default: where the link's frame is. */
  readonly pose?: Pose;
} & (
  | { readonly mesh: Mesh }
  /** Edge lengths, about the origin. */
  | { readonly box: ArrayLike<number> }
  | { readonly sphere: { readonly radius: number } }
  /** Along z, about the origin; the ends of a capsule are half-spheres beyond its length. */
  | { readonly cylinder: { readonly radius: number; readonly length: number } }
  | { readonly capsule: { readonly radius: number; readonly length: number } }
);

export interface LinkData {
  readonly name: string;
  /** Default: none, a frame. */
  readonly shapes?: readonly LinkShape[];
}

export const JOINT_TYPES = ['fixed', 'revolute', 'continuous', 'prismatic', 'planar', 'floating'] as const;

/**
 * How a link moves in its parent, and by how many variables: none, an angle, an angle without limits, a length along
 * the axis, two lengths across the axis and an angle about it, or a position and a quaternion (x, y, z, w).
 */
export type JointType = (typeof JOINT_TYPES)[number];

export interface JointData {
  readonly name: string;
  readonly type: JointType;
  /** Names of links. */
  readonly parent: string;
  readonly child: string;
  /** Where the joint is in the parent's frame (default: at its origin). */
  readonly pose?: Pose;
  /** In the joint's frame (default: x). */
  readonly axis?: ArrayLike<number>;
  /** Of the variable, or of each of them (default: none). */
  readonly lower?: number | ArrayLike<number>;
  readonly upper?: number | ArrayLike<number>;
  /** Follows another joint: multiplier (default 1) × its variable + offset (default 0). */
  readonly mimic?: { readonly joint: string; readonly multiplier?: number; readonly offset?: number };
}

export interface MechanismData {
  readonly name?: string;
  /** A tree: each link but one is the child of one joint. */
  readonly links: readonly LinkData[];
  readonly joints?: readonly JointData[];
  /** Where the link that is no child is in the world (default: its origin). */
  readonly base?: Pose;
}

/** Variables of a joint of a type. */
export const VARIABLES: Readonly<Record<JointType, number>> = {
  fixed: 0,
  revolute: 1,
  continuous: 1,
  prismatic: 1,
  planar: 3,
  floating: 7,
};
