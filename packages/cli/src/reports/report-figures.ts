/** The figures of `report.html` that are markup: who meets whom, how deep, how close. Clicks on them filter. */
import type { Sides } from './page-data.js';
import { measuredBy, type ReportClash } from './report-data.js';
import { escapeMarkup, grouped, lengthText, oneLine, plural } from './text.js';

/** How many clashes each two sides have: a triangle of buttons. */
export function matrix(clashes: readonly ReportClash[], sides: Sides): string {
  const size = sides.names.length;
  const counts = new Map<string, number>();
  for (const { a, b } of clashes) {
    const key = [sides.indexOf(a), sides.indexOf(b)].sort((p, q) => q - p).join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const most = Math.max(1, ...counts.values());
  const cell = (row: number, column: number) => {
    const n = counts.get(`${row},${column}`) ?? 0;
    if (n === 0) return '<td class="none">·</td>';
    const heat = Math.ceil(5 * Math.sqrt(n / most));
    const label = escapeMarkup(
      `${sides.names[row]} × ${sides.names[column]}: ${plural(n, 'clash', 'clashes')}`,
    );
    return `<td><button type="button" class="heat${heat}" data-pair="${row},${column}" aria-pressed="false" title="${label}" aria-label="${label}">${grouped(n)}</button></td>`;
  };
  const rows = sides.names.map(
    (name, row) =>
      `<tr><th scope="row">${escapeMarkup(oneLine(name, 28))}</th>${sides.names
        .slice(0, row + 1)
        .map((_, column) => cell(row, column))
        .join('')}${'<td></td>'.repeat(size - row - 1)}</tr>`,
  );
  const heads = sides.names.map(
    (name) => `<th scope="col"><span>${escapeMarkup(oneLine(name, 24))}</span></th>`,
  );
  return `<section class="matrix"><h2>Who meets whom</h2><div class="scroll"><table><tbody>${rows.join('')}</tbody><tfoot><tr><td></td>${heads.join('')}</tr></tfoot></table></div></section>`;
}

/** How deep overlaps are, and how close what lacks clearance. */
export function histograms(clashes: readonly ReportClash[]): string {
  const depths = clashes.filter(measuredBy('depth')).map(({ depth }) => Number(depth.toPrecision(6)));
  const gaps = clashes.filter(measuredBy('distance')).map(({ distance }) => Number(distance.toPrecision(6)));
  if (depths.length + gaps.length === 0) return '';
  return `<section class="histograms">${histogram('How deep', 'depth', depths)}${histogram('How close', 'distance', gaps)}</section>`;
}

/** Bars between 1, 2, 5, 10, 20 … millimetres, as far as there are any. */
function histogram(title: string, of: 'depth' | 'distance', values: readonly number[]): string {
  if (values.length === 0) return '';
  const edges = [
    0,
    ...[-3, -2, -1, 0].flatMap((power) => [1, 2, 5].map((n) => Number(`${n}e${power}`))),
    10,
    Infinity,
  ];
  const counts = edges
    .slice(1)
    .map((below, i) => values.filter((value) => value >= edges[i] && value < below).length);
  const filled = counts.flatMap((n, i) => (n > 0 ? [i] : []));
  const [first, last] = [filled[0], filled[filled.length - 1]];
  const most = Math.max(...counts);
  const bars = counts.slice(first, last + 1).map((n, k) => {
    const [from, below] = [edges[first + k], edges[first + k + 1]];
    const label = Number.isFinite(below) ? `${rangeText(from, below)}` : `${lengthText(from)} +`;
    const bar = `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.max(n > 0 ? 0.8 : 0, (100 * n) / most).toFixed(2)}" height="10"/></svg>`;
    return `<button type="button" class="bar ${of}" data-range="${of},${from},${below}" aria-pressed="false"><span>${label}</span>${bar}<b>${grouped(n)}</b></button>`;
  });
  return `<h2>${title}</h2><div class="bars">${bars.join('')}</div>`;
}

function rangeText(from: number, below: number): string {
  const [low, unit] = lengthText(from).split(' ');
  const high = lengthText(below).split(' ');
  return unit === high[1] || from === 0 ? `${low}–${high.join(' ')}` : `${low} ${unit}–${high.join(' ')}`;
}
