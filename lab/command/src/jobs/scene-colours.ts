/** Colours of simulated scenes: red, green, blue from 0 to 1. */
import type { Body } from '@impinge/dynamics';
import type { BodyLook } from './simulation-recorder.js';

/** Floors and trays. */
export const NEUTRAL = [0.78, 0.78, 0.76] as const;
/** Distinguishable with colour blindness. */
export const PALETTE = [
  [0.9, 0.38, 0.26],
  [0.25, 0.55, 0.78],
  [0.96, 0.74, 0.28],
  [0.35, 0.66, 0.45],
  [0.62, 0.42, 0.7],
  [0.93, 0.55, 0.62],
  [0.3, 0.68, 0.7],
] as const;

export function sceneryLook(body: Body): BodyLook {
  return { name: body.name, colour: NEUTRAL, doubleSided: true };
}
