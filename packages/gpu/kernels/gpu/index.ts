/** Exports to the host for culling on the CPU. */
export { findPairs, splitTasks } from './pairs';
export { boundObjects, fitTree, placeBlocks, placeObjects } from './place';
export { disorder, fitScene, orderTriangles, pairObjects } from './scene';
export { scratchBytes, setScratch } from './scratch';
