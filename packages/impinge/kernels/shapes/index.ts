/**
 * Everything the host may ask about shapes: what they meet, what is closest to them, what they touch first as they
 * move.
 */
export { meetShape, meetSpheres } from './meet';
export { nearestShape } from './nearest';
export { placeBox } from './place-box';
export { scratchBytes, setScratch } from './scratch';
export { sweepShape } from './sweep';
