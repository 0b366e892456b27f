/** Everything the host of pieces may call. */
export { extractCorners, weldCorners } from './extract';
export { sortCorners, widenBox } from './sort';
export { scratchBytes, setScratch } from './scratch';
