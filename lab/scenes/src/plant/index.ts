/** An industrial plant of any size with known clashes, a person, and a walk. */
export { type AvatarMesh, type AvatarOptions, avatar } from './avatar.js';
export type { InjectedKind, Truth, TruthClash } from './inject.js';
export { type Walk, type WalkOptions, walk } from './path.js';
export { type Plant, type PlantOptions, type PlantUnit, plant } from './plant.js';
export type { PlantObject, PlantProperty, PlantShape } from './shape.js';
