/**
 * Exports to the host for shapes: which triangles they meet, which is closest, and which they touch first in motion.
 */
export { meetShape, meetSpheres } from './meet';
export { nearestShape } from './nearest';
export { placeBox } from './place-box';
export { scratchBytes, setScratch } from './scratch';
export { sweepShape } from './sweep';
