/** Everything the host may ask about patches of surfaces that come near each other. */
export { nearPatches } from './near-patches';
export { scratchBytes, setScratch } from './scratch';
