/** Everything that reads files, by the name that `--format` takes. */
import { MODEL_TARGETS } from './models.mjs';
import { OWN_TARGETS } from './own-files.mjs';

export const TARGETS = { ...MODEL_TARGETS, ...OWN_TARGETS };
