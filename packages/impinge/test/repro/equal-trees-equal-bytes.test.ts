/** Gaps between a tree's arrays held whatever the memory held before, and went into the bytes. */
import { expect, test } from 'vitest';
import { arena } from '../../src/base/arena.js';
import { buildHierarchy } from '../../src/hierarchy/build.js';
import { hierarchyToBytes } from '../../src/hierarchy/serialise.js';
import { soup } from '../hierarchy/fixtures.js';

test.each([false, true])('lazy: %s', (lazy) => {
  const mesh = soup(5, 701, 0.1);
  const bytes = [0x55, 0xaa].map((filling) => {
    const dirty = arena().alloc(4e6);
    arena()
      .u8()
      .fill(filling, dirty, dirty + 4e6);
    arena().free(dirty);
    const tree = buildHierarchy(mesh, { lazy });
    const out = hierarchyToBytes(tree);
    tree.dispose();
    return out;
  });
  expect(bytes[1]).toEqual(bytes[0]);
});
