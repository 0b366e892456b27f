/** Clashes by run: a line for active ones, bars for new ones above the axis and for resolved ones below. */
import { niceAbove } from '@impinge/cli/internal/reports/plot-scale.js';
import type { Run } from '../api/schemas.js';
import { type Html, html } from './html.js';

const WIDTH = 720;
const HEIGHT = 280;
const MARGIN = { left: 72, right: 12, top: 16, bottom: 46 };
/** Maximum width of a bar. */
const BAR_MAX = 22;
const LABELS = 8;

/** `runs` are completed, the earliest first. */
export function historyPlot(runs: readonly Run[]): Html {
  const most = Math.max(
    1,
    ...runs.map(({ clashes, newClashes, resolved }) =>
      Math.max(clashes ?? 0, newClashes ?? 0, resolved ?? 0),
    ),
  );
  const above = niceAbove(most);
  const worst = Math.max(0, ...runs.map(({ resolved }) => resolved ?? 0));
  const below = worst === 0 ? 0 : niceAbove(worst);
  const plotted = HEIGHT - MARGIN.top - MARGIN.bottom;
  const y = (value: number) => MARGIN.top + (plotted * (above - value)) / (above + below);
  const step = (WIDTH - MARGIN.left - MARGIN.right) / Math.max(1, runs.length);
  const x = (i: number) => MARGIN.left + step * (i + 0.5);
  const bar = Math.min(BAR_MAX, step * 0.6);
  const fixed = (value: number) => value.toFixed(1);
  const grid = [0, above / 2, above, ...(below > 0 ? [-below] : [])]
    .filter(Number.isInteger)
    .map(
      (value) =>
        html`<line class="${value === 0 ? 'axis' : ''}" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${fixed(y(value))}" y2="${fixed(y(value))}"/><text x="${MARGIN.left - 8}" y="${fixed(y(value) + 4)}" text-anchor="end">${Math.abs(value)}</text>`,
    );
  const bars = runs.map(({ newClashes, resolved }, i) => {
    const left = fixed(x(i) - bar / 2);
    const rect = (kind: string, from: number, to: number) =>
      html`<rect class="bar ${kind}" x="${left}" width="${fixed(bar)}" y="${fixed(y(from))}" height="${fixed(y(to) - y(from))}"/>`;
    return [newClashes ? rect('new', newClashes, 0) : '', resolved ? rect('gone', 0, -resolved) : ''];
  });
  const points = runs.map(({ clashes }, i) => `${fixed(x(i))},${fixed(y(clashes ?? 0))}`);
  const every = Math.ceil(runs.length / LABELS);
  const dots = runs.map(
    ({ number, clashes, newClashes, resolved, finished }, i) =>
      html`<circle class="dot" cx="${fixed(x(i))}" cy="${fixed(y(clashes ?? 0))}" r="${runs.length > 60 ? 1.5 : 3.5}"><title>run ${number}, ${finished?.slice(0, 10)}: ${clashes} active${newClashes === null ? '' : `, ${newClashes} new, ${resolved} gone`}</title></circle>${i % every === 0 && html`<text x="${fixed(x(i))}" y="${HEIGHT - 10}" text-anchor="middle">${number}</text>`}`,
  );
  return html`<ul class="legend"><li>active</li><li class="new">new</li><li class="gone">gone</li></ul>
<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Clashes by run"><text x="${MARGIN.left - 8}" y="${HEIGHT - 10}" text-anchor="end">run</text>${grid}${bars}<polyline class="active-line" points="${points.join(' ')}"/>${dots}</svg>`;
}
