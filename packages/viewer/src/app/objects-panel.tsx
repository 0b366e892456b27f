/** The objects of the model: a tree with a search and visibility buttons. */
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { EndedText, IconButton, SearchField, Segments } from '../../../ui/src/controls.js';
import { setter } from '../../../ui/src/signals.js';
import { grouped, plural } from '../../../ui/src/text.js';
import { type RowAttributes, VirtualList } from '../../../ui/src/virtual-list.js';
import {
  allObjects,
  type Found,
  type ObjectColumns,
  TREE_TEXTS,
  type TreeText,
} from '../model/object-columns.js';
import { buildTree, pathTo, type TreeRow, treeRows } from '../model/object-tree.js';
import { GHOSTED, HIDDEN } from '../model/visibility.js';
import type { Viewer } from './viewer.js';

const ROW_HEIGHT = 28;
/** Delay after the last key before a search starts. */
const TYPING_MS = 180;
/** With fewer search results than this, all branches are open. */
const OPEN_BELOW = 200;

const ORDERS = Object.fromEntries(
  TREE_TEXTS.map((text) => [text, text[0].toUpperCase() + text.slice(1)]),
) as Record<TreeText, string>;

export function ObjectsPanel({ viewer }: { readonly viewer: Viewer }) {
  const columns = viewer.columns.value;
  const found = useFound(viewer);
  return (
    <div class="panel-content">
      <div class="panel-tools">
        <SearchField
          id="object-search"
          label="Search name, type, id, property"
          value={viewer.search.value}
          onInput={setter(viewer.search)}
        />
        <Segments
          label="Order objects by"
          options={ORDERS}
          value={viewer.tree.value}
          onChange={setter(viewer.tree)}
        />
      </div>
      {columns ? (
        <Tree viewer={viewer} columns={columns} found={found} />
      ) : (
        <p class="empty">{viewer.problem.value ? 'No objects.' : 'Loading objects …'}</p>
      )}
    </div>
  );
}

