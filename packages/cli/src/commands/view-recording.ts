/** The recording that `impinge view --replay` shows. */
import type { StoredModel } from '@impinge/model';
import { CommandError } from '../command-error.js';
import { readBytes } from '../regular-file.js';
import type { Replayed } from '../server/view-manifest.js';
import { type RecordedRun, readRecording } from '../wire/recording.js';

const MAX_BYTES = 2 ** 30;

/** The recording as the page reads it; a flight that was not made with this model is refused. */
export async function readReplayed(path: string, model: StoredModel, isModel: boolean): Promise<Replayed> {
  const bytes = await readBytes(path, MAX_BYTES);
  let run: RecordedRun;
  try {
    run = readRecording(bytes);
  } catch (error) {
    throw new CommandError(`${path}: ${(error as Error).message}`);
  }
  const { flight } = run;
  if (flight && isModel)
    throw new CommandError(`${path}: is a flight through ${flight.model}: name that model, too`);
  const isKnown = flight?.steps.every(({ hits }) => hits.every(({ object }) => object < model.objectCount));
  if (flight && (!isKnown || flight.metresPerUnit !== model.meta.metresPerUnit))
    throw new CommandError(`${path}: is a flight through another model: ${flight.model}`);
  return { bytes, isModel };
}
