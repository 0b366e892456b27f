/** Exports to the host for bodies of point masses and springs. */
export { descend, invertOwn } from './descent';
export { go, imbalance, linearise, press, stored } from './forces';
export { openSprings, setScratch, scratchBytes } from './layout';
