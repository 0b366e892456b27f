/** Exports to the host for rigid bodies and their contacts. */
export { keepBelow, keepEnergy, keepFromRising, keepWholeEnergy } from './energy';
export { openIsland, openSystem, scratchBytes, setScratch } from './layout';
export { accelerate, advance, drift, kineticEnergy, meanSpeed, orient, pull } from './motion';
export { rebound } from './rebound';
export { beginRows, countMoments, countPushing, forgetImpulses, measure, sumImpulses, warmStart, writeApproaches, writeRows } from './rows';
export { countSweeps, goOn, sweep, sweepFree } from './sweep';
