/** A shape that stands for its originals by fronts. */
import type { Side } from '@impinge/model/internal/level-queries/side.js';
import type { BodyShape } from '../contact-engine.js';

export interface FrontShape extends BodyShape {
  /** Faces have an outer side. */
  readonly closed: boolean;
  /** The shape with a surface error of at most `error`. */
  at(error: number): Side;
}
