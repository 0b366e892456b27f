/** The recorded flight that `impinge view --replay` shows. */
import type { StoredModel } from '@impinge/model';
import { CommandError } from '../command-error.js';
import { readBytes } from '../regular-file.js';
import { type FlightRecord, readFlightRecord } from '../wire/flight-record.js';

const MAX_BYTES = 2 ** 28;

/** The recording as the page reads it; one that was not made with this model is refused. */
export async function readFlight(path: string, model: StoredModel): Promise<Uint8Array> {
  const bytes = await readBytes(path, MAX_BYTES);
  let record: FlightRecord;
  try {
    record = readFlightRecord(Buffer.from(bytes).toString());
  } catch (error) {
    throw new CommandError(`${path}: ${(error as Error).message}`);
  }
  const { steps, metresPerUnit, model: name } = record;
  if (steps.length === 0) throw new CommandError(`${path}: the flight has no steps`);
  const isKnown = steps.every(({ hits }) => hits.every(({ object }) => object < model.objectCount));
  if (!isKnown || metresPerUnit !== model.meta.metresPerUnit)
    throw new CommandError(`${path}: is a flight through another model: ${name}`);
  return bytes;
}
