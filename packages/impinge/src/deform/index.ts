/** Deforming, rigid and static surfaces: where they come into contact during a step, with themselves and each other. */
export { Deformables } from './deformables.js';
export type {
  CandidatePairs,
  CandidateSource,
  CloseOptions,
  ContactEvents,
  DeformablesOptions,
  DeformStats,
  Detector,
  ParallelStepOptions,
  StageTimes,
  StandingSurface,
  StepOptions,
  Surface,
  SurfaceBroadPhase,
  SurfaceInput,
  SurfaceKind,
  TrianglePairs,
} from './types.js';
export { EDGE_EDGE, VERTEX_FACE } from './types.js';
