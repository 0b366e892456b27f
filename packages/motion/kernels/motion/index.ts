/** Exports to the host for poses and motions of a body beside one obstacle, and for configurations of mechanisms. */
export { scratchBytes, setScratch } from '../../../impinge/kernels/scratch';
export { checkConfigurations } from './configurations';
export { checkPoses } from './poses';
export { checkMotion } from './motion';
