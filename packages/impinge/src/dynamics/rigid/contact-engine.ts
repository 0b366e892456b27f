/** What finds the contacts of two rigid bodies: one interface, whatever is known of their shapes. */
import type { ContactSet } from './contact-set.js';
import type { ContactShape } from './contact-shape.js';

/** Two shapes where they are: `pose` takes b's frame (about its centre) to a's. */
export interface PosedPair {
  readonly a: ContactShape;
  readonly b: ContactShape;
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
  /**
   * Writes contacts of b against a: everything nearer than `reach` is held apart by those reported, to first order.
   * `out.atLeast` is certain.
   */
  contacts(pair: PosedPair, reach: number, out: ContactSet): void;
  /**
   * The share of a motion, 0 … 1, in which the surfaces certainly do not come within `distance` of each other; 1 for all of it.
   */
  freeShare(a: ContactShape, b: ContactShape, motion: PairMotion, distance: number): number;
  /** How far the surfaces are apart. */
  distance(pair: PosedPair): number;
}

/** The engine for two shapes. */
export type ChooseEngine = (a: ContactShape, b: ContactShape) => ContactEngine;
