/** Exports to the host for points: the closest triangle, and winding numbers. */
export { scratchBytes, setScratch } from '../rays/scratch';
export { nearestPoints } from './nearest';
export { windingNumbers } from './winding';
