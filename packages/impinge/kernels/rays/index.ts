/** Everything the host may ask about rays: boxes of trees, what rays meet. */
export { copyIndices, copyReferences, fitBoxes } from './box-tree';
export { castRays } from './cast';
export { orderRays, rayKeys, takeRays } from './ray-keys';
export { scratchBytes, setScratch } from './scratch';
