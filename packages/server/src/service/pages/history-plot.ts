/** Clashes by run or week: a line for active ones, bars for new ones above the axis and for resolved ones below. */
import { niceAbove } from '@impinge/cli/internal/reports/plot-scale.js';
import type { Run, Week } from '../api/schemas.js';
import { type Html, html } from './html.js';

const WIDTH = 720;
const HEIGHT = 280;
const MARGIN = { left: 72, right: 12, top: 16, bottom: 46 };
/** Maximum width of a bar. */
const BAR_MAX = 22;
const LABELS = 8;

interface Point {
  readonly label: string;
  readonly title: string;
  readonly active: number;
  readonly new: number;
  readonly gone: number;
}

/** `runs` are completed, the earliest first. */
export function historyPlot(runs: readonly Run[]): Html {
  const points = runs.map(({ number, clashes, newClashes, resolved, finished }) => ({
    label: String(number),
    title: `run ${number}, ${finished?.slice(0, 10)}: ${clashes} active${newClashes === null ? '' : `, ${newClashes} new, ${resolved} gone`}`,
    active: clashes ?? 0,
    new: newClashes ?? 0,
    gone: resolved ?? 0,
  }));
  return plot(points, 'run', ['active', 'new', 'gone']);
}

/** The earliest first. */
export function weekPlot(weeks: readonly Week[]): Html {
  const points = weeks.map(({ week, open, new: found, resolved }) => ({
    label: week.slice(5),
    title: `week of ${week}: ${open} open, ${found} new, ${resolved} gone`,
    active: open,
    new: found,
    gone: resolved,
  }));
  return plot(points, 'week', ['open', 'new', 'gone']);
}

function plot(points: readonly Point[], unit: string, [active, found, gone]: readonly string[]): Html {
  const most = Math.max(1, ...points.map((one) => Math.max(one.active, one.new)));
  const above = niceAbove(most);
  const worst = Math.max(0, ...points.map((one) => one.gone));
  const below = worst === 0 ? 0 : niceAbove(worst);
  const plotted = HEIGHT - MARGIN.top - MARGIN.bottom;
  const y = (value: number) => MARGIN.top + (plotted * (above - value)) / (above + below);
  const step = (WIDTH - MARGIN.left - MARGIN.right) / Math.max(1, points.length);
  const x = (i: number) => MARGIN.left + step * (i + 0.5);
  const bar = Math.min(BAR_MAX, step * 0.6);
  const fixed = (value: number) => value.toFixed(1);
  const grid = [0, above / 2, above, ...(below > 0 ? [-below] : [])]
    .filter(Number.isInteger)
    .map(
      (value) =>
        html`<line class="${value === 0 ? 'axis' : ''}" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${fixed(y(value))}" y2="${fixed(y(value))}"/><text x="${MARGIN.left - 8}" y="${fixed(y(value) + 4)}" text-anchor="end">${Math.abs(value)}</text>`,
    );
  const bars = points.map((one, i) => {
    const left = fixed(x(i) - bar / 2);
    const rect = (kind: string, from: number, to: number) =>
      html`<rect class="bar ${kind}" x="${left}" width="${fixed(bar)}" y="${fixed(y(from))}" height="${fixed(y(to) - y(from))}"/>`;
    return [one.new > 0 && rect('new', one.new, 0), one.gone > 0 && rect('gone', 0, -one.gone)];
  });
  const line = points.map((one, i) => `${fixed(x(i))},${fixed(y(one.active))}`);
  const every = Math.ceil(points.length / LABELS);
  const dots = points.map(
    (one, i) =>
      html`<circle class="dot" cx="${fixed(x(i))}" cy="${fixed(y(one.active))}" r="${points.length > 60 ? 1.5 : 3.5}"><title>${one.title}</title></circle>${i % every === 0 && html`<text x="${fixed(x(i))}" y="${HEIGHT - 10}" text-anchor="middle">${one.label}</text>`}`,
  );
  return html`<ul class="legend"><li>${active}</li><li class="new">${found}</li><li class="gone">${gone}</li></ul>
<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Clashes by ${unit}"><text x="${MARGIN.left - 8}" y="${HEIGHT - 10}" text-anchor="end">${unit}</text>${grid}${bars}<polyline class="active-line" points="${line.join(' ')}"/>${dots}</svg>`;
}
