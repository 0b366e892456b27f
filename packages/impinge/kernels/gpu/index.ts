/** Everything the host of culling on the CPU may call. */
export { findPairs, splitTasks } from './pairs';
export { boundObjects, boxParts, emptyDropped, fitTree, placeGroups, placeObjects } from './place';
export { disorder, fitScene, keepTasks, orderTriangles, pairObjects } from './scene';
export { scratchBytes, setScratch } from './scratch';
export { countKept, dropFree, gatherFree, queryView, splitView, viewBytes } from './visibility';
