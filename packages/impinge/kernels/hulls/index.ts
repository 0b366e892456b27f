/** Everything the host may ask about convex hulls. */
export { hullDistance } from './hull-distance';
export { nearHulls } from './hull-walk';
export { scratchBytes, setScratch } from './scratch';
