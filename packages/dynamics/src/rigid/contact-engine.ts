/** Shapes of rigid bodies, whatever they are made of, and the interface of engines that find the contacts of two. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Meeting } from '../bodies/body-surfaces.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { AllowedError, PlacedPair } from './contact-error.js';
import type { ContactSet } from './contact-set.js';
import type { StepLevels } from './engines/step-levels.js';

/**
 * The interface of a shape: triangles in memory (contact-shape.ts), or a model that is not. Many bodies may share one.
 */
export interface BodyShape {
  readonly name: string;
  /** The origin of its own frame, in its original coordinates: the centre of mass of a solid. */
  readonly centre: Vec3;
  /** No point is farther from the centre. */
  readonly radius: number;
  /** Turning moves its surface by no more than this times the angle: the radius, but for round shapes. */
  readonly arm: number;
  /** Around it, in the coordinates it was made in. */
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /**
   * The engine for its contacts with another shape, where engines for triangles in memory do not apply; called on
   * either of two.
   */
  engineWith?(other: BodyShape, settings: ContactSettings): ContactEngine | undefined;
  /**
   * Of a shape that is not in memory: triangles that meet those of another, whose frame `pose` maps to this one's;
   * undefined where this shape cannot decide.
   */
  meetingWith?(other: BodyShape, pose: Float64Array): Meeting | undefined;
  dispose(): void;
}

/** Two shapes where they are: `pose` takes b's frame (about its centre) to a's. */
export interface PosedPair<Kind extends BodyShape = BodyShape> {
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
   * `out.atLeast` is certain. `placed` tells where the two are in the world, for errors that depend on it.
   */
  contacts(pair: PosedPair, reach: number, out: ContactSet, placed?: () => PlacedPair): void;
  /** Detail that was left out at a contact of the last search, in metres; engines without it leave out none. */
  errorAt?(id: number): number;
  /**
   * The share of a motion, 0 … 1, in which the surfaces certainly do not come within `distance` of each other; 1 for
   * all of it.
   */
  freeShare(a: BodyShape, b: BodyShape, motion: PairMotion, distance: number): number;
  /** The distance of the surfaces. */
  distance(pair: PosedPair): number;
  /**
   * Maximum relative motion of points that may come within `distance` of the other body; without it, the motion of the
   * bodies' farthest points is assumed.
   */
  motionNear?(a: BodyShape, b: BodyShape, motion: PairMotion, distance: number): number;
  /** Whether its contacts change though nothing moves, so that they must be searched again. */
  readonly restless?: boolean;
  /** Writes the state kept for one pair of bodies, and takes it over. */
  save(out: StateWriter): void;
  restore(from: StateReader, a: BodyShape, b: BodyShape): void;
  /** Frees the state kept for one pair of bodies; absent in engines without state. */
  dispose?(): void;
}

/** How a simulation finds contacts. */
export interface ContactSettings {
  /** By shapes and error (engines/choose-engine.ts); by triangles; or by contact levels wherever both have them. */
  readonly engine: (typeof CONTACT_ENGINES)[number];
  /** Permitted error of contacts; 0 for none. It may change between steps. */
  readonly error: number | AllowedError;
  /** What contact levels take and leave out in the present step. */
  readonly step: StepLevels;
  /** The distance that surfaces keep. */
  readonly thickness: number;
}

export const CONTACT_ENGINES = ['auto', 'exact', 'contact-levels'] as const;

/** The engine for two bodies of these shapes, which may be theirs alone. */
export type ChooseEngine = (a: BodyShape, b: BodyShape) => ContactEngine;
