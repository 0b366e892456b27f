/**
 * impinge/gpu: potentially colliding sets by visibility, and the triangles that meet in them, on a GPU or without one;
 * the same behind `collideAll` and the deformables.
 */
export { VisibilityCuller } from './gpu/culler.js';
export { type GpuRequest, requestGpu } from './gpu/request-gpu.js';
export type {
  BackendKind,
  ClosestPair,
  CulledCandidates,
  CulledObject,
  CulledObjectOptions,
  CulledPairs,
  CullerDistanceOptions,
  CullerOptions,
  CullerWithinOptions,
  CullingDevice,
  CullingLevel,
  CullingMethod,
  CullingStats,
  CullingTimes,
  LevelStats,
  PotentiallyCollidingSet,
} from './gpu/types.js';
export { BROAD_PHASES } from './query/scene/broad-phases.js';
export type { Engine, EngineChoice } from './query/scene/culling-engine.js';
export {
  type CulledTrianglePairs,
  DeformableCuller,
  type DeformableCullerOptions,
} from './query/scene/deformable-culler.js';
export { SceneCuller, type SceneCullerOptions, type SceneCullerResult } from './query/scene/scene-culler.js';
