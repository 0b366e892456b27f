/** Everything the host of pieces may call. */
export { scratchBytes, setScratch } from '../../../impinge/kernels/scratch';
export { extractCorners, numberUp, weldCorners } from './extract';
export { edgeParity, makePages, makeTop } from './page';
export { gatherCorners, sortCorners, widenBox } from './sort';
