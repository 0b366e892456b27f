/** Exports to the host for many pairs of trees at once: boxes and patches near each other, the closest triangles. */
export { closestOf } from './closest-of';
export { walkBoxes } from './near-boxes';
export { nearPatches } from './near-patches';
export { scratchBytes, setScratch } from './scratch';
