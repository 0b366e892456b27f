/**
 * The radii of solids of revolution: the distance of their farthest point from the axis.
 *
 * Errs: upward. A point of the profile is at most as far from the axis as it is from the origin of the profile, and
 * that is from a point of the axis. Points give their own distance; of a profile with dimensions, nothing is farther
 * from its middle than their sum.
 */
import type { StepLine, StepLines, StepValue } from './engine.js';
import { linesOf, refs } from './step-lines.js';

const TYPES = ['IFCREVOLVEDAREASOLID', 'IFCREVOLVEDAREASOLIDTAPERED', 'IFCSURFACEOFREVOLUTION'] as const;
const PROFILE = 0;
const AXIS = 2;
/** A profile is some ten entities deep at most. */
const MAX_DEPTH = 12;

/** Solid → radius, in the file's unit. */
export async function turnedRadii(engine: StepLines): Promise<Map<number, number>> {
  const radii = new Map<number, number>();
  for (const type of TYPES) {
    for (const { id, values } of await linesOf(engine, await engine.idsOf(type))) {
      const axis = await reachBelow(engine, refs(values[AXIS]));
      radii.set(id, axis + (await reachBelow(engine, refs(values[PROFILE]))));
    }
  }
  return radii;
}

/** The greatest distance from the origin of anything these entities are made of. */
async function reachBelow(engine: StepLines, roots: readonly number[]): Promise<number> {
  const seen = new Set(roots);
  let point = 0;
  let dimensions = 0;
  let reached: readonly number[] = roots;
  for (let depth = 0; depth < MAX_DEPTH && reached.length > 0; depth++) {
    const below = new Set<number>();
    for (const line of await linesOf(engine, reached)) {
      if (line.type === 'IfcDirection') continue;
      if (line.type.startsWith('IfcCartesianPoint')) point = Math.max(point, farthest(line));
      else dimensions = Math.max(dimensions, sumOfNumbers(line.values));
      for (const ref of refs(line.values)) {
        if (!seen.has(ref)) below.add(ref);
        seen.add(ref);
      }
    }
    reached = [...below];
  }
  return point + dimensions;
}

/** The distance of a point, or the greatest of a list of points. */
function farthest({ values }: StepLine): number {
  const of = (value: StepValue | undefined): number => {
    if (!Array.isArray(value)) return 0;
    const numbers = value.filter((x): x is number => typeof x === 'number');
    return numbers.length > 0
      ? Math.hypot(...numbers)
      : value.reduce((most: number, one) => Math.max(most, of(one)), 0);
  };
  return of(values[0]);
}

function sumOfNumbers(values: readonly StepValue[]): number {
  return values.reduce((sum: number, x) => sum + (typeof x === 'number' ? Math.abs(x) : 0), 0);
}
