/** Exports to the host for meshes and trees. */
export { buildTopology, buildTreelet, widenRadius, writeCentre, writeRecords } from './build';
export { alignAxes, computeRanges, fitRange, fitSubtrees, fitUpperBlocks } from './fit';
export { scratchBytes, setScratch } from './scratch';
export { inspectMesh, inspectPositions } from './page';
