/** The tree of objects: branches in branches. */

import { compareNames } from '../../../ui/src/text.js';
import { type ObjectColumns, type TreeText, textOf } from './object-columns.js';

export interface TreeBranch {
  /** Unique within a tree. */
  readonly key: string;
  readonly label: string;
  readonly depth: number;
  readonly objects: readonly number[];
  readonly children: readonly TreeBranch[];
}

export type TreeRow =
  | { readonly kind: 'branch'; readonly depth: number; readonly branch: TreeBranch }
  | { readonly kind: 'object'; readonly depth: number; readonly object: number };

/** The second division of each grouping. */
const WITHIN: Readonly<Record<TreeText, TreeText | undefined>> = {
  file: 'storey',
  discipline: 'type',
  storey: 'type',
  type: undefined,
};

const NONE: Readonly<Record<TreeText, string>> = {
  file: 'no file',
  discipline: 'no discipline',
  storey: 'no storey',
  type: 'no type',
};

/** The branches of these objects, sorted by name. */
export function buildTree(columns: ObjectColumns, by: TreeText, objects: Iterable<number>): TreeBranch[] {
  return divide(columns, by, objects, 0, '');
}

function divide(
  columns: ObjectColumns,
  by: TreeText,
  objects: Iterable<number>,
  depth: number,
  above: string,
): TreeBranch[] {
  const members = new Map<string, number[]>();
  for (const object of objects) {
    const text = textOf(columns, by, object);
    const own = members.get(text);
    if (own) own.push(object);
    else members.set(text, [object]);
  }
  const within = WITHIN[by];
  return [...members]
    .sort(([p], [q]) => compareNames(p, q))
    .map(([text, own]) => {
      const key = `${above}${text.length}:${text}`;
      const divided = depth === 0 && within ? divide(columns, within, own, 1, key) : [];
      // a single branch would be redundant
      const children = divided.length > 1 ? divided : [];
      if (children.length === 0)
        own.sort((p, q) => compareNames(columns.names[p], columns.names[q]) || p - q);
      return { key, label: text || NONE[by], depth, objects: own, children };
    });
}

/** The visible rows of a tree with these branches open. */
export function treeRows(branches: readonly TreeBranch[], open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (branch: TreeBranch) => {
    const { depth } = branch;
    rows.push({ kind: 'branch', depth, branch });
    if (!open.has(branch.key)) return;
    if (branch.children.length > 0) branch.children.forEach(add);
    else for (const object of branch.objects) rows.push({ kind: 'object', depth: depth + 1, object });
  };
  branches.forEach(add);
  return rows;
}

/** The branches that must be open for an object to be visible. */
export function pathTo(branches: readonly TreeBranch[], object: number): string[] {
  const own = branches.find((branch) => branch.objects.includes(object));
  return own ? [own.key, ...pathTo(own.children, object)] : [];
}
