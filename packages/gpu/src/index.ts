/**
 * @impinge/gpu: potentially colliding sets by visibility, and the triangles that meet in them, on a GPU or without one;
 * the same behind `collideAll` and the deformables.
 */
export { VisibilityCuller } from './culler.js';
export type { Engine, EngineChoice } from './culling-engine.js';
export {
  type CulledTrianglePairs,
  DeformableCuller,
  type DeformableCullerOptions,
} from './deformable-culler.js';
export { type GpuRequest, requestGpu } from './request-gpu.js';
export { SceneCuller, type SceneCullerOptions, type SceneCullerResult } from './scene-culler.js';
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
  CullingMethod,
  CullingStage,
  CullingStats,
  CullingTimes,
  PotentiallyCollidingSet,
  StageStats,
} from './types.js';
export { webCullingDevices } from './web-devices.js';
