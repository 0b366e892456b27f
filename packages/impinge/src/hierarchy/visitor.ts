/** What a traversal asks of its caller, and what it tells it: shared by every kind and order. */
import { ImpingeError } from '../base/errors.js';
import { isPending } from './layout.js';
import type { TreeView } from './tree-view.js';

export interface PairVisitor {
  /** Pairs farther apart are dropped; 0 keeps what may overlap. May shrink while the traversal runs, never grow. */
  bound: number;
  /**
   * Two leaves that may be within the bound, as runs of leaf positions (`TreeView.triangleAt` names the triangles).
   * Returns true to stop.
   */
  leafPair(startA: number, countA: number, startB: number, countB: number): boolean;
}

/** Builds the treelet at a slot of a lazy tree, in place. */
export type TreeletExpander = (tree: TreeView, slot: number) => void;

export const TRAVERSAL_ORDERS = ['depth', 'breadth', 'priority'] as const;
/** `priority` visits the pair with the least lower bound first. */
export type TraversalOrder = (typeof TRAVERSAL_ORDERS)[number];

export interface TraversalOptions {
  readonly order?: TraversalOrder;
  /** Needed when a tree is lazy. */
  readonly expand?: TreeletExpander;
}

export interface TraversalStats {
  volumeTests: number;
  leafPairs: number;
  /** Whether the visitor ended it. */
  stopped: boolean;
}

/** The block below an inner slot; builds it first where it is pending. */
export function blockBelow(tree: TreeView, slot: number, expand: TreeletExpander | undefined): number {
  if (isPending(tree.ref(slot))) {
    if (!expand)
      throw new ImpingeError('bad-input', 'the tree is lazy: the traversal needs `expand`', { slot });
    expand(tree, slot);
    tree.refresh();
  }
  return tree.ref(slot);
}
