/** Paths for bodies: read from a file, or wandering through a model. */

import { CommandError } from '@impinge/cli/internal/command-error.js';
import { oneLine } from '@impinge/cli/internal/formats/format-error.js';
import { readBytes } from '@impinge/cli/internal/regular-file.js';
import type { StoredModel } from '@impinge/model';
import { seededRandom } from '@impinge/scenes/random';

export interface FlightPath {
  /** Poses: rotation (9, row-major) and translation (3), in metres. */
  readonly steps: readonly (readonly number[])[];
  /** Seconds between steps. */
  readonly interval: number;
}

const MAX_STEPS = 10_000_000;
/** The maximum length of a string. */
const MAX_BYTES = 2 ** 29 - 24;

export async function readPath(path: string): Promise<FlightPath> {
  const bytes = await readBytes(path, MAX_BYTES);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    throw new CommandError(`${path}: cannot be read: ${oneLine((error as Error).message)}`);
  }
  const { steps, interval = 1 / 30 } = (value ?? {}) as { steps?: unknown; interval?: unknown };
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > MAX_STEPS) {
    throw new CommandError(`${path}: "steps" must be a list of poses, twelve numbers each`);
  }
  steps.forEach((step, i) => {
    if (!Array.isArray(step) || step.length !== 12 || !step.every((x) => Number.isFinite(x))) {
      throw new CommandError(`${path}: step ${i} is not twelve numbers (rotation row by row, translation)`);
    }
  });
  if (!(typeof interval === 'number' && interval > 0)) {
    throw new CommandError(`${path}: "interval" must be a number of seconds`);
  }
  return { steps, interval };
}

const SPEED = 1.5;
const INTERVAL = 1 / 30;
const LEG_SHARE = 0.25;

/** A smooth path through the model's box at walking pace, turning on the way; the same for the same seed. */
export function wanderingPath(model: StoredModel, count: number, seed: number): FlightPath {
  const { objectBox } = model.directory;
  const metres = model.meta.metresPerUnit;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < objectBox.length; i++) {
    const k = i % 3;
    if (i % 6 < 3) low[k] = Math.min(low[k], metres * objectBox[i]);
    else high[k] = Math.max(high[k], metres * objectBox[i]);
  }
  const random = seededRandom(seed);
  const size = Math.max(...low.map((x, k) => high[k] - x));
  const corner = (from: readonly number[]) =>
    from.map((x, k) => {
      const leg = LEG_SHARE * size * (2 * random() - 1);
      return Math.min(high[k], Math.max(low[k], x + (k === 2 ? 0.3 * leg : leg)));
    });
  let points = [low.map((x, k) => x + random() * (high[k] - x))];
  while (points.length < 4) points.push(corner(points[points.length - 1]));
  const steps: number[][] = [];
  let t = 0;
  while (steps.length < count) {
    const [p0, p1, p2, p3] = points as [number[], number[], number[], number[]];
    const at = [0, 1, 2].map((k) => spline(p0[k], p1[k], p2[k], p3[k], t));
    const along = [0, 1, 2].map((k) => splineSlope(p0[k], p1[k], p2[k], p3[k], t));
    const horizontal = Math.hypot(along[0], along[1]);
    const [c, s] = horizontal > 0 ? [along[0] / horizontal, along[1] / horizontal] : [1, 0]; // vertical, or at rest
    steps.push([c, -s, 0, s, c, 0, 0, 0, 1, ...at]);
    t += (SPEED * INTERVAL) / Math.max(Math.hypot(...along), 1e-9);
    if (t >= 1) {
      t = 0;
      points = [p1, p2, p3, corner(p3)];
    }
  }
  return { steps, interval: INTERVAL };
}

/** Catmull–Rom between p1 and p2. */
function spline(p0: number, p1: number, p2: number, p3: number, t: number): number {
  const [a, b, c] = [0.5 * (p2 - p0), p0 - 2.5 * p1 + 2 * p2 - 0.5 * p3, 0.5 * (p3 - p0) + 1.5 * (p1 - p2)];
  return p1 + t * (a + t * (b + t * c));
}

function splineSlope(p0: number, p1: number, p2: number, p3: number, t: number): number {
  const [a, b, c] = [0.5 * (p2 - p0), p0 - 2.5 * p1 + 2 * p2 - 0.5 * p3, 0.5 * (p3 - p0) + 1.5 * (p1 - p2)];
  return a + t * (2 * b + t * 3 * c);
}
