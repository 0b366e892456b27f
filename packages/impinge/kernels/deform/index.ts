/** Everything the host of the deformables may call. */
export { testEdgeEdges, testVertexFaces } from './ccd';
export { boundClusters, listTriangles, markClusters } from './clusters';
export { cullElements } from './element';
export { gatherHits, writeEvents } from './events';
export { cutCells, sortCells, writeKeys, writePacks } from './grid';
export { splitNeighbours } from './neighbours';
export { cullPrimitives } from './primitive';
export { judgeRings, markFans } from './rings';
export { scratchBytes, setScratch } from './scratch';
export { sweepVertices } from './sweep';
export { cullTree, fitLeaves, fitNodes, sortTreeKeys, writeTreeKeys } from './tree';
