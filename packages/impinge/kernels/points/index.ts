/** Everything the host may ask about points: what is closest to them, how much of the surroundings a mesh fills. */
export { scratchBytes, setScratch } from '../rays/scratch';
export { nearestPoints } from './nearest';
export { windingNumbers } from './winding';
