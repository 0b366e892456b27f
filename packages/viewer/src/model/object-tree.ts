/** The tree of objects: groups in groups. */

import { compareNames } from '../../../ui/src/text.js';
import { type ObjectColumns, type TreeText, textOf } from './object-columns.js';

export interface TreeGroup {
  /** Unique within a tree. */
  readonly key: string;
  readonly label: string;
  readonly depth: number;
  readonly objects: readonly number[];
  readonly children: readonly TreeGroup[];
}

export type TreeRow =
  | { readonly kind: 'group'; readonly depth: number; readonly group: TreeGroup }
  | { readonly kind: 'object'; readonly depth: number; readonly object: number };

/** The second level of each grouping. */
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

/** The groups of these objects, sorted by name. */
export function buildTree(columns: ObjectColumns, by: TreeText, objects: Iterable<number>): TreeGroup[] {
  return divide(columns, by, objects, 0, '');
}

function divide(
  columns: ObjectColumns,
  by: TreeText,
  objects: Iterable<number>,
  depth: number,
  above: string,
): TreeGroup[] {
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
      // a single group would be redundant
      const children = divided.length > 1 ? divided : [];
      if (children.length === 0)
        own.sort((p, q) => compareNames(columns.names[p], columns.names[q]) || p - q);
      return { key, label: text || NONE[by], depth, objects: own, children };
    });
}

/** The visible rows of a tree with these groups open. */
export function treeRows(groups: readonly TreeGroup[], open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (group: TreeGroup) => {
    const { depth } = group;
    rows.push({ kind: 'group', depth, group });
    if (!open.has(group.key)) return;
    if (group.children.length > 0) group.children.forEach(add);
    else for (const object of group.objects) rows.push({ kind: 'object', depth: depth + 1, object });
  };
  groups.forEach(add);
  return rows;
}

/** The groups that must be open for an object to be visible. */
export function pathTo(groups: readonly TreeGroup[], object: number): string[] {
  const own = groups.find((group) => group.objects.includes(object));
  return own ? [own.key, ...pathTo(own.children, object)] : [];
}
