/** `impinge/dynamics`: bodies that move, touch, rest, break, and never pass through each other. */
export type { Body, BodyHandle, Frame } from './body.js';
export { BREAKABLE_DEFAULTS, type BreakableBody, type BreakableOptions, breakable } from './breaking.js';
export { CLOTH_DEFAULTS, type ClothOptions, cloth } from './cloth.js';
export type { JointHandle, JointMotor, JointOptions } from './rigid/joints.js';
export {
  type GivenMass,
  STORED_BODY_DEFAULTS,
  type StoredBodyOptions,
  type StoredOptions,
  type StoredSceneryOptions,
  storedBody,
  storedScenery,
} from './rigid/stored/stored-body.js';
export {
  RIGID_BODY_DEFAULTS,
  type RigidBody,
  type RigidBodyOptions,
  type RigidMotionOptions,
  rigidBody,
} from './rigid-body.js';
export { fixedBody, kinematicBody, type MotionPath, type SceneryOptions } from './scenery.js';
export { ShapeMatchingBody } from './shape-matching.js';
export {
  type LatticeSurface,
  type Placement,
  SHAPE_MATCHING_DEFAULTS,
  ShapeMatchingBodies,
  type ShapeMatchingBodiesOptions,
} from './shape-matching-bodies.js';
export { type Fracture, SHATTER_DEFAULTS, type ShatterOptions, shatter } from './shatter.js';
export { Simulation } from './simulation.js';
export {
  type ContactOptions,
  type ParallelStepOptions,
  SIMULATION_DEFAULTS,
  type SimulationOptions,
} from './simulation-options.js';
export { SOFT_VOLUME_DEFAULTS, type SoftVolumeOptions, softVolume } from './soft-volume.js';
export type { StepReport, StepTimes } from './step-report.js';
export type { SurfaceArrays, SurfaceSource } from './surface-input.js';
