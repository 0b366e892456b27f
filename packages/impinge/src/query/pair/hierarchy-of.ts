/**
 * The tree a query uses: built lazily when a mesh is first asked about, refitted when its vertices have moved.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { buildHierarchy } from '../../hierarchy/build.js';
import { buildAligned } from '../../hierarchy/build-aligned.js';
import { buildObbTree, growBoxesAt, lazyViewOf } from '../../hierarchy/build-obb.js';
import { assertTree, Hierarchy } from '../../hierarchy/hierarchy.js';
import { slotAt } from '../../hierarchy/layout.js';
import { refitBoxes, refitHierarchy } from '../../hierarchy/refit.js';
import { walkOf } from '../../hierarchy/traverse.js';
import { viewOf } from '../../hierarchy/tree-view.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { HierarchyHeader, Q } from '../../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { VOLUMES } from '../../volumes/volumes.js';
import { walkAligned } from './aligned-walk.js';
import type { OpenQuery } from './context.js';
import { type Known, known, type PortableTrees } from './known.js';

/**
 * Questions after which a small mesh's tree pays: it takes as long as about so many without one (see small-pair.ts).
 */
export const TREE_PAYS_AFTER = 32;

/** Triangles of both meshes, for `treesPayAmongMany`. */
export const MOST_AMONG_MANY = 1536;

/** Of oriented boxes. */
export function hierarchyOf(mesh: Mesh): Hierarchy {
  return treeOf(mesh, OBB_TREES);
}

/** The mesh's tree of some kind. */
export function treeOf(mesh: Mesh, { kind, build, refit }: PortableTrees): Hierarchy {
  assertMesh(mesh);
  const trees = (known(mesh).trees ??= new Map());
  let tree = trees.get(kind);
  // without kernels, what is left of a tree cannot be built later
  if (!tree || (tree.header(HierarchyHeader.pendingCount) > 0 && !kernelSupported())) {
    const built = build(mesh);
    mesh.onDispose(() => built.dispose());
    mesh.weighs(built.byteLength);
    trees.set(kind, built);
    tree = built;
  }
  if (tree.revision !== mesh.revision) refit(tree);
  return tree;
}

/** Walked by kernels, where there are any. */
const OBB_TREES: PortableTrees = {
  kind: 'obb',
  walk: walkAligned,
  build: (mesh) =>
    kernelSupported() ? buildObbTree(mesh, 'sah', true) : new Hierarchy(mesh, buildAligned(mesh, 'sah')),
  refit: (tree) => refitBoxes(tree, true),
  viewOf,
};

/**
 * The trees by which two meshes are walked without kernels: the kind that was chosen for either of them, or oriented
 * boxes where there are no kernels. Undefined: the kernels do it.
 */
export function portableTreesFor(a: Mesh, b: Mesh): PortableTrees | undefined {
  const ofA = known(a).chosen;
  const ofB = known(b).chosen;
  if (ofA && ofB && ofA.kind !== ofB.kind)
    throw new ImpingeError(
      'bad-input',
      `a tree of ${ofA.kind} cannot be walked together with one of ${ofB.kind}`,
    );
  return ofA ?? ofB ?? (kernelSupported() ? undefined : OBB_TREES);
}

/**
 * Whether a question about two small meshes is one for trees: they are there, or are worth building by now. Where it is
 * not, the question is counted.
 */
export function treesPay(a: Mesh, b: Mesh): boolean {
  const ofA = known(a);
  const ofB = known(b);
  if (isReady(ofA) && isReady(ofB)) return true;
  ofA.treeless++;
  ofB.treeless++;
  return false;
}

/**
 * The same where questions are asked many at a time: up to some size, that takes less time than one with trees does,
 * however often it comes.
 */
export function treesPayAmongMany(a: Mesh, b: Mesh): boolean {
  if (a.triangleCount + b.triangleCount > MOST_AMONG_MANY) return treesPay(a, b);
  return isCrowded(a) && isCrowded(b);
}

export function isCrowded(mesh: Mesh): boolean {
  return known(mesh).crowded;
}

/** Takes note that without trees, a question about these has taken too long. */
export function noteCrowded(a: Mesh, b: Mesh): void {
  known(a).crowded = true;
  known(b).crowded = true;
}

function isReady({ trees, treeless }: Known): boolean {
  return trees?.has('obb') || treeless >= TREE_PAYS_AFTER;
}

/**
 * Makes queries use a tree that the caller has built or loaded. `collide`, `within`, `distance` and `selfIntersect`
 * walk trees of any kind, those of oriented boxes by kernels; everything else uses oriented boxes.
 */
export function useHierarchy(tree: Hierarchy): void {
  assertTree(tree);
  const { mesh, kind } = tree;
  const it = known(mesh);
  (it.trees ??= new Map()).set(kind, tree);
  const build: PortableTrees['build'] = (other) => buildHierarchy(other, { volume: kind, lazy: true });
  const trees = { kind, walk: walkOf(VOLUMES[kind]), build, refit: refitHierarchy, viewOf: lazyViewOf };
  it.chosen = kind === 'obb' ? undefined : trees;
}

/**
 * Builds the treelet at which a kernel stopped; where the tree has to move, the pairs waiting in the query follow it.
 */
export function expandPending(query: OpenQuery): void {
  const tree = query.word(Q.pendingSide) === 0 ? query.treeA : query.treeB;
  const before = tree.block;
  const length = tree.byteLength;
  growBoxesAt(tree, slotAt(query.word(Q.pendingSlot) - tree.blocksByteOffset));
  const moved = tree.block - before;
  if (moved === 0) return;
  const follow = (start: number, count: number) => {
    const words = arena().u32();
    for (let i = 0, at = start >>> 2; i < count; i++, at += query.entryBytes >>> 2) {
      for (let side = 0; side < 2; side++) {
        const slotAt = words[at + side];
        if (slotAt >= before && slotAt < before + length) words[at + side] = slotAt + moved;
      }
    }
  };
  follow(query.word(Q.stack), query.word(Q.stackTop) / query.entryBytes);
  follow(query.word(Q.pairs), query.word(Q.heapCount));
  if (query.treeA === tree) query.setWord(Q.treeA, tree.block);
  if (query.treeB === tree) query.setWord(Q.treeB, tree.block);
}
