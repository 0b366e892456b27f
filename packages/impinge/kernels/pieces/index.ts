/** Everything the host of pieces may call. */
export { scratchBytes, setScratch } from '../scratch';
export { extractCorners, weldCorners } from './extract';
export { edgeParity, makePages } from './page';
export { sortCorners, widenBox } from './sort';
