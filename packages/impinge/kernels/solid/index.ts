/**
 * Everything the host may ask about solids: where points lie, how deep two of them are in each other, how they meet.
 */
export { deepest } from './deepest';
export { describePairs } from './meeting';
export { closestTo } from './point-nearest';
export { crossRay } from './point-side';
export { scratchBytes, setScratch } from './scratch';
export { sharedWidth } from './shared-width';
