/**
 * Trees to bytes and back. The bytes are the tree's memory; only the checksum is filled in on the way out.
 */
import { arena } from '../base/arena.js';
import { checksumOf } from '../base/checksum.js';
import { ImpingeError } from '../base/errors.js';
import type { OwnBytes } from '../base/platform-types.js';
import { HierarchyHeader, TREE_HEADER_BYTES } from '../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { assertFitted, Hierarchy } from './hierarchy.js';
import { blockWords } from './layout.js';
import { validateHierarchy } from './validate.js';

/** The whole tree as one transferable buffer. */
export function hierarchyToBytes(tree: Hierarchy): OwnBytes {
  clearUnused(tree);
  const bytes = new Uint8Array(tree.byteLength);
  bytes.set(
    arena()
      .u8()
      .subarray(tree.block, tree.block + bytes.length),
  );
  const header = new Uint32Array(bytes.buffer, 0, TREE_HEADER_BYTES / 4);
  header[HierarchyHeader.checksum] = checksumOf(bytes, HierarchyHeader.checksum);
  return bytes;
}

/**
 * For the rest of the library: clears what lies between and behind a tree's arrays, so that equal trees are equal
 * bytes.
 */
export function clearUnused(tree: Hierarchy): void {
  assertFitted(tree);
  const { block } = tree;
  const bytes = arena().u8();
  const orderAt = block + tree.header(HierarchyHeader.order);
  const pendingAt = block + tree.header(HierarchyHeader.pending);
  const blocksAt = tree.blocksByteOffset;
  const blockBytes = 4 * blockWords(tree.header(HierarchyHeader.stride));
  bytes.fill(0, orderAt + 4 * tree.header(HierarchyHeader.triangleCount), pendingAt);
  bytes.fill(0, pendingAt + 8 * tree.header(HierarchyHeader.pendingCount), blocksAt);
  bytes.fill(0, blocksAt + blockBytes * tree.blockCount, block + tree.byteLength);
}

/** Reads the result of `hierarchyToBytes`, for the same mesh. Everything a query relies on is checked. */
export function hierarchyFromBytes(mesh: Mesh, bytes: Uint8Array): Hierarchy {
  assertMesh(mesh);
  if (!(bytes instanceof Uint8Array)) throw new ImpingeError('bad-buffer', 'hierarchy: no bytes');
  if (bytes.byteLength < TREE_HEADER_BYTES || bytes.byteLength % 4 !== 0) {
    throw new ImpingeError('bad-buffer', `hierarchy: ${bytes.byteLength} bytes, cut off`);
  }
  const memory = arena();
  const block = memory.alloc(bytes.byteLength);
  memory.u8().set(bytes, block);
  const word = (block >>> 2) + HierarchyHeader.checksum;
  try {
    if (memory.u32()[word] !== checksumOf(bytes, HierarchyHeader.checksum)) {
      throw new ImpingeError(
        'bad-buffer',
        'hierarchy: the checksum does not match, it was cut off or altered',
      );
    }
    memory.u32()[word] = 0;
    validateHierarchy(memory, block, bytes.byteLength, mesh);
  } catch (error) {
    memory.free(block);
    throw error;
  }
  return new Hierarchy(mesh, block);
}
