/**
 * Bodies that slide without friction over flat ground with random triangulation and pose, compared with closed
 * formulas.
 */
import * as dynamics from '@impinge/dynamics';
import { GROUNDS, randomSlide, SLIDERS, slideOutcome } from '../../scenes/slides.mjs';
import { oneOf } from '../mutate/choose.mjs';

const THICKNESS = 1e-3;
/** Relative error of speed and distance; metres. */
const MOST_OFF = 1e-3;
const MOST_HOP = 1e-4;

/** Problems of one random slide. */
export function slideDifferences(random) {
  const ground = oneOf(random, Object.keys(GROUNDS));
  const slider = oneOf(random, Object.keys(SLIDERS));
  const far = oneOf(random, [0, 10, 100, 1000]);
  const course = { speed: 1 + 4 * random(), seconds: 0.5, pull: oneOf(random, [0, 4]), thickness: THICKNESS };
  const length = course.speed * course.seconds + 0.5;
  const slide = randomSlide(random, { ground, slider, length, far });
  const { off, speed, hop, meeting } = slideOutcome(dynamics, slide, course);
  const told = `${slider} on ${ground} at ${course.speed} m/s, ${far} m away`;
  const differences = [];
  if (!(Math.abs(speed - 1) < MOST_OFF)) differences.push(`${told}: ${speed} of its speed`);
  if (!(off < MOST_OFF)) differences.push(`${told}: ${off} of its way beside where it should be`);
  if (!(hop < MOST_HOP)) differences.push(`${told}: hops by ${hop} m`);
  if (meeting !== 0) differences.push(`${told}: ${meeting} triangles meet`);
  return differences;
}
