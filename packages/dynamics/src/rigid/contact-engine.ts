/** Shapes of rigid bodies, whatever they are made of, and what finds the contacts of two. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Meeting } from '../bodies/body-surfaces.js';
import type { ContactSet } from './contact-set.js';

/**
 * What has to be known of a shape: of triangles in memory (contact-shape.ts), or of a model that is not. Many bodies
 * may share one.
 */
export interface Shape {
  readonly name: string;
  /** In the coordinates it was made in: what its own frame is about, the centre of mass of a solid. */
  readonly centre: Vec3;
  /** No point is farther from the centre. */
  readonly radius: number;
  /** Around it, in the coordinates it was made in. */
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /**
   * What finds its contacts with another, where engines for triangles in memory are of no use; asked of either of two.
   */
  engineWith?(other: Shape, settings: ContactSettings): ContactEngine | undefined;
  /**
   * Of what is not in memory: triangles that meet those of another, whose frame `pose` takes to this one's; undefined
   * where that cannot be told from here.
   */
  meetingWith?(other: Shape, pose: Float64Array): Meeting | undefined;
  dispose(): void;
}

/** Two shapes where they are: `pose` takes b's frame (about its centre) to a's. */
export interface PosedPair<Kind extends Shape = Shape> {
  readonly a: Kind;
  readonly b: Kind;
  /** Nine entries of the rotation, row by row, and a translation. */
  readonly pose: Float64Array;
}

/** A motion of two bodies in the world, each turning at a constant rate about a centre that moves straight. */
export interface PairMotion {
  /** Poses of the frames about the centres, before and after. */
  readonly fromA: Float64Array;
  readonly toA: Float64Array;
  readonly fromB: Float64Array;
  readonly toB: Float64Array;
}

export interface ContactEngine {
  /** Reaches beyond are better looked at where bodies first come near; without it, such are a part of their size. */
  readonly far?: number;
  /**
   * Writes contacts of b against a: everything nearer than `reach` is held apart by those reported, to first order.
   * `out.atLeast` is certain.
   */
  contacts(pair: PosedPair, reach: number, out: ContactSet): void;
  /**
   * The share of a motion, 0 … 1, in which the surfaces certainly do not come within `distance` of each other; 1 for
   * all of it.
   */
  freeShare(a: Shape, b: Shape, motion: PairMotion, distance: number): number;
  /** How far the surfaces are apart. */
  distance(pair: PosedPair): number;
  /**
   * How far what may come within `distance` moves against the other in a motion, at most; without it, that is taken for
   * as much as the farthest points of the bodies.
   */
  motionNear?(a: Shape, b: Shape, motion: PairMotion, distance: number): number;
  /** Whether its contacts change though nothing moves, so that they have to be looked for again. */
  readonly restless?: boolean;
  /** Lets go of what it keeps of one pair of bodies; engines that keep nothing have no use for it. */
  dispose?(): void;
}

/** How contacts of a simulation are to be found. */
export interface ContactSettings {
  /** By shapes and error (engines/choose-engine.ts); by triangles; or by contact levels wherever both have them. */
  readonly engine: (typeof CONTACT_ENGINES)[number];
  /** What contacts may be off, in metres; 0 for nothing. It may change between steps. */
  readonly error: number;
  /** The distance that surfaces keep. */
  readonly thickness: number;
}

export const CONTACT_ENGINES = ['auto', 'exact', 'contact-levels'] as const;

/** The engine for two bodies of these shapes, which may be theirs alone. */
export type ChooseEngine = (a: Shape, b: Shape) => ContactEngine;
