/** The rows and columns of the clash matrix: disciplines, systems, types or storeys of objects. */
import type { Clash } from '@impinge/model';
import { compareText, oneLine } from '../wire/text.js';
import { systemOf } from './group-clashes.js';
import { sideName } from './issue-summary.js';
import type { ReportClash } from './report-data.js';

/** Maximum number of rows; the least frequent are merged. */
const SIDES_MAX = 14;
const OTHERS = 'others';

const DIMENSIONS: readonly (readonly [title: string, none: string, of: (object: Clash['a']) => string])[] = [
  ['disciplines', 'unnamed', sideName],
  ['systems', 'no system', systemOf],
  ['types', 'no type', ({ type }) => type],
  ['storeys', 'no storey', ({ storey }) => storey],
];

/** The sides of one matrix by the number of their clashes. */
export class Sides {
  readonly title: string;
  readonly names: readonly string[];
  readonly #nameOf: (object: Clash['a']) => string;
  readonly #index = new Map<string, number>();

  constructor(title: string, clashes: readonly ReportClash[], nameOf: (object: Clash['a']) => string) {
    this.title = title;
    this.#nameOf = nameOf;
    const counts = new Map<string, number>();
    for (const { a, b } of clashes) {
      for (const name of [nameOf(a), nameOf(b)]) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const sorted = [...counts]
      .sort(([p, countP], [q, countQ]) => countQ - countP || compareText(p, q))
      .map(([name]) => name);
    const kept = sorted.length > SIDES_MAX ? [...sorted.slice(0, SIDES_MAX - 1), OTHERS] : sorted;
    this.names = kept.map((name) => oneLine(name, 60));
    sorted.forEach((name, i) => {
      this.#index.set(name, Math.min(i, kept.length - 1));
    });
  }

  indexOf(object: Clash['a']): number {
    return this.#index.get(this.#nameOf(object))!;
  }
}

/** The matrices with more than one side, or else the first. */
export function matricesOf(clashes: readonly ReportClash[]): Sides[] {
  const all = DIMENSIONS.map(
    ([title, none, of]) => new Sides(title, clashes, (object) => of(object) || none),
  );
  const telling = all.filter(({ names }) => names.length > 1);
  return telling.length > 0 ? telling : all.slice(0, 1);
}
