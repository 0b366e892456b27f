/** The figures of `report.html` that are markup: who meets whom, how deep, how close. Clicks on them filter. */
import { groupedDigits, lengthText, oneLine, plural } from '../wire/text.js';
import { measuredBy, type ReportClash } from './report-data.js';
import type { Sides } from './sides.js';
import { escapeMarkup } from './text.js';

/** How many clashes each two sides have: a triangle of buttons for each way to look at it. */
export function clashMatrix(
  clashes: readonly ReportClash[],
  all: readonly ReportClash[],
  matrices: readonly Sides[],
): string {
  const tabs = matrices.map(
    ({ title }, k) =>
      `<button type="button" data-matrix="${k}" aria-pressed="${k === 0}">by ${escapeMarkup(title)}</button>`,
  );
  const choice = matrices.length > 1 ? `<div class="choice">${tabs.join('')}</div>` : '';
  return `<section class="matrix"><h2>Clash matrix</h2>${choice}${matrices.map((sides, k) => matrix(clashes, all, sides, k)).join('')}</section>`;
}

/**
 * Pairs that only clashes besides those that count have, resolved or approved ones, are there, too: filters may show
 * them.
 */
function matrix(
  clashes: readonly ReportClash[],
  all: readonly ReportClash[],
  sides: Sides,
  number: number,
): string {
  const size = sides.names.length;
  const keyOf = ({ a, b }: ReportClash) => [sides.indexOf(a), sides.indexOf(b)].sort((p, q) => q - p).join();
  const counts = new Map<string, number>(all.map((clash) => [keyOf(clash), 0]));
  for (const clash of clashes) counts.set(keyOf(clash), counts.get(keyOf(clash))! + 1);
  const most = [...counts.values()].reduce((most, n) => Math.max(most, n), 1);
  const cell = (row: number, column: number) => {
    const n = counts.get(`${row},${column}`);
    if (n === undefined) return '<td class="none">·</td>';
    const heat = Math.ceil(5 * Math.sqrt(n / most));
    const label = escapeMarkup(`${sides.names[row]} × ${sides.names[column]}`);
    return `<td><button type="button" class="heat${heat}" data-pair="${number},${row},${column}" aria-pressed="false" title="${label}" aria-label="${label}: ${plural(n, 'clash', 'clashes')}">${groupedDigits(n)}</button></td>`;
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
  return `<div class="scroll" id="matrix-${number}"${number > 0 ? ' hidden' : ''}><table><tbody>${rows.join('')}</tbody><tfoot><tr><td></td>${heads.join('')}</tr></tfoot></table></div>`;
}

/** How deep overlaps are, and how close what lacks clearance; bars reach as far as those of `all`. */
export function histograms(clashes: readonly ReportClash[], all: readonly ReportClash[]): string {
  const values = (of: 'depth' | 'distance', list: readonly ReportClash[]) =>
    list.filter(measuredBy(of)).map((clash) => Number(clash[of].toPrecision(6)));
  const [depths, gaps] = [values('depth', all), values('distance', all)];
  if (depths.length + gaps.length === 0) return '';
  return `<section class="histograms">${histogram('How deep', 'depth', values('depth', clashes), depths)}${histogram('How close', 'distance', values('distance', clashes), gaps)}</section>`;
}

/** Bars between 1, 2, 5, 10, 20 … millimetres, as far as there are any. */
function histogram(
  title: string,
  of: 'depth' | 'distance',
  values: readonly number[],
  all: readonly number[],
): string {
  if (all.length === 0) return '';
  const edges = [
    0,
    ...[-3, -2, -1, 0].flatMap((power) => [1, 2, 5].map((n) => Number(`${n}e${power}`))),
    10,
    Infinity,
  ];
  const countsOf = (list: readonly number[]) =>
    edges.slice(1).map((below, i) => list.filter((value) => value >= edges[i] && value < below).length);
  const counts = countsOf(values);
  const filled = countsOf(all).flatMap((n, i) => (n > 0 ? [i] : []));
  const [first, last] = [filled[0], filled[filled.length - 1]];
  const most = Math.max(1, ...counts);
  const bars = counts.slice(first, last + 1).map((n, k) => {
    const [from, below] = [edges[first + k], edges[first + k + 1]];
    const label = Number.isFinite(below) ? `${rangeText(from, below)}` : `${lengthText(from)} +`;
    const bar = `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.max(n > 0 ? 0.8 : 0, (100 * n) / most).toFixed(2)}" height="10"/></svg>`;
    return `<button type="button" class="bar ${of}" data-range="${of},${from},${below}" aria-pressed="false"><span>${label}</span>${bar}<b>${groupedDigits(n)}</b></button>`;
  });
  return `<h2>${title}</h2><div class="bars">${bars.join('')}</div>`;
}

function rangeText(from: number, below: number): string {
  const [low, unit] = lengthText(from).split(' ');
  const high = lengthText(below).split(' ');
  return unit === high[1] || from === 0 ? `${low}–${high.join(' ')}` : `${low} ${unit}–${high.join(' ')}`;
}
