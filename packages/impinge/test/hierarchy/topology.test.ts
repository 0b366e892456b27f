import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { every, FAST, full } from '../../../../test/budget.js';
import { arena } from '../../src/base/arena.js';
import { ImpingeError } from '../../src/base/errors.js';
import { buildHierarchy } from '../../src/hierarchy/build.js';
import { BUILDERS, isLeaf, leafCount, leafStart, refIndex } from '../../src/hierarchy/layout.js';
import { refitHierarchy } from '../../src/hierarchy/refit.js';
import { MAX_DEPTH, maxBlocks } from '../../src/hierarchy/topology.js';
import type { TreeView } from '../../src/hierarchy/tree-view.js';
import { validateHierarchy } from '../../src/hierarchy/validate.js';
import { EMPTY, HierarchyHeader } from '../../src/kernel/layout.generated.js';
import { Mesh } from '../../src/mesh/mesh.js';
import { VOLUME_KINDS } from '../../src/volumes/kinds.js';
import { build, copies, degenerates, doubling, grid, soup } from './fixtures.js';

const MESHES: Record<string, () => Mesh> = {
  'one triangle': () => copies(1),
  'as many as a leaf holds': () => soup(1, 4, 0.3),
  'one more than a leaf holds': () => soup(2, 5, 0.3),
  'a soup of 700': () => soup(3, 700, 0.1),
  'a soup far away': () => soup(4, 300, 0.1, 5e6),
  ...(!FAST && { 'a soup of 5 100': () => soup(5, 5100, 0.02) }),
  'a grid': () => grid(17),
  'a wavy grid': () => grid(FAST ? 20 : 40, (x, y) => 0.1 * Math.sin(9 * x) * Math.cos(7 * y)),
  'equal triangles': () => copies(333),
  'points and segments': () => degenerates(200),
  'doubling distances': () => doubling(360),
};

function validate(view: TreeView, mesh: Mesh): void {
  validateHierarchy(view.arena, view.byteOffset, view.header(HierarchyHeader.byteLength), mesh);
}

/** Leaves as [start, count] in lane order; fails on an order of blocks that is not depth first. */
function leaves(view: TreeView): number[][] {
  const found: number[][] = [];
  let next = 0;
  const enter = (block: number) => {
    if (block !== next++) expect.fail(`block ${block} comes as number ${next - 1}`);
    for (let lane = 0; lane < 4; lane++) {
      const ref = view.ref(4 * block + lane);
      if (ref === EMPTY) continue;
      if (isLeaf(ref)) found.push([leafStart(ref), leafCount(ref)]);
      else enter(refIndex(ref));
    }
  };
  enter(0);
  return found;
}

function depth(view: TreeView, block = 0): number {
  let below = 0;
  for (let lane = 0; lane < 4; lane++) {
    const ref = view.ref(4 * block + lane);
    if (ref !== EMPTY && !isLeaf(ref)) below = Math.max(below, depth(view, ref));
  }
  return 1 + below;
}

describe.each(Object.keys(MESHES))('%s', (name) => {
  const mesh = MESHES[name]();

  test.each(BUILDERS)(
    'built by %s: depth-first blocks, leaves in order, within the bounds proved',
    (builder) => {
      for (const leafSize of mesh.triangleCount > 5000 ? [4] : every([1, 3, 4, 7], 3)) {
        const view = build(mesh, { builder, leafSize });
        validate(view, mesh);
        let cursor = 0;
        for (const [start, count] of leaves(view)) {
          if (start !== cursor || count > leafSize) expect.fail(`a leaf of ${count} at ${start}`);
          cursor += count;
        }
        expect(cursor).toBe(mesh.triangleCount);
        expect(view.blockCount).toBeLessThanOrEqual(maxBlocks(mesh.triangleCount, leafSize));
        expect(depth(view)).toBeLessThan(MAX_DEPTH);
        arena().free(view.byteOffset);
      }
    },
  );

  test.each(VOLUME_KINDS)('trees of %s contain their triangles, also after the mesh was bent', (volume) => {
    const bent = Mesh.from({ positions: mesh.positions.slice(), indices: mesh.indices.slice() });
    const tree = buildHierarchy(bent, { volume });
    expect(tree.kind).toBe(volume);
    validateHierarchy(arena(), tree.block, tree.byteLength, bent);
    const positions = Float64Array.from(bent.positions);
    for (let i = 0; i < positions.length; i += 3) {
      positions[i + 2] += 0.3 * Math.sin(5 * positions[i]) + 0.2;
      positions[i] *= 1.5;
    }
    bent.setPositions(positions);
    const validateAgain = () => validateHierarchy(arena(), tree.block, tree.byteLength, bent);
    if (mesh.triangleCount > 4) expect(validateAgain).toThrow(ImpingeError);
    refitHierarchy(tree);
    validateAgain();
    tree.dispose();
  });
});

full('the same input gives the same bytes', () => {
  const mesh = soup(8, 900, 0.1);
  const bytes = [0, 1].map(() => {
    const view = build(mesh);
    return arena()
      .u8()
      .slice(view.byteOffset, view.byteOffset + view.header(HierarchyHeader.byteLength));
  });
  expect(bytes[0]).toEqual(bytes[1]);
});

test('binned splits beat halving on parts of uneven size (seed 9)', () => {
  const random = seededRandom(9);
  const positions = new Float32Array(9 * 2000);
  for (let t = 0; t < 2000; t++) {
    const large = t % 20 === 0;
    for (let i = 0; i < 9; i++)
      positions[9 * t + i] = (large ? 0 : 5 + (t % 3)) + random() * (large ? 10 : 0.1);
  }
  const mesh = Mesh.from({ positions });
  const cost = (view: TreeView) => {
    let sum = 0;
    for (let slot = 0; slot < 4 * view.blockCount; slot++) {
      if (view.ref(slot) === EMPTY) continue;
      const v = view.volumeAt(slot);
      const [x, y, z] = [0, 4, 8].map((c) => view.floats[v + c + 12] - view.floats[v + c]);
      sum += x * y + y * z + z * x;
    }
    return sum;
  };
  const sah = build(mesh, { volume: 'aabb', builder: 'sah' });
  const fast = build(mesh, { volume: 'aabb', builder: 'fast' });
  expect(cost(sah)).toBeLessThan(cost(fast));
});

test.each(BUILDERS)('%s ends on coordinates whose sums overflow float32', (builder) => {
  const positions = Float32Array.from(
    { length: 9 * 300 },
    (_, i) => (((i * 7919) % 1000) / 500 - 1) * 3.3e38,
  );
  const mesh = Mesh.from({ positions });
  const view = build(mesh, { builder, volume: 'aabb' });
  expect(leaves(view).reduce((sum, [, count]) => sum + count, 0)).toBe(300);
});

test('options outside their domain are refused', () => {
  const mesh = copies(3);
  for (const options of [{ volume: 'cone' }, { builder: 'slow' }]) {
    expect(() => buildHierarchy(mesh, options as never)).toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
  }
});
