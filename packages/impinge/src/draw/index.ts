/** `impinge/draw`: which pieces of a model with levels to draw, and which to load for that. */
export type { DrawCamera } from './camera.js';
export { Drawing } from './drawing.js';
export { type PieceArrays, type ReadPiecesOptions, readPieces } from './read-pieces.js';
export type { LevelPieces } from './steps.js';
export type {
  DrawingOptions,
  DrawnPieces,
  LevelModel,
  LevelSelection,
  SelectionStats,
  SelectLevelsOptions,
} from './types.js';
