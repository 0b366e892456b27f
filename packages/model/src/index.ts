/**
 * @impinge/model: models larger than memory. Stores and their levels, checks by rules, sessions of moving bodies, and
 * which pieces to draw.
 */

export { FARTHEST, reachOf } from 'impinge/internal/mesh/reach.js';
export { type BlockedAccess, blockedClash } from './check/access-clash.js';
export {
  CHECK_DEFAULTS,
  type CheckBatch,
  type CheckOptions,
  type CheckProgress,
  CheckRun,
  type CheckStats,
  check,
  type ExcludedClash,
  type ExcludedPair,
  type RuleStats,
} from './check/check.js';
export type { Clash, ClashForm, ClashMeasure, ClashObject } from './check/clash.js';
export {
  CLASH_KIND_TABLE,
  CLASH_KINDS,
  type ClashKind,
  type ClashKindInfo,
} from './check/clash-kinds.js';
export type { ExclusionChoice } from './check/exclusions/exclusions.js';
export { EXCLUSION_TABLE, EXCLUSIONS, type Exclusion } from './check/exclusions/table.js';
export type { KnownPair, KnownPairs } from './check/known-pairs.js';
export { type MeasureOptions, measure } from './check/measure.js';
export {
  ObjectCheck,
  type ObjectCheckOptions,
  type ObjectClash,
  type ObjectQuestion,
} from './check/object-check.js';
export { HOST_CLASSES, OPENING_SLACK, SERVICE_CLASSES } from './check/openings/services.js';
export { patternProblem } from './check/rules/glob-pattern.js';
export type {
  CheckRule,
  Pattern,
  PropertyTest,
  Selection,
  SelectionSets,
  Selector,
} from './check/rules/rule.js';
export { countObjects, selectObjects } from './check/rules/rule-model.js';
export { SELECTOR_KEYS } from './check/rules/selection.js';
export { ZONE_KEYS, ZONE_SIZES, type Zone, type ZoneSizes } from './check/zones/zone.js';
export type { DrawCamera } from './draw/camera.js';
export { Drawing } from './draw/drawing.js';
export type {
  DrawingOptions,
  DrawnPieces,
  ErrorNear,
  LevelModel,
  LevelPieces,
  LevelSelection,
  SelectionStats,
  SelectLevelsOptions,
} from './draw/types.js';
export { type LevelsStats, LevelsTarget, type Patch } from './level-queries/levels-target.js';
export type { Originals } from './level-queries/originals-near.js';
export type { GroupTask, LevelsPool, SimplifiedGroup } from './levels/group-task.js';
export {
  SESSION_DEFAULTS,
  Session,
  type SessionOptions,
  type SessionTarget,
} from './session/session.js';
export type {
  SessionBody,
  SessionContact,
  SessionContacts,
  SessionDistance,
  SessionHit,
  SessionHits,
  SessionPenetration,
  SessionPenetrations,
  SessionPiece,
  SessionPlace,
  SessionSurroundings,
} from './session/session-body.js';
export {
  STORED_TARGET_DEFAULTS,
  StoredTarget,
  type StoredTargetOptions,
} from './session/stored-target.js';
export { type BuildLevelsOptions, buildLevels, type LevelsObject } from './store/build-levels.js';
export { frontOf } from './store/front.js';
export {
  type LeftOut,
  PIECE_TRIANGLES,
  type StoreGeoreference,
  type StoreGrid,
  type StoreGridAxis,
  type StoreMeta,
  type StoreOpening,
  type StoreRoom,
  type StoreSourceFile,
  type StoreStorey,
} from './store/layout.js';
export { StoredModel } from './store/model.js';
export { openStore } from './store/open.js';
export { MemorySink, MemorySource, type PageSink, type PageSource } from './store/page-source.js';
export { type PieceArrays, type ReadPiecesOptions, readPieces } from './store/read-pieces.js';
export {
  type IndexedTriangles,
  isIfcGuid,
  LABEL_KINDS,
  type LabelKind,
  OBJECT_TEXTS,
  type ObjectInfo,
  type ObjectLabels,
  type ObjectRelations,
  type ObjectText,
  type PropertyValue,
  type RelationKind,
  type ShapeArrays,
  type ShapeStream,
  type SourceObject,
  type SourceShape,
} from './store/source.js';
export type { Spill, SpillFile } from './store/spill.js';
export { openStoreUrl, UrlSource } from './store/url-source.js';
export { type LevelsProgress, StoreWriter, type StoreWriterOptions } from './store/writer.js';
