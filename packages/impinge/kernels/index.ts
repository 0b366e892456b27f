/** Everything the host may call. */
export { buildTopology, buildTreelet, widenRadius, writeCentre, writeRecords } from './build';
export { alignAxes, computeRanges, fitRange, fitSubtrees, fitUpperBlocks } from './fit';
export { scratchBytes, setScratch } from './scratch';
export { collide, selfCollide, within } from './pairs';
export { closest } from './closest';
export { stretchedClosest, stretchedWithin } from './stretched';
export { inspectMesh, inspectPositions, inspectTree, pageChecksum, unpackPage } from './page';
export { listTriangles, smallBytes, smallPair } from './small';
export { keepNear, smallPairs } from './small-batch';
export { boxesBytes, writeBoxes } from './ordered-boxes';
