/** The lists at the left, the details at the right; on phones both in one sheet at the bottom. */

import { IconButton } from '../../../ui/src/controls.js';
import { grouped } from '../../../ui/src/text.js';
import type { Tab } from './address.js';
import { ClashesPanel } from './clashes-panel.js';
import { Details } from './details.js';
import { SHEET_HEIGHTS, sheet, sheetHeight, showTab, tab } from './layout.js';
import { ObjectsPanel } from './objects-panel.js';
import type { Viewer } from './viewer.js';

interface Props {
  readonly viewer: Viewer;
}

export function LeftPanel({ viewer }: Props) {
  return (
    <aside class="panel left" aria-label="Lists">
      <Tabs viewer={viewer} chosen={tab.value} onChoose={showTab} />
      <List viewer={viewer} which={tab.value} />
    </aside>
  );
}

export function RightPanel({ viewer }: Props) {
  return (
    <aside class="panel right" aria-label="Details">
      <Details viewer={viewer} />
    </aside>
  );
}

export function BottomSheet({ viewer }: Props) {
  const height = sheetHeight.value;
  const step = (by: 1 | -1) => {
    const next = SHEET_HEIGHTS.indexOf(height) + by;
    sheetHeight.value = SHEET_HEIGHTS[Math.max(0, Math.min(SHEET_HEIGHTS.length - 1, next))];
  };
  const which = sheet.value;
  let from = 0;
  return (
    <aside class={`sheet ${height}`} aria-label="Lists and details">
      <div
        class="sheet-head"
        onTouchStart={(event) => {
          from = event.touches[0].clientY;
        }}
        onTouchEnd={(event) => {
          const moved = event.changedTouches[0].clientY - from;
          if (Math.abs(moved) > 30) step(moved < 0 ? 1 : -1);
        }}
      >
        <Tabs
          viewer={viewer}
          chosen={which}
          withDetails
          onChoose={(chosen) => {
            if (chosen !== 'details') return showTab(chosen);
            sheet.value = chosen;
            if (sheetHeight.value === 'low') sheetHeight.value = 'half';
          }}
        />
        <IconButton icon="down" label="Lower" disabled={height === 'low'} onClick={() => step(-1)} />
        <IconButton icon="up" label="Raise" disabled={height === 'high'} onClick={() => step(1)} />
      </div>
      {height !== 'low' &&
        (which === 'details' ? <Details viewer={viewer} /> : <List viewer={viewer} which={which} />)}
    </aside>
  );
}

interface TabsProps<T extends string> extends Props {
  readonly chosen: Tab | 'details';
  readonly withDetails?: boolean;
  readonly onChoose: (tab: T) => void;
}

function Tabs<T extends Tab | 'details'>({ viewer, chosen, withDetails, onChoose }: TabsProps<T>) {
  const review = viewer.review.value;
  const columns = viewer.columns.value;
  const tabs: [Tab | 'details', string, number | undefined][] = [
    ['objects', 'Objects', columns?.count],
    ...(viewer.manifest.value.report === null
      ? []
      : [['clashes', 'Clashes', review?.counted.value.length] as [Tab, string, number | undefined]]),
    ...(withDetails ? [['details', 'Details', undefined] as ['details', string, undefined]] : []),
  ];
  return (
    <fieldset class="tabs" aria-label="Panel">
      {tabs.map(([name, text, count]) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name as T)}>
          {text}
          {count !== undefined && <span class="count">{grouped(count)}</span>}
        </button>
      ))}
    </fieldset>
  );
}

function List({ viewer, which }: Props & { readonly which: Tab }) {
  if (which === 'objects') return <ObjectsPanel viewer={viewer} />;
  const review = viewer.review.value;
  if (review) return <ClashesPanel viewer={viewer} review={review} />;
  return <p class="empty">{viewer.problem.value ? 'No clashes.' : 'Loading clashes …'}</p>;
}
