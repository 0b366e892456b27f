/** The list of clashes, flat or grouped by issue. */
import { useComputed, useSignal } from '@preact/signals';
import type { ClashRow } from './clash-filter.js';
import type { ClashReview } from './clash-review.js';
import { EndedText } from './controls.js';
import { ownOf, statusOf, statusText } from './decisions.js';
import { grouped, plural } from './text.js';
import { type RowAttributes, VirtualList } from './virtual-list.js';

/** Three lines of text. */
const ROW_REM = 5.1;

interface Props {
  readonly review: ClashReview;
  readonly onShow: (clash: number) => void;
}

export function ClashList({ review, onShow }: Props) {
  const rows = review.rows.value;
  const current = review.current.value;
  const header = useSignal(-1);
  // an issue's row stays active until a clash is selected
  const active = useComputed(() =>
    header.value >= 0
      ? header.value
      : review.rows.value.findIndex((row) => row.kind === 'clash' && row.clash === review.current.value),
  );
  const rowHeight = useComputed(() =>
    Math.round(ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)),
  );
  if (rows.length === 0) {
    return (
      <p class="empty">
        {review.report.count === 0 ? 'The check found no clashes.' : 'No clash passes the filters.'}
      </p>
    );
  }
  function show(at: number): void {
    const row = rows[at];
    header.value = row.kind === 'issue' ? at : -1;
    if (row.kind === 'clash') onShow(row.clash);
  }
  return (
    <VirtualList
      id="clashes"
      label="Clashes"
      role="listbox"
      count={rows.length}
      rowHeight={rowHeight.value}
      active={Math.min(active.value, rows.length - 1)}
      onActive={show}
      onClick={(at) => {
        const row = rows[at];
        show(at);
        if (row.kind === 'issue') review.toggleIssue(row.issue);
      }}
      onKey={(event, at) => {
        const row = rows[at];
        if (row?.kind !== 'issue' || !['Enter', ' ', 'ArrowLeft', 'ArrowRight'].includes(event.key)) return;
        event.preventDefault();
        review.toggleIssue(row.issue);
      }}
      row={(i, attributes) => {
        const row = rows[i];
        return row.kind === 'issue' ? (
          <IssueRow key={i} review={review} row={row} attributes={attributes} />
        ) : (
          <ClashLine
            key={i}
            review={review}
            clash={row.clash}
            current={row.clash === current}
            attributes={attributes}
          />
        );
      }}
    />
  );
}

interface IssueRowProps {
  readonly review: ClashReview;
  readonly row: Extract<ClashRow, { kind: 'issue' }>;
  readonly attributes: RowAttributes;
}

function IssueRow({ review: { report, closedIssues }, row, attributes }: IssueRowProps) {
  const [, title] = report.data.groups[row.issue];
  const open = !closedIssues.value.has(row.issue);
  const [first] = row.clashes;
  const kinds = report.data.kinds
    .map((kind, k) => [kind, row.clashes.filter((i) => report.data.clashes.kind[i] === k).length] as const)
    .filter(([, count]) => count > 0);
  return (
    <div
      {...attributes}
      class={`${attributes.class} issue-row`}
      role="option"
      tabIndex={-1}
      aria-label={`Issue: ${title}, ${plural(row.clashes.length, 'clash', 'clashes')}, ${open ? 'open' : 'closed'}`}
    >
      <span class={open ? 'twist open' : 'twist'} aria-hidden="true" />
      <div>
        <div class="issue-title" title={title}>
          {title}
        </div>
        <div class="clash-line">
          <b>{report.measureOf(first)}</b>
          {kinds.map(([kind, count]) => (
            <span key={kind} class={`kind ${kind}`}>
              {grouped(count)} {kind}
            </span>
          ))}
        </div>
      </div>
      <span class="count">{grouped(row.clashes.length)}</span>
    </div>
  );
}

interface ClashLineProps {
  readonly review: ClashReview;
  readonly clash: number;
  readonly current: boolean;
  readonly attributes: RowAttributes;
}

function ClashLine({ review, clash, current, attributes }: ClashLineProps) {
  const { report, keeper } = review;
  const { clashes, storeys } = report.data;
  const status = statusOf(ownOf(keeper.decisions.value, clashes.id[clash]));
  const baseline = report.baselineOf(clash);
  return (
    <div
      {...attributes}
      class={`${attributes.class} clash-row${current ? ' selected' : ''}`}
      role="option"
      tabIndex={-1}
      aria-selected={current}
    >
      <div class="clash-line">
        <span class={`kind ${report.kindOf(clash)}`}>{report.kindOf(clash)}</span>
        <b>{report.measureOf(clash)}</b>
        <span class="where">{storeys[clashes.storey[clash]]}</span>
        {baseline !== '' && baseline !== 'persisting' && <span class="tag">{baseline}</span>}
        {status !== 'new' && (
          <span class={`tag status-${status}${baseline === 'gone' ? '' : ' found'}`}>
            {statusText(status, baseline !== 'gone')}
          </span>
        )}
      </div>
      {report.namesOf(clash).map((name, side) => (
        <div key={side} class="clash-object">
          <span class={`dot ${'ab'[side]}`} aria-label={'AB'[side]} role="img" />
          <EndedText text={name} />
        </div>
      ))}
    </div>
  );
}
