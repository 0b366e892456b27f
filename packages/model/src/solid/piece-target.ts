/** What questions about regions of contact and about solids need of a target: its pieces, and its solids. */

import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { assertMesh, type Mesh } from 'impinge/internal/mesh/mesh.js';
import { hasParts, type PartsTarget, type Target } from 'impinge/internal/query/target.js';
import type { Solid } from './solids.js';

export interface PieceTarget extends PartsTarget {
  /**
   * No original that a piece of an object stands for is farther than `out` from it; none of its points farther than
   * `in` from them.
   */
  errorsOf(object: number, piece: number): { readonly out: number; readonly in: number };
  /** Has a piece of an object in memory while `work` is done with it; `pose` is the object's. */
  withPiece<T>(object: number, piece: number, work: (mesh: Mesh, pose: RigidPose) => T): Promise<T>;
  solid(): Solid;
  /** An object by itself. */
  objectTarget(object: number): PieceTarget;
  /** Closed objects of which the box holds a box, or the other way round: one may lie inside the other. */
  nestedWith(box: Float64Array): number[];
}

export type PieceSide = Mesh | PieceTarget;

/** Throws unless it is a mesh, or has pieces. */
export function pieceSide(question: string, side: Target): PieceSide {
  if (!hasParts(side)) {
    assertMesh(side);
    return side;
  }
  if ('withPiece' in side && 'solid' in side) return side as PieceTarget;
  throw new ImpingeError('bad-input', `${question}: a side is neither a mesh nor a stored model`);
}

export function isPieceTarget(side: PieceSide): side is PieceTarget {
  return hasParts(side);
}
