/** `impinge/store`: models larger than memory, in one file. */
export type { GroupTask, LevelsPool, SimplifiedGroup } from '../levels/group-task.js';
export { FARTHEST, reachOf } from '../mesh/reach.js';
export { type BuildLevelsOptions, buildLevels, type LevelsObject } from './build-levels.js';
export { frontOf } from './front.js';
export {
  type LeftOut,
  PIECE_TRIANGLES,
  type StoreGeoreference,
  type StoreGrid,
  type StoreGridAxis,
  type StoreMeta,
  type StoreSourceFile,
} from './layout.js';
export { StoredModel } from './model.js';
export { openStore } from './open.js';
export { MemorySink, MemorySource, type PageSink, type PageSource } from './page-source.js';
export type {
  IndexedTriangles,
  LabelKind,
  ObjectInfo,
  ObjectLabels,
  ObjectRelations,
  PropertyValue,
  RelationKind,
  ShapeArrays,
  ShapeStream,
  SourceObject,
  SourceShape,
} from './source.js';
export type { Spill, SpillFile } from './spill.js';
export { type LevelsProgress, StoreWriter, type StoreWriterOptions } from './writer.js';
