/** Everything the host may ask about rays and points: boxes of trees, what rays meet. */
export { copyReferences, fitBoxes } from './box-tree';
export { castRays } from './cast';
export { scratchBytes, setScratch } from './scratch';
