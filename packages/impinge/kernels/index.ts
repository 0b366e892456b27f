/** Everything the host may call. */
export { buildTopology, buildTreelet, widenRadius, writeCentre, writeRecords } from './build';
export { alignAxes, computeRanges, fitRange, fitSubtrees, fitUpperBlocks } from './fit';
export { scratchBytes, setScratch } from './scratch';
export { collide } from './collide';
export { closest } from './closest';
export { within } from './within';
export { selfCollide } from './self';
export { edgeParity, inspectMesh, inspectTree, pageChecksum } from './page';
export { crossRay } from './point';
export { deepest } from './deepest';
export { smallBytes, smallPair } from './small';
export { describePairs } from './meeting';
