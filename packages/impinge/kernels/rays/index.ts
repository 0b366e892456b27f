/** Exports to the host for rays: building box trees and casting rays. */
export { copyIndices, copyReferences, fitBoxes } from './box-tree';
export { castRays } from './cast';
export { orderRays, rayKeys, takeRays } from './ray-keys';
export { scratchBytes, setScratch } from './scratch';
