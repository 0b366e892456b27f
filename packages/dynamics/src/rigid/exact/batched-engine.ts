/** Engines whose contacts kernels find, those of many pairs together. */
import type { ContactEngine } from '../contact-engine.js';
import type { PairBlock } from './pair-block.js';

export interface BatchedEngine extends ContactEngine {
  /** The kernels' data about the pair, while kernels find its contacts. */
  readonly block: PairBlock | undefined;
}
