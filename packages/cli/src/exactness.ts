/** The exactness of a model, for people: its tessellation error. */
import type { StoredModel } from '@impinge/model';
import { decimal, type Terminal } from './terminal.js';

/**
 * Maximum distance of facets from the curved surfaces that they approximate, in metres; 0 if no curved surface is
 * known.
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
