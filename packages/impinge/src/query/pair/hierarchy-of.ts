/**
 * The tree a query uses: built lazily when a mesh is first asked about, refitted when its vertices have moved.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { BLOCK_BYTES, buildHierarchy, expandPendingAt, refitHierarchy } from '../../hierarchy/build.js';
import type { Hierarchy } from '../../hierarchy/hierarchy.js';
import type { Mesh } from '../../mesh/mesh.js';
import { Q, type QueryContext } from './context.js';

/** What queries know of a mesh: its tree, and how often they did without one. */
interface Known {
  tree: Hierarchy | undefined;
  treeless: number;
}

/** Questions after which a small mesh's tree pays: it takes as long as about so many without one (see small-pair.ts). */
export const TREE_PAYS_AFTER = 32;

const meshes = new WeakMap<Mesh, Known>();

function known(mesh: Mesh): Known {
  let it = meshes.get(mesh);
  if (!it) meshes.set(mesh, (it = { tree: undefined, treeless: 0 }));
  return it;
}

export function hierarchyOf(mesh: Mesh): Hierarchy {
  mesh.assertLive();
  const it = known(mesh);
  let { tree } = it;
  if (!tree) {
    const built = buildHierarchy(mesh, { lazy: true });
    mesh.onDispose(() => built.dispose());
    tree = it.tree = built;
  }
  if (tree.revision !== mesh.revision) refitHierarchy(tree);
  return tree;
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

function isReady({ tree, treeless }: Known): boolean {
  return tree !== undefined || treeless >= TREE_PAYS_AFTER;
}

/** Makes queries use a tree that the caller has built or loaded. */
export function useHierarchy(tree: Hierarchy): void {
  if (tree.kind !== 'obb') {
    throw new ImpingeError(
      'bad-input',
      `queries use trees of oriented boxes, this one is of kind ${tree.kind}`,
    );
  }
  known(tree.mesh).tree = tree;
}

/** Builds the treelet at which a kernel stopped; where the tree has to move, the pairs waiting in the query follow it. */
export function expandPending(query: QueryContext): void {
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
