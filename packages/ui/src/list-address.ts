/** The part of a link that describes the list of clashes: the same in the viewer and in report.html. */
import { type Filters, NO_FILTERS, SORTS, type Sort } from './clash-filter.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface ListAddress {
  /** The id of the selected clash. */
  readonly clash: string;
  readonly filters: Filters;
  readonly sort: Sort;
  readonly descending: boolean;
  /** Whether clashes are grouped by issue. */
  readonly issues: boolean;
}

export const USUAL_LIST: ListAddress = {
  clash: '',
  filters: NO_FILTERS,
  sort: 'severity',
  descending: false,
  issues: false,
};

const LISTS = ['kinds', 'review', 'baseline'] as const;
const TEXTS = ['text', 'rule', 'storey', 'room', 'type', 'assignee', 'issue'] as const;

/** Adds the values that differ from the defaults. */
export function putList(values: URLSearchParams, list: ListAddress, usual = USUAL_LIST): void {
  const put = (name: string, value: string, normal = '') => {
    if (value !== normal) values.set(name, value);
  };
  const { filters } = list;
  put('clash', list.clash);
  for (const name of LISTS) for (const value of filters[name]) values.append(name, value);
  for (const name of TEXTS) put(name, filters[name]);
  for (const part of filters.pair ?? []) values.append('pair', part);
  if (filters.range) values.set('range', filters.range.join('_'));
  put('sort', list.sort, 'severity');
  put('descending', list.descending ? '1' : '');
  put('issues', list.issues ? '1' : '0', usual.issues ? '1' : '0');
}

/** Unknown and invalid values become defaults: links are untrusted. */
export function readList(values: URLSearchParams, usual = USUAL_LIST): ListAddress {
  const get = (name: string) => values.get(name) ?? '';
  const pair = values.getAll('pair');
  return {
    clash: get('clash'),
    filters: {
      ...(Object.fromEntries(TEXTS.map((name) => [name, get(name)])) as Record<
        (typeof TEXTS)[number],
        string
      >),
      kinds: values.getAll('kinds'),
      review: values.getAll('review'),
      baseline: values.getAll('baseline'),
      pair: pair.length === 3 ? [pair[0], pair[1], pair[2]] : null,
      range: readRange(get('range')),
    },
    sort: (Object.keys(SORTS) as Sort[]).find((sort) => sort === get('sort')) ?? 'severity',
    descending: get('descending') === '1',
    issues: values.has('issues') ? get('issues') === '1' : usual.issues,
  };
}

function readRange(text: string): Filters['range'] {
  const [of, ...ends] = text.split('_');
  const [from, below] = ends.map(Number);
  const isRange = (of === 'depth' || of === 'distance') && ends.length === 2 && from < below;
  return isRange ? [of, from, below] : null;
}
