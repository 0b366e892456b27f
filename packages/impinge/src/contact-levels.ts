/**
 * impinge/contact-levels: models as trees of convex hulls that are coarser and coarser surfaces at once, so that
 * contacts are found as finely as they need to be.
 */
export { buildContactLevels, type ContactLevelsOptions } from './contact-levels/build.js';
export { ContactLevels } from './contact-levels/contact-levels.js';
export type { AllowedOptions, Motion } from './query/contact-levels/allowance.js';
export {
  type Budget,
  ContactPair,
  type ContactPairDistanceOptions,
  type ContactPairDistanceResult,
  type ContactPairOptions,
  type ContactPairResult,
  type HullContact,
  type LevelsReached,
} from './query/contact-levels/contact-pair.js';
