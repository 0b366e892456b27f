/** Exports to the host for deforming surfaces. */
export { testEdgeEdges, testVertexFaces } from './ccd';
export { orderTriangles } from './cluster-order';
export { cullClusters, fillClusters } from './cluster-pairs';
export { boundClusters, findOwnPartners, findPartners, sortPartners, listTriangles, orderSurfaces } from './clusters';
export { boundSides, dropApart } from './cluster-sides';
export { cullElements } from './element';
export { gatherHits, writeEvents } from './events';
export { cutCells, sortCells, writeKeys, writePacks } from './grid';
export { splitNeighbours } from './neighbours';
export { cullPrimitives } from './primitive';
export { judgeRings, markFans } from './rings';
export { scratchBytes, setScratch } from './scratch';
export { sweepPieces, writeDops, writeTriangleDops } from './sweep';
