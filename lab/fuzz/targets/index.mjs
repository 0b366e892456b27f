/** All readers, by the name that `--format` takes. */
import { CAD_TARGETS } from './cad.mjs';
import { LEVELS_TARGETS } from './levels.mjs';
import { LIBRARY_TARGETS } from './library-formats.mjs';
import { MODEL_TARGETS } from './models.mjs';
import { OWN_TARGETS } from './own-files.mjs';
import { REVIEW_TARGETS } from './reviews.mjs';

/** A target with `skipped` cannot run here, for that reason. */
export const TARGETS = {
  ...MODEL_TARGETS,
  ...LIBRARY_TARGETS,
  ...CAD_TARGETS,
  ...OWN_TARGETS,
  ...LEVELS_TARGETS,
  ...REVIEW_TARGETS,
};
