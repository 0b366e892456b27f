/**
 * Exports to the host for solids: where points lie, how deep two solids are in each other, how their triangles meet.
 */
export { deepest } from './deepest';
export { describePairs } from './meeting';
export { closestTo } from './point-nearest';
export { crossRay } from './point-side';
export { scratchBytes, setScratch } from './scratch';
export { sharedWidth } from './shared-width';
