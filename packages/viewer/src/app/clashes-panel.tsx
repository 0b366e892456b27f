/** The clashes of the report: filters, a list with or without issues, and where the review stands. */
import { useComputed, useSignal } from '@preact/signals';
import { grouped, plural } from '../model/text.js';
import { type ClashRow, type Filters, NO_FILTERS, SORTS, type Sort } from '../review/clash-filter.js';
import type { ClashReview } from '../review/clash-review.js';
import { ownOf, REVIEW_STATUSES, statusOf, statusText } from '../review/decisions.js';
import { CommandButton, EndedText, IconButton, SearchField, Select } from './controls.js';
import { FindingsBox } from './findings-box.js';
import { SavingNote } from './saving-note.js';
import type { Viewer } from './viewer.js';
import { type RowAttributes, VirtualList } from './virtual-list.js';

const ROW_HEIGHT = 66;

interface Props {
  readonly viewer: Viewer;
  readonly review: ClashReview;
}

export function ClashesPanel({ viewer, review }: Props) {
  const filtering = useSignal(false);
  const filters = review.filters.value;
  const active = activeFilters(review, filters);
  return (
    <div class="panel-content">
      <FindingsBox findings={review.report.run.findings} />
      <div class="panel-tools">
        <div class="tool-line">
          <SearchField
            id="clash-search"
            label="Search clashes"
            value={filters.text}
            onInput={(text) => review.filter({ text })}
          />
          <IconButton
            icon="filter"
            label="Filters"
            pressed={filtering.value}
            onClick={() => {
              filtering.value = !filtering.value;
            }}
          />
          <CommandButton viewer={viewer} name="matrix" icon="matrix" pressed={filters.pair !== null} />
          <IconButton
            icon="exchange"
            label="Exchange decisions: BCF, review.json"
            onClick={() => {
              viewer.dialog.value = 'exchange';
            }}
          />
        </div>
        {filtering.value && <FilterForm review={review} filters={filters} />}
        {active.length > 0 && (
          <div class="filter-tags">
            {active.map(([text, clear]) => (
              <button key={text} type="button" class="filter-tag" onClick={() => review.filter(clear)}>
                <span>{text}</span>
                <span aria-hidden="true">×</span>
                <span class="sr">take this filter back</span>
              </button>
            ))}
            {active.length > 1 && (
              <button type="button" class="link" onClick={() => review.filter(NO_FILTERS)}>
                Clear all
              </button>
            )}
          </div>
        )}
        <Hidden review={review} filters={filters} />
        <div class="tool-line sorting">
          <Select
            label="Sort by"
            value={review.sort.value}
            options={Object.entries(SORTS)}
            onChange={(sort) => {
              review.sort.value = sort as Sort;
            }}
          />
          <IconButton
            icon={review.descending.value ? 'up' : 'down'}
            label={review.descending.value ? 'Sorted backwards' : 'Sorted forwards'}
            pressed={review.descending.value}
            onClick={() => {
              review.descending.value = !review.descending.value;
            }}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={review.issues.value}
              onChange={(event) => {
                review.issues.value = event.currentTarget.checked;
              }}
            />
            by issue
          </label>
        </div>
      </div>
      <ClashList viewer={viewer} review={review} />
      <div class="panel-foot clash-foot">
        <span role="status">{listedText(review, filters)}</span>
        {viewer.manifest.value.reportPage !== null && (
          <a href={viewer.manifest.value.reportPage}>Open the report</a>
        )}
        {review.keeper.state.value.kind !== 'saved' && <SavingNote state={review.keeper.state.value} />}
      </div>
    </div>
  );
}

/** How many are listed, and of how many: those that count, or all where others are asked for. */
function listedText(review: ClashReview, { review: statuses, baseline }: Filters): string {
  const isWide = statuses.length > 0 || baseline.length > 0;
  const all = isWide ? review.report.count : review.counted.value.length;
  const listed = review.listed.value;
  if (listed >= all) return plural(listed, 'clash', 'clashes');
  return `${grouped(listed)} of ${plural(all, 'clash', 'clashes')}`;
}

/** What is filtered in words, and what takes it back. */
function activeFilters(review: ClashReview, filters: Filters): [string, Partial<Filters>][] {
  const { groups } = review.report.data;
  const title = groups.find(([id]) => id === filters.issue)?.[1] ?? filters.issue;
  const lists = (['kinds', 'review', 'baseline'] as const).flatMap((name) =>
    filters[name].length > 0
      ? [
          [filters[name].map((one) => wordOf(name, one)).join(' or '), { [name]: [] }] as [
            string,
            Partial<Filters>,
          ],
        ]
      : [],
  );
  const texts = (['rule', 'storey', 'type', 'assignee'] as const).flatMap((name) =>
    filters[name] !== '' ? [[`${name}: ${filters[name]}`, { [name]: '' }] as [string, Partial<Filters>]] : [],
  );
  return [
    ...lists,
    ...texts,
    ...(filters.issue !== '' ? [[`issue: ${title}`, { issue: '' }] as [string, Partial<Filters>]] : []),
    ...(filters.pair
      ? [[`${filters.pair[1]} × ${filters.pair[2]}`, { pair: null }] as [string, Partial<Filters>]]
      : []),
  ];
}

/** Of what is listed unless it is gone. */
function wordOf(name: 'kinds' | 'review' | 'baseline', one: string): string {
  return name === 'review' ? statusText(one, true) : one;
}

