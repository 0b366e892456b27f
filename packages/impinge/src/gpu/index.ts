/** Potentially colliding sets, and the triangles that meet in them, by visibility: on a GPU, or without one. */
export { VisibilityCuller } from './culler.js';
export { type GpuRequest, requestGpu } from './request-gpu.js';
export type {
  BackendKind,
  ClosestPair,
  CulledObject,
  CulledObjectOptions,
  CulledPairs,
  CullerOptions,
  CullingDevice,
  CullingLevel,
  CullingMethod,
  CullingStats,
  CullingTimes,
  LevelStats,
  PotentiallyCollidingSet,
} from './types.js';
