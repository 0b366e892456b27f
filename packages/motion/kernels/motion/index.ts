/** Exports to the host for poses and motions of a body beside one obstacle. */
export { scratchBytes, setScratch } from '../../../impinge/kernels/scratch';
export { checkPoses } from './poses';
export { checkMotion } from './motion';
