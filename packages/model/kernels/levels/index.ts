/** Exports to the host for levels. */
export { boxBytes } from './boxes';
export { coverCurrent, coverFinest } from './cover';
export { joinCurrent, joinFiner, joinFinest } from './join';
export { orderTriangles } from './order';
export { scratchBytes, setScratch } from './scratch';
export { collapseTo, linkCorners, prepareCollapses } from './simplify';
