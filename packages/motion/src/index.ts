/**
 * @impinge/motion: whether bodies move freely, proved for the whole motion, and paths of such motions.
 */

export type { Bounds } from './bounds.js';
export type { Part } from './disassembly/assembly.js';
export {
  type AllowedBetween,
  type DisassembleOptions,
  type DisassembleResult,
  disassemble,
  verifyDisassembly,
} from './disassembly/disassemble.js';
export type { Blocking, DisassemblyStep, PartMove } from './disassembly/sequence.js';
export type { MotionContact, MotionVerdict } from './edge-search.js';
export type { AllowedDepth } from './held-pair.js';
export { type AllowedPairs, type AllowedPairsOptions, allowedPairs } from './mechanism/allowed-pairs.js';
export type { MeetingPair } from './mechanism/body-pair.js';
export { configurationsFree } from './mechanism/configurations-free.js';
export type { EdgeOptions, EdgeResult } from './mechanism/edge-proof.js';
export { type ReadRobotOptions, readDisabledPairs, readRobot } from './mechanism/files/read-robot.js';
export type { OpenedFile, RobotFiles } from './mechanism/files/robot-meshes.js';
export type { AllowedBetweenBodies, JointContact } from './mechanism/hold-pair.js';
export { type AttachedObject, type AttachOptions, freeBody, Mechanism } from './mechanism/mechanism.js';
export type {
  JointData,
  JointType,
  LinkData,
  LinkShape,
  MechanismData,
} from './mechanism/mechanism-data.js';
export { MechanismSpace, type MechanismSpaceOptions } from './mechanism/mechanism-space.js';
export { type MotionFreeOptions, type MotionFreeResult, motionFree } from './motion-free.js';
export type { Obstacles } from './obstacles.js';
export { type PlaceOptions, type PlaceResult, type PlaceStats, place, placeAll } from './place/place.js';
export {
  type FindJointPathOptions,
  type FindJointPathResult,
  findJointPath,
  type JointPath,
  verifyJointPath,
} from './plan/find-joint-path.js';
export {
  type FindPathOptions,
  type FindPathResult,
  findPath,
  type MotionPath,
  verifyPath,
} from './plan/find-path.js';
export type { PlannerName } from './plan/planners.js';
export {
  type BodyRoadmapOptions,
  type JointRoadmapOptions,
  makeJointRoadmap,
  makeRoadmap,
  type Roadmap,
  type RoadmapOptions,
  type RoadmapQuestion,
} from './plan/roadmap.js';
export type { PathOptions, PathProgress, PathResult, PathStats, SearchOptions } from './plan/search-path.js';
export type { Upright } from './plan/upright.js';
export type { JointPathCertificate, PathCertificate } from './plan/verify-path.js';
export { type PosesFreeOptions, posesFree } from './poses-free.js';
export { type FindWalkOptions, type FindWalkResult, findWalk, verifyWalk } from './walk/find-walk.js';
export type { Walk } from './walk/walk-space.js';