/** What is said to be resolved and is not; and what is not listed although nothing was filtered, with the reason. */
function Hidden({ review, filters }: { readonly review: ClashReview; readonly filters: Filters }) {
  const { stillThere, approved, gone } = review.apart.value;
  const chips: [number, string, Partial<Filters>][] = [
    [filters.review.length === 0 ? stillThere : 0, statusText('resolved', true), { review: ['resolved'] }],
    [filters.review.length === 0 ? approved : 0, 'approved, not listed', { review: ['approved'] }],
    [filters.baseline.length === 0 ? gone : 0, 'gone, not listed', { baseline: ['gone'] }],
  ];
  const shown = chips.filter(([count]) => count > 0);
  if (shown.length === 0) return null;
  return (
    <div class="filter-tags">
      {shown.map(([count, text, change]) => (
        <button key={text} type="button" class="chip" onClick={() => review.filter(change)}>
          {grouped(count)} {text}
        </button>
      ))}
    </div>
  );
}

function FilterForm({ review, filters }: { readonly review: ClashReview; readonly filters: Filters }) {
  const { report, keeper } = review;
  const { kinds, rules, storeys } = report.data;
  const found = useComputed(() => new Set(report.data.clashes.kind.map((kind) => kinds[kind])));
  const all = (text: string, names: readonly string[]) =>
    [
      ['', text],
      ...[...names]
        .filter(Boolean)
        .sort()
        .map((name) => [name, name] as const),
    ] as const;
  return (
    <div class="filter-form">
      <Chips
        label="Kind"
        options={kinds.filter((kind) => found.value.has(kind))}
        chosen={filters.kinds}
        onChange={(chosen) => review.filter({ kinds: chosen })}
      />
      <Chips
        label="Status"
        options={REVIEW_STATUSES}
        textOf={(status) => statusText(status, true)}
        chosen={filters.review}
        onChange={(chosen) => review.filter({ review: chosen })}
      />
      {report.hasBaseline && (
        <Chips
          label="Baseline"
          options={['new', 'persisting', 'gone']}
          chosen={filters.baseline}
          onChange={(chosen) => review.filter({ baseline: chosen })}
        />
      )}
      <div class="filter-selects">
        {rules.length > 1 && (
          <Select
            label="Rule"
            value={filters.rule}
            options={all('any rule', rules)}
            onChange={(rule) => review.filter({ rule })}
          />
        )}
        {storeys.length > 1 && (
          <Select
            label="Storey"
            value={filters.storey}
            options={all('any storey', storeys)}
            onChange={(storey) => review.filter({ storey })}
          />
        )}
        {report.types.length > 1 && (
          <Select
            label="Type of either object"
            value={filters.type}
            options={all('any type', report.types)}
            onChange={(type) => review.filter({ type })}
          />
        )}
        {keeper.people.value.length > 0 && (
          <Select
            label="Assignee"
            value={filters.assignee}
            options={all('anybody', keeper.people.value)}
            onChange={(assignee) => review.filter({ assignee })}
          />
        )}
      </div>
    </div>
  );
}

interface ChipsProps {
  readonly label: string;
  readonly options: readonly string[];
  /** What an option is called; as it is without. */
  readonly textOf?: (option: string) => string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

function Chips({ label, options, textOf = (option) => option, chosen, onChange }: ChipsProps) {
  return (
    <fieldset class="chips" aria-label={label}>
      <span class="chips-label">{label}</span>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          class="chip"
          aria-pressed={chosen.includes(option)}
          onClick={() =>
            onChange(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])
          }
        >
          {textOf(option)}
        </button>
      ))}
    </fieldset>
  );
}

function ClashList({ viewer, review }: Props) {
  const rows = review.rows.value;
  const current = review.current.value;
  const header = useSignal(-1);
  // an issue's line has the keys until a clash has
  const active = useComputed(() =>
    header.value >= 0
      ? header.value
      : review.rows.value.findIndex((row) => row.kind === 'clash' && row.clash === review.current.value),
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
    if (row.kind === 'clash') viewer.showClash(row.clash);
  }
  return (
    <VirtualList
      id="clashes"
      label="Clashes"
      role="listbox"
      count={rows.length}
      rowHeight={ROW_HEIGHT}
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
      row={(i, attributes) =>
        rows[i].kind === 'issue' ? (
          <IssueRow key={i} review={review} row={rows[i]} attributes={attributes} />
        ) : (
          <ClashLine
            key={i}
            review={review}
            clash={rows[i].clash}
            current={rows[i].clash === current}
            attributes={attributes}
          />
        )
      }
    />
  );
}

interface IssueRowProps {
  readonly review: ClashReview;
  readonly row: Extract<ClashRow, { kind: 'issue' }>;
  readonly attributes: RowAttributes;
}

function IssueRow({ review, row, attributes }: IssueRowProps) {
  const [, title] = review.report.data.groups[row.issue];
  const open = !review.closedIssues.value.has(row.issue);
  return (
    <div
      {...attributes}
      class={`${attributes.class} issue-row`}
      role="option"
      tabIndex={-1}
      aria-label={`Issue: ${title}, ${plural(row.clashes.length, 'clash', 'clashes')}, ${open ? 'open' : 'closed'}`}
    >
      <span class={open ? 'twist open' : 'twist'} aria-hidden="true" />
      <span class="issue-title">{title}</span>
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
  const { clashes, objects, storeys } = report.data;
  const [a, b] = [objects[clashes.a[clash]][0], objects[clashes.b[clash]][0]];
  const decision = ownOf(keeper.decisions.value, clashes.id[clash]);
  const status = statusOf(decision);
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
      <div class="clash-object">
        <span class="dot a" aria-label="A" role="img" />
        <EndedText text={a} />
      </div>
      <div class="clash-object">
        <span class="dot b" aria-label="B" role="img" />
        <EndedText text={b} />
      </div>
    </div>
  );
}
