/** The recording of a flight, as wire/flight-record.ts describes it. */
import type { FlightRecord } from '@impinge/cli/internal/wire/flight-record.js';
import type { Flight } from '../jobs/flight.js';

/** Digits of a coordinate, for drawing. */
const DIGITS = 7;

interface Surface {
  readonly positions: Iterable<number>;
  readonly indices: Iterable<number>;
}

export function flightRecord(
  flight: Flight,
  of: Pick<FlightRecord, 'model' | 'metresPerUnit' | 'interval'>,
  surfaces: readonly Surface[],
): FlightRecord {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const surface of surfaces) {
    const first = positions.length / 3;
    for (const v of surface.indices) indices.push(first + v);
    for (const x of surface.positions) positions.push(Number(x.toPrecision(DIGITS)));
  }
  const steps = flight.steps.map(({ waits, ...step }) => step);
  return { version: 1, ...of, body: { positions, indices }, steps };
}
