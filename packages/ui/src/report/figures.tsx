/**
 * The figures of report.html: counts by kind and status, the matrix, and histograms. The check writes them into the
 * page as markup, and the page's script keeps them up to date. Each shows the number of clashes that a click would
 * list, those that pass all filters but its own. They are stateless, so that they can be rendered as markup.
 */
import type { Signal } from '@preact/signals';
import type { Filters } from '../clash-filter.js';
import { apartTexts, rangeText } from '../clash-filters.js';
import type { ClashReview } from '../clash-review.js';
import { toggled } from '../controls.js';
import { Matrix } from '../matrix.js';
import { setter } from '../signals.js';
import { grouped, plural } from '../text.js';

interface Props {
  readonly review: ClashReview;
}

interface TilesProps extends Props {
  /** Kinds whose absence is worth a tile. */
  readonly telling: readonly string[];
  /** Total number of clashes, if not all are listed. */
  readonly total?: number | undefined;
}

/** Totals, by kind, against the baseline, and those hidden by default. */
export function Tiles({ review, telling, total }: TilesProps) {
  const { report } = review;
  const { kinds, clashes } = report.data;
  const filters = review.filters.value;
  const listed = review.passing();
  const issues = new Set(listed.map((i) => clashes.group[i])).size;
  const byKind = counts(review.passing('kinds'), (i) => report.kindOf(i));
  const all = counts(clashes.kind.keys(), (i) => report.kindOf(i));
  const compared = report.hasBaseline
    ? counts(review.passing('baseline'), (i) => report.baselineOf(i))
    : new Map<string, number>();
  const tile = (name: string, text: string, count: number, pressed: boolean, change: Partial<Filters>) => (
    <button
      key={text}
      type="button"
      class={`tile ${name}`}
      aria-pressed={pressed}
      onClick={() => review.filter(change)}
    >
      <b>{grouped(count)}</b>
      <span>{text}</span>
    </button>
  );
  const of = (list: 'kinds' | 'baseline', one: string) =>
    [filters[list].includes(one), { [list]: toggled(filters[list], one) }] as const;
  const slim = [
    ...report.baselineStates
      .filter((one) => one !== 'gone')
      .map((one) => tile(`slim ${one}`, one, compared.get(one) ?? 0, ...of('baseline', one))),
    ...apartTexts(review).flatMap(([count, text, change]) => {
      const [key, [chosen]] = Object.entries(change)[0] as ['review' | 'baseline', [string]];
      const pressed = filters[key].includes(chosen);
      if (count === 0 && !pressed) return [];
      return [tile(`slim ${key}-${chosen}`, text, count, pressed, pressed ? { [key]: [] } : change)];
    }),
  ];
  return (
    <>
      <div class="tiles">
        <div class="tile total">
          <b>{grouped(total ?? listed.length)}</b>
          <span>
            {(total ?? listed.length) === 1 ? 'clash' : 'clashes'} in {plural(issues, 'issue')}
          </span>
        </div>
        {kinds
          .filter((kind) => all.has(kind) || telling.includes(kind))
          .map((kind) => tile(kind, kind, byKind.get(kind) ?? 0, ...of('kinds', kind)))}
      </div>
      {slim.length > 0 && <div class="tiles">{slim}</div>}
    </>
  );
}

function counts(rows: Iterable<number>, keyOf: (i: number) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (const i of rows) found.set(keyOf(i), (found.get(keyOf(i)) ?? 0) + 1);
  return found;
}

/** The matrix beside the histograms. */
export function Figures({ review, matrix }: Props & { readonly matrix: Signal<number> }) {
  return (
    <>
      <section>
        <h2>Clash matrix</h2>
        <Matrix review={review} matrix={matrix.value} onMatrix={setter(matrix)} />
      </section>
      <section class="histograms">
        <Histogram review={review} title="Depth" of="depth" />
        <Histogram review={review} title="Distance" of="distance" />
      </section>
    </>
  );
}

/** In metres: 1, 2, 5, 10, 20 … millimetres. */
const EDGES = [
  0,
  ...[-3, -2, -1, 0].flatMap((power) => [1, 2, 5].map((n) => Number(`${n}e${power}`))),
  10,
  Infinity,
];

interface HistogramProps extends Props {
  readonly title: string;
  readonly of: 'depth' | 'distance';
}

/** The range covers all clashes, filtered or not. */
function Histogram({ review, title, of }: HistogramProps) {
  const { clashes, measures } = review.report.data;
  const barOf = (i: number) => EDGES.findIndex((edge) => clashes[of][i] < edge) - 1;
  const measured = (i: number) => measures[clashes.kind[i]] === of;
  const all = [...clashes.kind.keys()].filter(measured).map(barOf);
  if (all.length === 0) return null;
  const [first, last] = all.reduce(([p, q], bar) => [Math.min(p, bar), Math.max(q, bar)], [EDGES.length, 0]);
  const bars = EDGES.slice(first, last + 1).map(() => 0);
  for (const i of review.passing('range')) if (measured(i)) bars[barOf(i) - first]++;
  const most = Math.max(1, ...bars);
  const { range } = review.filters.value;
  return (
    <>
      <h2>{title}</h2>
      <div class="bars">
        {bars.map((count, k) => {
          const [from, below] = [EDGES[first + k], EDGES[first + k + 1]];
          const pressed = range !== null && range[0] === of && range[1] === from;
          return (
            <button
              key={from}
              type="button"
              class={`bar ${of}`}
              aria-pressed={pressed}
              onClick={() => review.filter({ range: pressed ? null : [of, from, below] })}
            >
              <span>{rangeText(from, below)}</span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={Math.max(count > 0 ? 0.8 : 0, (100 * count) / most).toFixed(2)} height="10" />
              </svg>
              <b>{grouped(count)}</b>
            </button>
          );
        })}
      </div>
    </>
  );
}
