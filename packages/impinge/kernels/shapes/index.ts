/** Everything the host may ask about shapes: what they meet, what is closest to them. */
export { meetShape, meetSpheres } from './meet';
export { nearestShape } from './nearest';
export { scratchBytes, setScratch } from './scratch';