/** The result of the search; undefined without one. */
function useFound(viewer: Viewer): Signal<Found | undefined> {
  const found = useSignal<Found | undefined>(undefined);
  const text = viewer.search.value.trim();
  const table = viewer.table.value;
  useEffect(() => {
    if (text === '' || !table) {
      found.value = undefined;
      return;
    }
    let gone = false;
    const timer = setTimeout(() => {
      table.search(text).then(
        (result) => {
          if (!gone) found.value = result;
        },
        (error) => viewer.fail('The search failed', error),
      );
    }, TYPING_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [text, table]);
  return found;
}

interface TreeProps {
  readonly viewer: Viewer;
  readonly columns: ObjectColumns;
  readonly found: Signal<Found | undefined>;
}

function Tree({ viewer, columns, found }: TreeProps) {
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const active = useSignal(-1);
  const branches = useComputed(() =>
    buildTree(columns, viewer.tree.value, found.value?.objects ?? allObjects(columns)),
  );
  const open = useComputed(() => {
    const few = found.value && found.value.objects.length <= OPEN_BELOW;
    if (!few) return opened.value;
    return new Set(
      branches.value.flatMap((branch) => [branch.key, ...branch.children.map(({ key }) => key)]),
    );
  });
  const rows = useComputed(() => treeRows(branches.value, open.value));
  const shown = rows.value;

  // reveal an object in the tree when it is selected in the picture
  const [selected] = viewer.selection.value.size === 1 ? viewer.selection.value : [-1];
  useEffect(() => {
    if (selected < 0) return;
    const path = pathTo(branches.peek(), selected);
    if (path.some((key) => !open.peek().has(key))) opened.value = new Set([...opened.peek(), ...path]);
    active.value = rows.peek().findIndex((row) => row.kind === 'object' && row.object === selected);
  }, [selected, viewer.tree.value]);

  function toggle(row: TreeRow): void {
    if (row.kind !== 'branch') return;
    const next = new Set(opened.peek());
    if (!next.delete(row.branch.key)) next.add(row.branch.key);
    opened.value = next;
  }

  function click(at: number, { ctrlKey, metaKey }: MouseEvent): void {
    active.value = at;
    const row = rows.peek()[at];
    if (row.kind === 'branch') toggle(row);
    else viewer.select([row.object], { add: ctrlKey || metaKey, frame: !(ctrlKey || metaKey) });
  }

  function onKey(event: KeyboardEvent, at: number): void {
    const row = rows.peek()[at];
    if (!row) return;
    const isOpen = row.kind === 'branch' && open.peek().has(row.branch.key);
    if (event.key === 'Enter' || event.key === ' ') {
      viewer.select(objectsOf(row), { frame: true, add: event.shiftKey });
    } else if (event.key === 'ArrowRight' && row.kind === 'branch' && !isOpen) toggle(row);
    else if (event.key === 'ArrowLeft' && isOpen) toggle(row);
    else if (event.key === 'ArrowLeft') {
      let above = at - 1;
      while (above >= 0 && rows.peek()[above].depth >= row.depth) above--;
      if (above >= 0) active.value = above;
    } else return;
    event.preventDefault();
  }

  const count = found.value ? found.value.objects.length : columns.count;
  return (
    <>
      <VirtualList
        id="tree"
        label="Objects"
        role="tree"
        count={shown.length}
        rowHeight={ROW_HEIGHT}
        active={Math.min(active.value, shown.length - 1)}
        onActive={setter(active)}
        onClick={click}
        onKey={onKey}
        row={(i, attributes) => (
          <Row
            key={i}
            viewer={viewer}
            columns={columns}
            row={shown[i]}
            open={
              shown[i].kind === 'branch' &&
              open.value.has((shown[i] as { branch: { key: string } }).branch.key)
            }
            attributes={attributes}
          />
        )}
      />
      <p class="panel-foot" role="status">
        {found.value
          ? `${plural(count, 'object')} found${found.value.withProperties ? '' : ', properties not searched'}`
          : plural(count, 'object')}
      </p>
    </>
  );
}

function objectsOf(row: TreeRow): readonly number[] {
  return row.kind === 'branch' ? row.branch.objects : [row.object];
}

interface RowProps {
  readonly viewer: Viewer;
  readonly columns: ObjectColumns;
  readonly row: TreeRow;
  readonly open: boolean;
  readonly attributes: RowAttributes;
}

function Row({ viewer, columns, row, open, attributes }: RowProps) {
  const objects = objectsOf(row);
  const visibility = viewer.visibility.value;
  const hidden = objects.every((object) => visibility[object] === HIDDEN);
  const ghosted = !hidden && objects.every((object) => visibility[object] === GHOSTED);
  const selected = row.kind === 'object' && viewer.selection.value.has(row.object);
  const name = row.kind === 'branch' ? row.branch.label : columns.names[row.object];
  const state = `${selected ? ' selected' : ''}${hidden ? ' is-hidden' : ghosted ? ' is-ghost' : ''}`;
  const act = (run: () => void) => (event: MouseEvent) => {
    event.stopPropagation();
    run();
  };
  return (
    <div
      {...attributes}
      class={`${attributes.class} tree-row${state}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-expanded={row.kind === 'branch' ? open : undefined}
      aria-selected={selected}
    >
      <span class={`indent depth-${row.depth}`} />
      {row.kind === 'branch' && <span class={open ? 'twist open' : 'twist'} aria-hidden="true" />}
      {row.kind === 'branch' ? <span class="label">{name}</span> : <EndedText text={name} />}
      {row.kind === 'branch' && <span class="count">{grouped(objects.length)}</span>}
      <span class="row-tools">
        <IconButton
          inRow
          icon="isolate"
          label={`Isolate ${name}`}
          onClick={act(() => viewer.isolate(objects))}
        />
        <IconButton inRow icon="ghost" label={`Ghost ${name}`} onClick={act(() => viewer.ghost(objects))} />
        <IconButton
          inRow
          class="eye"
          icon={hidden ? 'hide' : 'show'}
          label={`${hidden ? 'Show' : 'Hide'} ${name}`}
          onClick={act(() => viewer.hide(objects))}
        />
      </span>
    </div>
  );
}
