/** Everything the host may have done to rigid bodies and their contacts. */
export { openIsland, openSystem, scratchBytes, setScratch } from './layout';
export { accelerate, advance, orient } from './motion';
export { rebound } from './rebound';
export { measure, payRecovery, sumImpulses, warmStart, writeApproaches, writeRows } from './rows';
export { goOn, sweep } from './sweep';
