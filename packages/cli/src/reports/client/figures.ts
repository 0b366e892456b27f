/**
 * The figures of the page: how many of the clashes that are shown are behind each of them. Runs in the reader's
 * browser.
 */
import type { PageData } from '../../wire/report.js';
import type { ClashView } from './clash-view.js';
import type { PageTools } from './page-tools.js';

/** Each figure counts what its click would show: what passes all filters but its own. */
export function figures(
  data: PageData,
  tools: PageTools,
  view: ClashView,
  selected: readonly number[],
  isStillThere: (i: number) => boolean,
): void {
  const { clashes, kinds, measures, objects, statuses } = data;
  const { byId, count } = tools;

  /** How many rows have each key. */
  function tally(rows: readonly number[], keyOf: (i: number) => string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const i of rows) counts.set(keyOf(i), (counts.get(keyOf(i)) ?? 0) + 1);
    return counts;
  }

  function fill(name: 'kind' | 'status', counts: Map<string, number>): void {
    for (const one of document.querySelectorAll<HTMLElement>(`[data-${name}] b`)) {
      one.textContent = count(counts.get(one.parentElement!.dataset[name] ?? '') ?? 0);
    }
  }

  function fillMatrices(rows: readonly number[]): void {
    const counts = data.sides.map((_, k) =>
      tally(rows, (i) =>
        [objects[clashes.a[i]][5][k], objects[clashes.b[i]][5][k]].sort((p, q) => q - p).join(),
      ),
    );
    const most = counts.map((of) => Math.max(1, ...of.values()));
    for (const one of document.querySelectorAll<HTMLElement>('[data-pair]')) {
      const [matrix, ...pair] = (one.dataset['pair'] ?? '').split(',');
      const n = counts[Number(matrix)].get(pair.join()) ?? 0;
      one.textContent = count(n);
      one.className = `heat${Math.ceil(5 * Math.sqrt(n / most[Number(matrix)]))}`;
      one.setAttribute('aria-label', `${one.title}: ${count(n)}`);
    }
  }

  function fillBars(rows: readonly number[]): void {
    for (const of of ['depth', 'distance'] as const) {
      const values = rows.filter((i) => measures[clashes.kind[i]] === of).map((i) => clashes[of][i]);
      const bars = [...document.querySelectorAll<HTMLElement>(`[data-range^=${of}]`)];
      const counts = bars.map((bar) => {
        const [, from, below] = (bar.dataset['range'] ?? '').split(',').map(Number);
        return values.filter((value) => value >= from && value < below).length;
      });
      const most = Math.max(1, ...counts);
      bars.forEach((bar, k) => {
        bar.querySelector('b')!.textContent = count(counts[k]);
        bar.querySelector('rect')!.setAttribute('width', String((100 * counts[k]) / most));
      });
    }
  }

  fill(
    'kind',
    tally(view.selected({ kinds: new Set() }), (i) => kinds[clashes.kind[i]]),
  );
  const everything = new Set(statuses.map((_, i) => i));
  fill(
    'status',
    tally(view.selected({ statuses: everything }), (i) => statuses[clashes.status[i]]),
  );
  for (const one of document.querySelectorAll('[data-still-there] b'))
    one.textContent = count(view.selected({ stillThere: false }).filter(isStillThere).length);
  fillMatrices(view.selected({ pair: undefined }));
  fillBars(view.selected({ range: undefined }));
  const total = document.getElementById('total');
  if (!total) return;
  const issues = new Set(selected.map((i) => clashes.group[i])).size;
  total.textContent = count(selected.length);
  byId('total-of').textContent =
    `${selected.length === 1 ? 'clash' : 'clashes'} in ${count(issues)} ${issues === 1 ? 'issue' : 'issues'}`;
}
