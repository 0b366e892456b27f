import { afterEach, describe, expect, test, vi } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST, INNER_LOOP } from '../../../../test/budget.js';
import { arena } from '../../src/base/arena.js';
import { ImpingeError } from '../../src/base/errors.js';
import { buildHierarchy } from '../../src/hierarchy/build.js';
import { completeHierarchy } from '../../src/hierarchy/build-obb.js';
import type { Hierarchy } from '../../src/hierarchy/hierarchy.js';
import { BUILDERS, isLeaf, leafCount, leafStart, MAX_DEPTH } from '../../src/hierarchy/layout.js';
import { refitHierarchy } from '../../src/hierarchy/refit.js';
import { sahCost } from '../../src/hierarchy/sah-cost.js';
import { type TreeView, viewOf } from '../../src/hierarchy/tree-view.js';
import { validateHierarchy } from '../../src/hierarchy/validate.js';
import { mainKernels } from '../../src/kernel/kernels.generated.js';
import { EMPTY } from '../../src/kernel/layout.generated.js';
import { Mesh } from '../../src/mesh/mesh.js';
import { VOLUME_KINDS } from '../../src/volumes/kinds.js';
import { copies, degenerates, doubling, grid, soup } from './fixtures.js';

/** What the tree costs that each builder makes of a mesh (`sahCost`). */
type Costs = readonly [sah: string, fast: string];

const MESHES: Record<string, readonly [make: () => Mesh, costs: Costs]> = {
  'one triangle': [() => copies(1), ['2.2500', '2.2500']],
  'as many as a leaf holds': [() => soup(1, 4, 0.3), ['4.8575', '6.0000']],
  'one more than a leaf holds': [() => soup(2, 5, 0.3), ['2.0462', '3.5133']],
  'a soup of 700': [() => soup(3, 700, 0.1), ['25.623', '30.579']],
  'a soup far away': [() => soup(4, 300, 0.1, 5e6), ['10.896', '12.646']],
  ...(!INNER_LOOP && {
    'a soup of 8 000, for which the first guess of blocks is too low': [
      () => soup(5, 8000, 0.02),
      ['47.654', '59.810'],
    ],
  }),
  'a grid': [() => grid(17), ['9.1041', '9.0142']],
  'a wavy grid': [() => grid(20, (x, y) => 0.1 * Math.sin(9 * x) * Math.cos(7 * y)), ['13.629', '15.177']],
  ...(!FAST && {
    'a sheet of 9 800, binned from a sample': [
      () => grid(70, (x, y) => 0.2 * Math.sin(8 * x + 3 * y)),
      ['19.103', '25.279'],
    ],
  }),
  'equal triangles': [() => copies(333), ['598.25', '598.25']],
  'points and segments': [() => degenerates(200), ['0.0000072568', '0.36784']],
  'doubling distances': [() => doubling(360), ['3.9665', '0.043896']],
  'parts of uneven size': [uneven, ['90.049', '90.432']],
};

function uneven(): Mesh {
  const random = seededRandom(9);
  const positions = new Float32Array(9 * 2000);
  for (let t = 0; t < 2000; t++) {
    const large = t % 20 === 0;
    for (let i = 0; i < 9; i++)
      positions[9 * t + i] = (large ? 0 : 5 + (t % 3)) + random() * (large ? 10 : 0.1);
  }
  return Mesh.from({ positions });
}

afterEach(() => {
  vi.restoreAllMocks();
});

function validate(tree: Hierarchy): void {
  validateHierarchy(arena(), tree.block, tree.byteLength, tree.mesh);
}

/** Leaves as [start, count] in lane order, and how deep blocks lie; fails where blocks are not in this order. */
function walk(view: TreeView): { leaves: number[][]; depth: number } {
  const leaves: number[][] = [];
  let next = 0;
  let depth = 0;
  const enter = (block: number, at: number) => {
    if (block !== next++) expect.fail(`block ${block} comes as number ${next - 1}`);
    depth = Math.max(depth, at);
    for (let lane = 0; lane < 4; lane++) {
      const ref = view.ref(4 * block + lane);
      if (ref === EMPTY) continue;
      if (isLeaf(ref)) leaves.push([leafStart(ref), leafCount(ref)]);
      else enter(ref, at + 1);
    }
  };
  enter(0, 1);
  return { leaves, depth };
}

