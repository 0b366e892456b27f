/** Exports to the host for convex hulls. */
export { farthestAlong } from './along';
export { hullDistance } from './hull-distance';
export { allowedNear, answerHulls, beginHulls, measureOfNodes, refineHulls, reportHulls } from './hull-walk';
export { scratchBytes, setScratch } from './scratch';
