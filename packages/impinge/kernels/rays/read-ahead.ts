/** Reads data that will be needed soon, so that it has arrived by then; nothing waits for these reads. */
import { isLeaf, leafStart } from '../layout';
import { BOX_BLOCK_BYTES } from './layout';

/**
 * Reads from the first two cache lines of a reference's data. The caller must store the result, or the compiler removes
 * the read.
 */
// @ts-ignore: decorator
@inline export function readAhead(ref: u32, blocks: usize, corners: usize): u32 {
  const at = isLeaf(ref) ? corners + 36 * <usize>leafStart(ref) : blocks + BOX_BLOCK_BYTES * <usize>ref;
  return load<u32>(at) | load<u32>(at, 64);
}
