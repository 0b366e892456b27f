/** Things to take apart: bodies that only leave each other by narrow passages of any width. */
export { interlockedRings, type OpenRingOptions, openRing } from './open-ring.js';
export { type SlottedPlateOptions, slottedPlate } from './slotted-plate.js';
