/** What the address says after its `#`, so that a link opens the same. Pure: texts to values and back. */
import {
  type ListAddress,
  putList,
  readList,
  THEMES,
  type Theme,
  USUAL_LIST,
} from '../../../ui/src/list-address.js';
import { TREE_TEXTS, type TreeText } from '../model/object-columns.js';
import type { Point, View } from '../picture/types.js';

/** What becomes of the other objects while a clash is looked at. */
export const SURROUNDINGS = ['ghost', 'cut', 'hide', 'show'] as const;
export type Surroundings = (typeof SURROUNDINGS)[number];

export type Tab = 'objects' | 'clashes';

export interface Address extends ListAddress {
  readonly theme: Theme;
  readonly tab: Tab | '';
  readonly tree: TreeText;
  /** Of objects. */
  readonly search: string;
  /** Ids of selected objects, or `@` and their numbers. */
  readonly objects: readonly string[];
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
  ...USUAL_LIST,
  surroundings: 'ghost',
  plan: '',
  view: null,
};

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
  putList(values, address);
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
  return {
    theme: one('theme', THEMES, 'system'),
    tab: one('tab', ['objects', 'clashes', ''] as const, ''),
    tree: one('tree', TREE_TEXTS, EMPTY_ADDRESS.tree),
    search: get('search'),
    objects: values.getAll('object'),
    ...readList(values),
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
