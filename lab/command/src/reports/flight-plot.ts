/** A plot of the times of each step of a flight, by phases. */

import { niceAbove } from '@impinge/cli/internal/reports/plot-scale.js';
import { escapeMarkup } from '@impinge/cli/internal/reports/text.js';
import { decimal } from '@impinge/cli/internal/terminal.js';
import type { FlightStep } from '../jobs/flight.js';

const WIDTH = 960;
const HEIGHT = 320;
const MARGIN = { left: 56, right: 16, top: 40, bottom: 44 };
/** Number of columns: the slowest step of each is drawn. */
const COLUMNS = 880;

const PHASES = [
  { name: 'prefetch', key: 'prefetchMs', colour: '#d97706' },
  { name: 'collide', key: 'collideMs', colour: '#1f6feb' },
] as const;

/** A self-contained SVG: milliseconds per step and phase, steps with contact below the axis. */
export function flightPlot(title: string, steps: readonly FlightStep[]): string {
  const most = steps.reduce((max, { collideMs, prefetchMs }) => Math.max(max, collideMs, prefetchMs), 0.001);
  const top = niceAbove(most);
  const x = (step: number) =>
    MARGIN.left + ((WIDTH - MARGIN.left - MARGIN.right) * step) / Math.max(1, steps.length - 1);
  const y = (ms: number) => HEIGHT - MARGIN.bottom - ((HEIGHT - MARGIN.top - MARGIN.bottom) * ms) / top;
  const perColumn = Math.max(1, Math.ceil(steps.length / COLUMNS));
  const lines = PHASES.map((): string[] => []);
  const contacts: string[] = [];
  for (let from = 0; from < steps.length; from += perColumn) {
    const own = steps.slice(from, from + perColumn);
    PHASES.forEach(({ key }, phase) => {
      const slowest = own.reduce((max, step) => Math.max(max, step[key]), 0);
      lines[phase].push(`${x(from).toFixed(1)},${y(slowest).toFixed(1)}`);
    });
    if (own.some(({ hits }) => hits.length > 0)) {
      contacts.push(
        `<rect x="${x(from).toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 3}" width="1.6" height="6"/>`,
      );
    }
  }
  const grid = [0, 1, 2, 3, 4].map((i) => {
    const ms = (top * i) / 4;
    const at = y(ms).toFixed(1);
    return (
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at}" y2="${at}" stroke="#d5d9de"/>` +
      `<text x="${MARGIN.left - 8}" y="${Number(at) + 4}" text-anchor="end">${decimal(ms)}</text>`
    );
  });
  const phases = PHASES.map(({ name, colour }, i) => {
    const legend = WIDTH - MARGIN.right - 90 * (PHASES.length - i);
    return (
      `<polyline points="${lines[i].join(' ')}" fill="none" stroke="${colour}" stroke-width="1.2"/>` +
      `<rect x="${legend}" y="12" width="12" height="12" rx="2" fill="${colour}"/>` +
      `<text x="${legend + 18}" y="22">${name}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#3b4450">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${MARGIN.left}" y="22" font-size="15" font-weight="600">${escapeMarkup(title)}</text>
${grid.join('\n')}
${phases.join('\n')}
<g fill="#d1242f">${contacts.join('')}</g>
<text x="${MARGIN.left}" y="${HEIGHT - 12}">steps 0 … ${steps.length - 1}; red: contact</text>
<text x="${MARGIN.left - 40}" y="${MARGIN.top - 8}">ms</text>
</svg>
`;
}
