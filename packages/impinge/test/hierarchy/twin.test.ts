import { describe, expect, test } from 'vitest';
import { FAST } from '../../../../test/budget.js';
import { arena } from '../../src/base/arena.js';
import { buildHierarchy } from '../../src/hierarchy/build.js';
import { completeHierarchy } from '../../src/hierarchy/build-obb.js';
import { BUILDERS, isLeaf } from '../../src/hierarchy/layout.js';
import { TreeView } from '../../src/hierarchy/tree-view.js';
import { validateHierarchy } from '../../src/hierarchy/validate.js';
import { HierarchyHeader } from '../../src/kernel/layout.generated.js';
import { build, copies, degenerates, doubling, grid, soup } from './fixtures.js';

const MESHES = {
  'one triangle': () => copies(1),
  'a soup of 700': () => soup(3, 700, 0.1),
  'a soup far away': () => soup(4, 300, 0.1, 5e6),
  'a sheet of 9 800, binned from a sample': () => grid(70, (x, y) => 0.2 * Math.sin(8 * x + 3 * y)),
  'a wavy grid': () => grid(FAST ? 20 : 40, (x, y) => 0.1 * Math.sin(9 * x) * Math.cos(7 * y)),
  'equal triangles': () => copies(333),
  'points and segments': () => degenerates(200),
  'doubling distances': () => doubling(360),
};

/** Centre, order and references: all that the topology decides. */
function topology(view: TreeView) {
  const refs: number[] = [];
  for (let slot = 0; slot < 4 * view.blockCount; slot++) refs.push(view.ref(slot));
  return {
    centre: view.centre,
    radius: view.radius,
    order: Array.from(view.words.subarray(view.orderWord, view.orderWord + view.triangleCount)),
    refs,
  };
}

describe.each(Object.entries(MESHES))('%s', (_, make) => {
  test.each(BUILDERS)('%s: the kernel and its twin build the same topology', (builder) => {
    const mesh = make();
    const ours = build(mesh, { builder });
    const kernel = buildHierarchy(mesh, { builder });
    const theirs = new TreeView(arena(), kernel.block);
    expect(topology(theirs)).toEqual(topology(ours));
    validateHierarchy(arena(), kernel.block, theirs.header(HierarchyHeader.byteLength), mesh);
    kernel.dispose();
    arena().free(ours.byteOffset);
  });

  test.each(BUILDERS)('%s, lazy: the leaves of the twin once everything is built', (builder) => {
    const mesh = make();
    const ours = build(mesh, { builder });
    const kernel = buildHierarchy(mesh, { builder, lazy: true });
    validateHierarchy(arena(), kernel.block, kernel.byteLength, mesh);
    completeHierarchy(kernel);
    validateHierarchy(arena(), kernel.block, kernel.byteLength, mesh);
    const [{ order, refs }, whole] = [topology(new TreeView(arena(), kernel.block)), topology(ours)];
    // deep trees are halved from some depth on, and a treelet counts it anew
    if (make !== MESHES['doubling distances']) {
      expect(order).toEqual(whole.order);
      expect(leavesOf(refs)).toEqual(leavesOf(whole.refs));
    }
    kernel.dispose();
    arena().free(ours.byteOffset);
  });
});

const leavesOf = (refs: number[]) => refs.filter(isLeaf).sort((p, q) => p - q);

test('also when the kernel starts over because its first guess of blocks was too low', () => {
  const mesh = soup(5, 8000, 0.02);
  const ours = build(mesh, { builder: 'fast', volume: 'aabb' });
  const kernel = buildHierarchy(mesh, { builder: 'fast' });
  expect(topology(new TreeView(arena(), kernel.block))).toEqual(topology(ours));
  kernel.dispose();
  arena().free(ours.byteOffset);
});
