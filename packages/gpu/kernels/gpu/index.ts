/** Everything the host of culling on the CPU may call. */
export { findPairs, splitTasks } from './pairs';
export { boundObjects, fitTree, placeGroups, placeObjects } from './place';
export { disorder, fitScene, orderTriangles, pairObjects } from './scene';
export { scratchBytes, setScratch } from './scratch';
