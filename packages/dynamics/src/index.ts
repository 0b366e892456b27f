/**
 * @impinge/dynamics: bodies that move, touch, rest, deform and break, and never pass through each other; contacts of
 *   deforming surfaces during a step; contacts of adaptive resolution.
 */
export type { Body, BodyHandle, Frame } from './bodies/body.js';
export {
  BREAKABLE_DEFAULTS,
  type BreakableBody,
  type BreakableOptions,
  breakable,
} from './bodies/breaking.js';
export { CLOTH_DEFAULTS, type ClothOptions, cloth } from './bodies/cloth.js';
export type { BodyContact, ContactPoint } from './bodies/contact-record.js';
export type { ContactEvent } from './bodies/contact-report.js';
export type { MassOptions } from './bodies/given-mass.js';
export type { Collides } from './bodies/pair-filter.js';
export { pushBodies } from './bodies/push-bodies.js';
export {
  RIGID_BODY_DEFAULTS,
  type RigidBody,
  type RigidBodyOptions,
  type RigidMotionOptions,
  rigidBody,
} from './bodies/rigid-body.js';
export {
  fixedBody,
  kinematicBody,
  type MotionPath,
  type SceneryBody,
  type SceneryOptions,
} from './bodies/scenery.js';
export { ShapeMatchingBody } from './bodies/shape-matching.js';
export {
  type LatticeSurface,
  type PlacedShape,
  SHAPE_MATCHING_DEFAULTS,
  ShapeMatchingBodies,
  type ShapeMatchingBodiesOptions,
} from './bodies/shape-matching-bodies.js';
export { type Fracture, SHATTER_DEFAULTS, type ShatterOptions, shatter } from './bodies/shatter.js';
export { Simulation } from './bodies/simulation.js';
export {
  type ContactOptions,
  type ParallelStepOptions,
  SIMULATION_DEFAULTS,
  type SimulationOptions,
} from './bodies/simulation-options.js';
export { SOFT_VOLUME_DEFAULTS, type SoftVolumeOptions, softVolume } from './bodies/soft-volume.js';
export type { StateArray, StateReader, StateWriter } from './bodies/state-bytes.js';
export type { StepReport, StepTimes } from './bodies/step-report.js';
export type { SurfaceArrays, SurfaceSource } from './bodies/surface-input.js';
export type { Touch, TouchOptions } from './bodies/touch.js';
export { buildContactLevels, type ContactLevelsOptions } from './contact-levels/build.js';
export { ContactLevels } from './contact-levels/contact-levels.js';
export {
  ContactPair,
  type ContactPairDistanceOptions,
  type ContactPairDistanceResult,
  type ContactPairOptions,
  type ContactPairReached,
  type ContactPairResult,
  type HullContact,
} from './contact-pairs/contact-pair.js';
export { Deformables } from './deform/deformables.js';
export { EDGE_EDGE, VERTEX_FACE } from './deform/layout.generated.js';
export type {
  CandidatePairs,
  CandidateSource,
  CloseOptions,
  ContactEvents,
  DeformablesOptions,
  DeformStats,
  Detector,
  ParallelContactsOptions,
  StageTimes,
  StandingSurface,
  StepOptions,
  Surface,
  SurfaceBroadPhase,
  SurfaceInput,
  SurfaceKind,
  TrianglePairs,
} from './deform/types.js';
export { type BodyLook, Recording, type RecordingOptions } from './recording/recording.js';
export type { AllowedError } from './rigid/contact-error.js';
export type { ContactLevelsReport } from './rigid/engines/step-levels.js';
export type { JointHandle, JointKind, JointMotor, JointOptions } from './rigid/joint.js';
export type { BodySource, CompoundShape, SolidShape } from './rigid/shapes/read-solid.js';
export {
  STORED_BODY_DEFAULTS,
  type StoredBodyOptions,
  type StoredOptions,
  type StoredSceneryOptions,
  storedBody,
  storedScenery,
} from './rigid/stored/stored-body.js';
