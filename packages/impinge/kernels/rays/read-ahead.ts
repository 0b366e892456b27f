/** Reading what will be needed soon, so that it has arrived by then: nothing else waits for it meanwhile. */
import { isLeaf, leafStart } from '../layout';
import { BOX_BLOCK_BYTES } from './layout';

/**
 * Some of the first two lines of what a reference stands for. Who gets it must store it somewhere, or the read is left
 * out.
 */
// @ts-ignore: decorator
@inline export function readAhead(ref: u32, blocks: usize, corners: usize): u32 {
  const at = isLeaf(ref) ? corners + 36 * <usize>leafStart(ref) : blocks + BOX_BLOCK_BYTES * <usize>ref;
  return load<u32>(at) | load<u32>(at, 64);
}
