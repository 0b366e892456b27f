/** How exact a model is, for people: what its facets may hide. */
import type { StoredModel } from '@impinge/model';
import { decimal, type Terminal } from './terminal.js';

/**
 * How far facets may be from the curved surfaces that they stand for, in metres; 0 where nothing is known to be curved.
 */
export function curveErrorOf({ directory, meta }: StoredModel): number {
  return meta.metresPerUnit * directory.objectCurveError.reduce((most, error) => Math.max(most, error), 0);
}

export function printExactness(model: StoredModel, { out }: Terminal): void {
  const error = curveErrorOf(model);
  if (error === 0) return;
  const millimetres = decimal(Number((1000 * error).toPrecision(2)));
  out(
    `  facets are up to ${millimetres} mm off the curved surfaces that they approximate (--curve-error): ` +
      'for each of the two objects, gaps may be smaller and overlaps deeper by that much\n',
  );
}
