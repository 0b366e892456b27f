/** Search, filters and sort order of the list, and the active filters as removable tags. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Filters, NO_FILTERS, SORTS, type Sort } from './clash-filter.js';
import type { ClashReview } from './clash-review.js';
import { CheckBox, Chips, IconButton, SearchField, Select } from './controls.js';
import { REVIEW_STATUSES, statusText } from './decisions.js';
import { setter, toggler } from './signals.js';
import { grouped, lengthText, plural } from './text.js';

interface Props {
  readonly review: ClashReview;
}

/** `children` are further buttons beside the search field. */
export function ClashFilters({ review, children }: Props & { readonly children?: ComponentChildren }) {
  const filtering = useSignal(false);
  return (
    <>
      <div class="tool-line">
        <SearchField
          id="clash-search"
          label="Search clashes"
          value={review.filters.value.text}
          onInput={(text) => review.filter({ text })}
        />
        <IconButton icon="filter" label="Filters" pressed={filtering.value} onClick={toggler(filtering)} />
        {children}
      </div>
      {filtering.value && <FilterForm review={review} />}
    </>
  );
}

function FilterForm({ review }: Props) {
  const { report, keeper } = review;
  const { kinds, rules, storeys, rooms } = report.data;
  const filters = review.filters.value;
  const found = new Set(report.data.clashes.kind);
  const selects = [
    ['rule', 'Rule', 'any rule', rules, 1],
    ['storey', 'Storey', 'any storey', storeys, 1],
    ['room', 'Room', 'any room', rooms, 1],
    ['type', 'Type of either object', 'any type', report.types, 1],
    ['assignee', 'Assignee', 'anyone', keeper.people.value, 0],
  ] as const;
  return (
    <div class="filter-form">
      <Chips
        label="Kind"
        options={kinds.filter((_, k) => found.has(k))}
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
          options={report.baselineStates}
          chosen={filters.baseline}
          onChange={(chosen) => review.filter({ baseline: chosen })}
        />
      )}
      <div class="filter-selects">
        {selects.map(
          ([name, label, any, names, least]) =>
            names.length > least && (
              <Select
                key={name}
                label={label}
                value={filters[name]}
                options={[
                  ['', any],
                  ...names
                    .filter(Boolean)
                    .sort()
                    .map((one) => [one, one] as const),
                ]}
                onChange={(value) => review.filter({ [name]: value })}
              />
            ),
        )}
      </div>
    </div>
  );
}

export function Sorting({ review }: Props) {
  return (
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
        label={review.descending.value ? 'Descending' : 'Ascending'}
        pressed={review.descending.value}
        onClick={toggler(review.descending)}
      />
      <CheckBox checked={review.issues.value} onChange={setter(review.issues)}>
        by issue
      </CheckBox>
    </div>
  );
}

export function FilterTags({ review }: Props) {
  const active = activeFilters(review);
  if (active.length === 0) return null;
  return (
    <div class="filter-tags">
      {active.map(([text, clear]) => (
        <button key={text} type="button" class="filter-tag" onClick={() => review.filter(clear)}>
          <span>{text}</span>
          <span aria-hidden="true">×</span>
          <span class="sr">remove this filter</span>
        </button>
      ))}
      {active.length > 1 && (
        <button type="button" class="link" onClick={() => review.filter(NO_FILTERS)}>
          Clear all
        </button>
      )}
    </div>
  );
}

type Taken = [text: string, clear: Partial<Filters>];

/** The active filters in words, each with the change that removes it. */
function activeFilters(review: ClashReview): Taken[] {
  const filters = review.filters.value;
  const { pair, range, issue } = filters;
  const lists = (['kinds', 'review', 'baseline'] as const).flatMap((name): Taken[] => {
    // statuses of clashes that still exist
    const words = filters[name].map((one) => (name === 'review' ? statusText(one, true) : one));
    return words.length > 0 ? [[words.join(' or '), { [name]: [] }]] : [];
  });
  const texts = (['rule', 'storey', 'room', 'type', 'assignee'] as const).flatMap((name): Taken[] =>
    filters[name] !== '' ? [[`${name}: ${filters[name]}`, { [name]: '' }]] : [],
  );
  const title = review.report.data.groups.find(([id]) => id === issue)?.[1] ?? issue;
  if (issue !== '') texts.push([`issue: ${title}`, { issue: '' }]);
  if (pair) texts.push([`${pair[1]} × ${pair[2]}`, { pair: null }]);
  if (range) texts.push([`${range[0]} ${rangeText(range[1], range[2])}`, { range: null }]);
  return [...lists, ...texts];
}

/** `20–50 mm`, `0.5–1 m`, `10 m +`. */
export function rangeText(from: number, below: number): string {
  if (!Number.isFinite(below)) return `${lengthText(from)} +`;
  const [low, unit] = lengthText(from).split(' ');
  const high = lengthText(below).split(' ');
  return unit === high[1] || from === 0 ? `${low}–${high.join(' ')}` : `${low} ${unit}–${high.join(' ')}`;
}

/**
 * Counts of clashes that are resolved but still exist, and of those hidden by default, each with the filter that lists
 * them.
 */
export function apartTexts(review: ClashReview): [count: number, text: string, change: Partial<Filters>][] {
  const { stillThere, approved, gone } = review.apart.value;
  return [
    [stillThere, statusText('resolved', true), { review: ['resolved'] }],
    [approved, 'approved, not listed', { review: ['approved'] }],
    [gone, 'gone, not listed', { baseline: ['gone'] }],
  ];
}

/** Buttons for these counts. */
export function Apart({ review }: Props) {
  const filters = review.filters.value;
  const shown = apartTexts(review).filter(
    ([count, , change]) => count > 0 && (change.review ? filters.review : filters.baseline).length === 0,
  );
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

/** The number of listed clashes, and of how many: of the counted ones, or of all if filters include others. */
export function listedText(review: ClashReview): string {
  const { review: statuses, baseline } = review.filters.value;
  const isWide = statuses.length > 0 || baseline.length > 0;
  const all = isWide ? review.report.count : review.counted.value.length;
  const listed = review.listed.value;
  if (listed >= all) return plural(listed, 'clash', 'clashes');
  return `${grouped(listed)} of ${plural(all, 'clash', 'clashes')}`;
}
