/** A mesh too small to share out among threads got a tree whose volumes were never fitted. */
import { expect, test } from 'vitest';
import { arena } from '../../src/base/arena.js';
import { validateHierarchy } from '../../src/hierarchy/validate.js';
import { nodePool } from '../../src/node.js';
import { buildHierarchyParallel } from '../../src/parallel/build-parallel.js';
import { soup } from '../hierarchy/fixtures.js';

test.each([1, 7, 511, 512, 513, 600])('%i triangles', async (count) => {
  const dirty = arena().alloc(1e6);
  arena()
    .u8()
    .fill(0xff, dirty, dirty + 1e6);
  arena().free(dirty);
  const mesh = soup(3, count, 0.1);
  const pool = nodePool(1);
  const tree = await buildHierarchyParallel(mesh, pool);
  await pool.dispose();
  expect(() => validateHierarchy(arena(), tree.block, tree.byteLength, mesh)).not.toThrow();
});
