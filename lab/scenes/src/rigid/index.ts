/** Scenes of rigid bodies in their start positions. */
export { type DominoesOptions, dominoes } from './dominoes.js';
export { type GearsOptions, type GearsScene, gears } from './gears.js';
export { type NutBoltOptions, nutBolt } from './nut-bolt.js';
export { type PileOptions, type PileScene, pile } from './pile.js';
export { type PyramidOptions, pyramid } from './pyramid.js';
export type {
  PlacedBody,
  RigidScene,
  RigidShape,
  SceneHinge,
  ScenePoint,
  SceneTorque,
  SceneTurn,
} from './rigid-scene.js';
export {
  type NumbersBowlOptions,
  numbersBowl,
  type SettlingOptions,
  spoonCup,
  torusPeg,
} from './settling.js';
