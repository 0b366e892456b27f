/** Scenes for culling by visibility, frame by frame: the environments of the CULLIDE paper, and larger ones. */
export { type BreakingDragonOptions, breakingDragon } from './breaking-dragon.js';
export { bunnyDragon } from './bunny-dragon.js';
export { type CylindersOptions, cylinders, movingCylinders } from './cylinders.js';
export { BUNNY_TRIANGLES, DRAGON_TRIANGLES, knot, type ScanOptions } from './models.js';
export type { FrameChange, MovingObject, MovingScene } from './moving-scene.js';
export { type ToriOptions, tori } from './tori.js';
