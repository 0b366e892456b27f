/** Deforming, turning and breaking things as they stand before anything moves; see each scene's type. */
export { type BreakingOptions, type BreakingScene, breaking, standing } from './breaking.js';
export { bunny } from './bunny.js';
export { type ClothBallOptions, type ClothBallScene, clothBall, type Turn, turnedAt } from './cloth-ball.js';
export { type ClothBunnyOptions, type ClothBunnyScene, clothBunny } from './cloth-bunny.js';
export { growth, type MovingMesh } from './growth.js';
export type { Lattice } from './lattice.js';
export { alphabet, type LetterShape } from './letter.js';
export { type LettersOptions, type LettersScene, letters, type PlacedLetter } from './letters.js';
export { mixedSizes } from './mixed-sizes.js';
export type { SceneMesh, ScenePose } from './scene-mesh.js';
export { START_GAP } from './surfaces.js';
export { type ToriOptions, type ToriScene, tori } from './tori.js';
