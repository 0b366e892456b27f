/** Exports to the host for levels. */
export { boxBytes } from './boxes';
export { coverCurrent, coverFinest, joinCurrent, joinFinest } from './cover';
export { orderTriangles } from './order';
export { scratchBytes, setScratch } from './scratch';
export { collapseTo, linkCorners, prepareCollapses } from './simplify';
