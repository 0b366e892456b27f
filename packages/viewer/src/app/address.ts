/** The fragment of the address, so that a link opens the same view. Pure conversion between text and values. */
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

/** How other objects are drawn while a clash is selected. */
export const SURROUNDINGS = ['ghost', 'cut', 'hide', 'show'] as const;
export type Surroundings = (typeof SURROUNDINGS)[number];

export type Tab = 'objects' | 'clashes';

export interface Address extends ListAddress {
  readonly theme: Theme;
  readonly tab: Tab | '';
  readonly tree: TreeText;
  /** Text of the object search. */
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

/** Omits values that equal the defaults. */
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

/** Unknown and invalid values become defaults: links are untrusted. */
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

/** To a tenth of a millimetre. */
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
