/** What the address says after its `#`, so that a link opens the same. Pure: texts to values and back. */
import { TREE_TEXTS, type TreeText } from '../model/object-columns.js';
import type { Point, View } from '../picture/types.js';
import { type Filters, NO_FILTERS, SORTS, type Sort } from '../review/clash-filter.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What becomes of the other objects while a clash is looked at. */
export const SURROUNDINGS = ['ghost', 'cut', 'hide', 'show'] as const;
export type Surroundings = (typeof SURROUNDINGS)[number];

export type Tab = 'objects' | 'clashes';

export interface Address {
  readonly theme: Theme;
  readonly tab: Tab | '';
  readonly tree: TreeText;
  /** Of objects. */
  readonly search: string;
  /** Ids of selected objects, or `@` and their numbers. */
  readonly objects: readonly string[];
  /** The id of the clash that is looked at. */
  readonly clash: string;
  readonly filters: Filters;
  readonly sort: Sort;
  readonly descending: boolean;
  readonly issues: boolean;
  readonly surroundings: Surroundings;
  /** The name of a storey. */
  readonly plan: string;
  readonly view: View | null;
}

export const EMPTY_ADDRESS: Address = {
  theme: 'system',
  tab: '',
  tree: 'storey',
  search: '',
  objects: [],
  clash: '',
  filters: NO_FILTERS,
  sort: 'severity',
  descending: false,
  issues: false,
  surroundings: 'ghost',
  plan: '',
  view: null,
};

const FILTER_LISTS = ['kinds', 'review', 'baseline'] as const;
const FILTER_TEXTS = ['text', 'rule', 'storey', 'type', 'assignee', 'issue'] as const;

/** Only what differs from the usual. */
export function writeAddress(address: Address): string {
  const values = new URLSearchParams();
  const put = (name: string, value: string, usual = '') => {
    if (value !== usual) values.set(name, value);
  };
  put('theme', address.theme, 'system');
  put('tab', address.tab);
  put('tree', address.tree, EMPTY_ADDRESS.tree);
  put('search', address.search);
  for (const object of address.objects) values.append('object', object);
  put('clash', address.clash);
  for (const name of FILTER_LISTS) for (const value of address.filters[name]) values.append(name, value);
  for (const name of FILTER_TEXTS) put(name, address.filters[name]);
  for (const part of address.filters.pair ?? []) values.append('pair', part);
  put('sort', address.sort, 'severity');
  put('descending', address.descending ? '1' : '');
  put('issues', address.issues ? '1' : '');
  put('around', address.surroundings, 'ghost');
  put('plan', address.plan);
  if (address.view) values.set('view', viewText(address.view));
  return values.toString();
}

/** What it does not know, or what makes no sense, is as ever: links are strangers' texts. */
export function readAddress(text: string): Address {
  const values = new URLSearchParams(text.replace(/^#/, ''));
  const get = (name: string) => values.get(name) ?? '';
  const one = <T extends string>(name: string, known: readonly T[], usual: T): T =>
    known.find((value) => value === get(name)) ?? usual;
  const pair = values.getAll('pair');
  return {
    theme: one('theme', THEMES, 'system'),
    tab: one('tab', ['objects', 'clashes', ''] as const, ''),
    tree: one('tree', TREE_TEXTS, EMPTY_ADDRESS.tree),
    search: get('search'),
    objects: values.getAll('object'),
    clash: get('clash'),
    filters: {
      kinds: values.getAll('kinds'),
      review: values.getAll('review'),
      baseline: values.getAll('baseline'),
      text: get('text'),
      rule: get('rule'),
      storey: get('storey'),
      type: get('type'),
      assignee: get('assignee'),
      issue: get('issue'),
      pair: pair.length === 3 ? [pair[0], pair[1], pair[2]] : null,
    },
    sort: one('sort', Object.keys(SORTS) as Sort[], 'severity'),
    descending: get('descending') === '1',
    issues: get('issues') === '1',
    surroundings: one('around', SURROUNDINGS, 'ghost'),
    plan: get('plan'),
    view: readView(get('view')),
  };
}

/** To the tenth of a millimetre. */
function viewText({ eye, target, up, fieldOfView, height }: View): string {
  return [...eye, ...target, ...up, fieldOfView, height].map((x) => Number(x.toFixed(4)) + 0).join('_');
}

function readView(text: string): View | null {
  const numbers = text.split('_').map(Number);
  if (text === '' || numbers.length !== 11 || !numbers.every(Number.isFinite)) return null;
  const point = (at: number): Point => [numbers[at], numbers[at + 1], numbers[at + 2]];
  const [fieldOfView, height] = numbers.slice(9);
  if (fieldOfView < 0 || fieldOfView >= 180 || height <= 0) return null;
  return { eye: point(0), target: point(3), up: point(6), fieldOfView, height };
}