/** Depth-first blocks, leaves of up to four in order, within the bounds proved (kernels/build.ts). */
function expectRegular(tree: Hierarchy): void {
  validate(tree);
  const view = viewOf(tree);
  const { leaves, depth } = walk(view);
  let cursor = 0;
  for (const [start, count] of leaves) {
    if (start !== cursor || count > 4) expect.fail(`a leaf of ${count} at ${start}`);
    cursor += count;
  }
  expect(cursor).toBe(view.triangleCount);
  expect(view.blockCount).toBeLessThanOrEqual(Math.max(1, (view.triangleCount - 1) / 3));
  expect(depth).toBeLessThan(MAX_DEPTH);
}

/** Order and leaves. */
function leavesOf(tree: Hierarchy) {
  const view = viewOf(tree);
  const refs = Array.from({ length: 4 * view.blockCount }, (_, slot) => view.ref(slot)).filter(isLeaf);
  return {
    order: view.words.slice(view.orderWord, view.orderWord + view.triangleCount),
    leaves: refs.sort((p, q) => p - q),
  };
}

describe.each(Object.entries(MESHES))('%s', (name, [make, costs]) => {
  test.each(BUILDERS)('built by %s: in order, and as good as ever', (builder) => {
    const tree = buildHierarchy(make(), { builder });
    expectRegular(tree);
    expect(sahCost(tree).toPrecision(5)).toBe(costs[BUILDERS.indexOf(builder)]);
  });

  test.each([
    ...BUILDERS.map((builder) => ['obb', builder] as const),
    ...VOLUME_KINDS.map((volume) => [volume, 'sah'] as const),
  ])('of %s, built by %s, lazily: the same leaves once everything is built', (volume, builder) => {
    const mesh = make();
    const tree = buildHierarchy(mesh, { volume, builder, lazy: true });
    validate(tree);
    completeHierarchy(tree);
    validate(tree);
    // deep trees are halved from some depth on, and a treelet counts it anew
    if (name !== 'doubling distances')
      expect(leavesOf(tree)).toEqual(leavesOf(buildHierarchy(mesh, { builder })));
  });

  test('built without kernels: in order', () => {
    vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    expectRegular(buildHierarchy(make()));
  });

  test.each([...VOLUME_KINDS, 'obb without kernels'] as const)(
    'trees of %s contain their triangles, also after the mesh was bent',
    (kind) => {
      const mesh = make();
      const volume = kind === 'obb without kernels' ? 'obb' : kind;
      if (kind !== volume) vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
      const tree = buildHierarchy(mesh, { volume });
      expect(tree.kind).toBe(volume);
      validate(tree);
      const positions = Float64Array.from(mesh.positions);
      for (let i = 0; i < positions.length; i += 3) {
        positions[i + 2] += 0.3 * Math.sin(5 * positions[i]) + 0.2;
        positions[i] *= 1.5;
      }
      mesh.setPositions(positions);
      if (mesh.triangleCount > 4) expect(() => validate(tree)).toThrow(ImpingeError);
      refitHierarchy(tree);
      validate(tree);
    },
  );
});

test.each(BUILDERS)('%s ends on coordinates whose sums overflow float32', (builder) => {
  const positions = Float32Array.from(
    { length: 9 * 300 },
    (_, i) => (((i * 7919) % 1000) / 500 - 1) * 3.3e38,
  );
  const { leaves } = walk(viewOf(buildHierarchy(Mesh.from({ positions }), { builder, volume: 'aabb' })));
  expect(leaves.reduce((sum, [, count]) => sum + count, 0)).toBe(300);
});

test('options outside their domain are refused', () => {
  const mesh = copies(3);
  for (const options of [{ volume: 'cone' }, { builder: 'slow' }]) {
    expect(() => buildHierarchy(mesh, options as never)).toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
  }
});
