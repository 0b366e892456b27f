/**
 * impinge/levels: stored models asked with an error, coarser where that is enough. `buildLevels` and `impinge pack
 * --levels` make them, `impinge/draw` draws them.
 */
export {
  type LevelContactRegion,
  type LevelContactsOptions,
  type LevelContactsResult,
  levelContacts,
} from './query/levels/level-contacts.js';
export {
  type LevelPenetrationOptions,
  type LevelPenetrationResult,
  levelPenetration,
} from './query/levels/level-penetration.js';
export { LevelsEngine, type LevelsStats, type Patch } from './query/levels/levels-engine.js';
export type { Originals } from './query/levels/originals-near.js';
