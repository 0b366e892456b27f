/** Everything the host of the deformables may call. */
export { scratchBytes, setScratch } from './scratch';
