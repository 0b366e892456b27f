/** Exports to the host for pairs of meshes. */
export { scratchBytes, setScratch } from '../scratch';
export { collide, selfCollide, within } from '../pairs';
export { closest } from '../closest';
export { stretchedClosest, stretchedWithin } from '../stretched';
export { listTriangles, smallBytes, smallPair } from '../small';
export { keepNear, smallPairs } from '../small-batch';
export { boxesBytes, writeBoxes } from '../ordered-boxes';
