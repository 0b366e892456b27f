/**
 * impinge/gpu: potentially colliding sets by visibility, and the triangles that meet in them, on a GPU or without one;
 * the same behind `collideAll` and the deformables.
 */
export * from './gpu/index.js';
export type { Engine, EngineChoice } from './query/culling-engine.js';
export {
  type CulledTrianglePairs,
  DeformableCuller,
  type DeformableCullerOptions,
} from './query/deformable-culler.js';
export { SceneCuller, type SceneCullerOptions, type SceneCullerResult } from './query/scene-culler.js';
