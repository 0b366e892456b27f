/** Exports to the host for pieces. */
export { inspectTree, pageChecksum, unpackPage } from '../../../impinge/kernels/page';
export { scratchBytes, setScratch } from '../../../impinge/kernels/scratch';
export { extractCorners, numberUp, weldCorners } from './extract';
export { makePages, makeTop } from './page';
export { gatherCorners, sortCorners, widenBox } from './sort';
