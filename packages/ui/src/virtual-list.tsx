/** A list that renders only the rows in view, with keyboard navigation and an active row for screen readers. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { printing } from './printing.js';

export interface RowAttributes {
  readonly id: string;
  readonly class: string;
  readonly style: Readonly<Record<string, string>>;
  readonly 'data-row': number;
  /** In a list, screen readers need the total count; in a tree, branches have their own counts. */
  readonly 'aria-posinset'?: number;
  readonly 'aria-setsize'?: number;
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly role: 'tree' | 'listbox';
  readonly count: number;
  readonly rowHeight: number;
  /** The row that keys act on; -1: none. */
  readonly active: number;
  readonly onActive: (row: number) => void;
  readonly onClick: (row: number, event: MouseEvent) => void;
  /** Keys other than those for navigation. */
  readonly onKey?: (event: KeyboardEvent, row: number) => void;
  readonly row: (index: number, attributes: RowAttributes) => ComponentChildren;
}

/** Rows beyond the visible ones, so that scrolling shows no gaps. */
const EXTRA = 6;
/** About a thousand sheets of paper. */
const PRINTED_MAX = 20_000;

export function VirtualList({
  id,
  label,
  role,
  count,
  rowHeight,
  active,
  onActive,
  onClick,
  onKey,
  row,
}: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);

  useEffect(() => {
    const element = frame.current!;
    const resized = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, []);

  // scroll the active row into view when it changes, not while the user scrolls
  useLayoutEffect(() => {
    const element = frame.current!;
    if (active < 0 || active >= count) return;
    const [start, end] = [active * rowHeight, (active + 1) * rowHeight];
    if (start < element.scrollTop) element.scrollTop = start;
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
    top.value = element.scrollTop;
  }, [active, count, rowHeight]);

  function keyDown(event: KeyboardEvent): void {
    if (event.target !== frame.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(height.peek() / rowHeight) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active < 0 ? 0 : active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    };
    const to = moves[event.key];
    if (to === undefined) {
      onKey?.(event, active);
      return;
    }
    event.preventDefault();
    if (count > 0) onActive(Math.max(0, Math.min(count - 1, to)));
  }

  function click(event: MouseEvent): void {
    const clicked = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
    if (!clicked) return;
    // keep the focus on the list, since rows are removed when they scroll away
    frame.current!.focus({ preventScroll: true });
    onClick(Number(clicked.dataset['row']), event);
  }

  const [from, to] = printing.value
    ? [0, PRINTED_MAX]
    : [Math.floor(top.value / rowHeight) - EXTRA, Math.ceil((top.value + height.value) / rowHeight) + EXTRA];
  const [first, last] = [Math.max(0, from), Math.min(count, to)];
  const rows: ComponentChildren[] = [];
  for (let i = first; i < last; i++) {
    rows.push(
      row(i, {
        id: `${id}-${i}`,
        class: i === active ? 'row active' : 'row',
        style: { '--top': `${i * rowHeight}px`, '--height': `${rowHeight}px` },
        'data-row': i,
        ...(role === 'listbox' && { 'aria-posinset': i + 1, 'aria-setsize': count }),
      }),
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a tree or a list box
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both have names
    <div
      id={id}
      class="virtual"
      ref={frame}
      role={role}
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
      onKeyDown={keyDown}
      onClick={click}
    >
      <div class="virtual-space" role="presentation" style={{ '--height': `${count * rowHeight}px` }}>
        {rows}
      </div>
    </div>
  );
}
