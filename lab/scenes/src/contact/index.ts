/**
 * Objects that slide, settle and rest in each other: closed surfaces of one or more solids, in metres, y up, in the
 * sizes of the CLOD paper. The spoon fits into the cup, the torus onto the peg, the numbers into the bowl.
 */
export { bowl } from './bowl.js';
export { cup } from './cup.js';
export { numbers } from './numbers.js';
export { spiralPeg } from './spiral-peg.js';
export { spoon } from './spoon.js';
export { wrinkledTorus } from './wrinkled-torus.js';
