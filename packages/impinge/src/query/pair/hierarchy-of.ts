/**
 * The tree a query uses: built lazily when a mesh is first asked about, refitted when its vertices have moved.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { buildObbTree, expandPendingAt } from '../../hierarchy/build-obb.js';
import { buildPortable } from '../../hierarchy/build-portable.js';
import { assertTree, Hierarchy } from '../../hierarchy/hierarchy.js';
import { refitHierarchy } from '../../hierarchy/refit.js';
import { OBB_TREES, type TreeKind } from '../../hierarchy/tree-kind.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { BLOCK_BYTES, Q } from '../../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { OpenQuery } from './context.js';
import { type Known, known } from './known.js';

/**
 * Questions after which a small mesh's tree pays: it takes as long as about so many without one (see small-pair.ts).
 */
export const TREE_PAYS_AFTER = 32;

/** Triangles of both meshes, for `treesPayAmongMany`. */
export const MOST_AMONG_MANY = 1536;

export function hierarchyOf(mesh: Mesh, type: TreeKind = OBB_TREES): Hierarchy {
  assertMesh(mesh);
  const trees = (known(mesh).trees ??= new Map());
  let tree = trees.get(type.kind);
  if (!tree) {
    const built =
      type === OBB_TREES && kernelSupported()
        ? buildObbTree(mesh, 'sah', true)
        : new Hierarchy(mesh, buildPortable(arena(), mesh, { type }).byteOffset, type);
    mesh.onDispose(() => built.dispose());
    mesh.weighs(built.byteLength);
    trees.set(type.kind, built);
    tree = built;
  }
  if (tree.revision !== mesh.revision) refitHierarchy(tree);
  return tree;
}

/**
 * The kind of tree by which two meshes are walked without kernels: the one chosen for either of them, or oriented boxes
 * where there are no kernels. Undefined: the kernels do it.
 */
export function portableKindFor(a: Mesh, b: Mesh): TreeKind | undefined {
  const ofA = known(a).chosen;
  const ofB = known(b).chosen;
  if (ofA && ofB && ofA !== ofB)
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
  const it = known(tree.mesh);
  (it.trees ??= new Map()).set(tree.kind, tree);
  it.chosen = tree.kind === 'obb' ? undefined : tree.type;
}

/**
 * Builds the treelet at which a kernel stopped; where the tree has to move, the pairs waiting in the query follow it.
 */
export function expandPending(query: OpenQuery): void {
  const tree = query.word(Q.pendingSide) === 0 ? query.treeA : query.treeB;
  const slot = query.word(Q.pendingSlot) - tree.blocksByteOffset;
  const before = tree.block;
  const length = tree.byteLength;
  expandPendingAt(tree, Math.floor(slot / BLOCK_BYTES), (slot % BLOCK_BYTES) / 4);
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
