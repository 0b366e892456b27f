/** Colours of simulated scenes: those of recordings. */
import type { BodyLook } from '@impinge/dynamics';
import { NEUTRAL, PALETTE } from '@impinge/dynamics/internal/recording/recording.js';

export { PALETTE };

export function sceneryLook(): BodyLook {
  return { colour: NEUTRAL, doubleSided: true };
}
