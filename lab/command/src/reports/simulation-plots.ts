/**
 * Drawings of a simulation over its steps: how long each stage took; how many pairs each stage left, on a logarithmic
 * scale as in Figure 7 of the paper on hashing; and which contact levels were chosen, as in Figure 7 of the paper on
 * those.
 */
import { niceAbove } from '@impinge/cli/internal/reports/plot-scale.js';
import { escapeMarkup } from '@impinge/cli/internal/reports/text.js';
import { LEVEL_COLUMNS, type StepColumn, type StepRow } from './simulation-stats.js';

interface Named {
  readonly label: string;
  readonly colour: string;
}

interface Series extends Named {
  readonly column: StepColumn;
}

/** Pairs of every step by another method, for comparison. */
export interface ComparedPairs {
  readonly label: string;
  readonly pairs: readonly number[];
}

const COMPARED = '#57606a';

const TIMES: readonly Series[] = [
  { column: 'sweepMs', label: 'sweep', colour: '#1f6feb' },
  { column: 'gridMs', label: 'grid', colour: '#54aeff' },
  { column: 'primitivesMs', label: 'primitive culling', colour: '#2da44e' },
  { column: 'elementsMs', label: 'element culling', colour: '#8ddb8c' },
  { column: 'exactMs', label: 'exact test', colour: '#d4a72c' },
  { column: 'sortMs', label: 'sorting', colour: '#f0d58c' },
  { column: 'responseMs', label: 'response', colour: '#cf222e' },
  { column: 'solverMs', label: 'bodies', colour: '#aeb6c0' },
];

/** From the surface itself to the coarsest level. */
const LEVELS: readonly Series[] = LEVEL_COLUMNS.map((column, level) => ({
  column,
  label: level === 0 ? 'the surface itself' : `level ${level}`,
  colour: `hsl(${Math.round(215 - (215 * level) / (LEVEL_COLUMNS.length - 1))} 70% 52%)`,
}));

const PAIRS: readonly Series[] = [
  { column: 'candidates', label: 'our grid', colour: '#1f6feb' },
  { column: 'primitivePairs', label: 'after primitive culling', colour: '#2da44e' },
  { column: 'testedPairs', label: 'elements tested exactly', colour: '#d4a72c' },
  { column: 'events', label: 'contacts', colour: '#cf222e' },
  { column: 'asleep', label: 'bodies at rest', colour: '#8250df' },
];

const WIDTH = 960;
const HEIGHT = 360;
const MARGIN = { left: 84, right: 200, top: 40, bottom: 40 };
const PLOT = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
/** Steps are averaged into at most this many columns. */
const COLUMNS = 500;

/** Milliseconds of every stage, stacked. */
export function stageTimePlot(title: string, rows: readonly StepRow[]): string {
  return stackedPlot(title, 'ms per step', TIMES, rows);
}

/** Patches in contact by their level, stacked, as contact levels choose them along the way. */
export function levelsPlot(title: string, rows: readonly StepRow[]): string {
  return stackedPlot(title, 'patches', LEVELS, rows);
}

function stackedPlot(
  title: string,
  unit: string,
  series: readonly Series[],
  rows: readonly StepRow[],
): string {
  const bins = gathered(rows);
  const drawn = used(series, rows);
  const sums = bins.map((bin) => drawn.map(({ column }) => meanOf(bin, column)));
  const top = niceAbove(sums.reduce((most, times) => Math.max(most, sumOf(times)), 1e-3));
  const y = (ms: number) => MARGIN.top + PLOT.height * (1 - ms / top);
  const areas = drawn.map(({ colour }, s) => {
    const edge = (upTo: number) =>
      sums.map(
        (times, i) => `${xOf(i, bins.length).toFixed(1)},${y(sumOf(times.slice(0, upTo))).toFixed(1)}`,
      );
    return `<polygon points="${[...edge(s + 1), ...edge(s).reverse()].join(' ')}" fill="${colour}"/>`;
  });
  const ticks = [0, 1, 2, 3, 4].map((i) => ({ at: y((top * i) / 4), text: shortNumber((top * i) / 4) }));
  return frame(title, unit, rows.length, ticks, areas, drawn);
}

/** Pairs left by every stage, on a logarithmic scale; steps without any are omitted. */
export function cullingPlot(title: string, rows: readonly StepRow[], compared?: ComparedPairs): string {
  const bins = gathered(rows);
  const drawn = used(PAIRS, rows).map(({ column, ...named }) => ({
    ...named,
    means: bins.map((bin) => meanOf(bin, column)),
  }));
  if (compared) {
    const means = gathered(compared.pairs).map((bin) => sumOf(bin) / bin.length);
    drawn.unshift({ label: compared.label, colour: COMPARED, means });
  }
  const most = drawn.reduce((max, { means }) => Math.max(max, ...means), 10);
  const decades = Math.ceil(Math.log10(most));
  const y = (pairs: number) => MARGIN.top + PLOT.height * (1 - Math.log10(pairs) / decades);
  const lines = drawn.flatMap(({ means, colour }) => {
    const points = means.map((pairs, i) =>
      pairs >= 1 ? `${xOf(i, bins.length).toFixed(1)},${y(pairs).toFixed(1)}` : undefined,
    );
    return runs(points).map(
      (run) =>
        `<polyline points="${run.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linecap="round"/>`,
    );
  });
  const ticks = Array.from({ length: decades + 1 }, (_, d) => ({
    at: y(10 ** d),
    text: shortNumber(10 ** d),
  }));
  return frame(title, 'pairs', rows.length, ticks, lines, drawn);
}

/** The series with data: rigid bodies have no stages of detection. */
function used(series: readonly Series[], rows: readonly StepRow[]): readonly Series[] {
  return series.filter(({ column }) => rows.some((row) => row[column] > 0));
}

function gathered<T>(rows: readonly T[]): T[][] {
  const perColumn = Math.max(1, Math.ceil(rows.length / COLUMNS));
  return Array.from({ length: Math.ceil(rows.length / perColumn) }, (_, i) =>
    rows.slice(i * perColumn, (i + 1) * perColumn),
  );
}

function meanOf(rows: readonly StepRow[], column: StepColumn): number {
  return rows.reduce((sum, row) => sum + row[column], 0) / rows.length;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function xOf(column: number, columns: number): number {
  return MARGIN.left + PLOT.width * (columns === 1 ? 0.5 : column / (columns - 1));
}

/** Stretches without a gap; a single point becomes a dot. */
function runs(points: readonly (string | undefined)[]): string[][] {
  let run: string[] = [];
  const found = [run];
  for (const point of points) {
    if (point !== undefined) run.push(point);
    else {
      run = [];
      found.push(run);
    }
  }
  return found.filter(({ length }) => length > 0).map((one) => (one.length === 1 ? [one[0], one[0]] : one));
}

function frame(
  title: string,
  unit: string,
  steps: number,
  ticks: readonly { at: number; text: string }[],
  marks: readonly string[],
  legend: readonly Named[],
): string {
  const right = WIDTH - MARGIN.right;
  const grid = ticks.map(
    ({ at, text }) =>
      `<line x1="${MARGIN.left}" x2="${right}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}" stroke="#d5d9de"/>` +
      `<text x="${MARGIN.left - 8}" y="${(at + 4).toFixed(1)}" text-anchor="end">${text}</text>`,
  );
  const names = legend.map(
    ({ label, colour }, i) =>
      `<rect x="${right + 20}" y="${MARGIN.top + 20 * i}" width="12" height="12" rx="2" fill="${colour}"/>` +
      `<text x="${right + 40}" y="${MARGIN.top + 20 * i + 10}">${label}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#3b4450">
<title>${escapeMarkup(title)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${MARGIN.left}" y="20" font-size="15" font-weight="600">${escapeMarkup(title)}</text>
<text x="8" y="20">${unit}</text>
${grid.join('\n')}
${marks.join('\n')}
${names.join('\n')}
<text x="${MARGIN.left}" y="${HEIGHT - 14}">step 1</text>
<text x="${right}" y="${HEIGHT - 14}" text-anchor="end">step ${steps}</text>
</svg>
`;
}

function shortNumber(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`;
  if (value >= 1e3) return `${value / 1e3} K`;
  return String(Number(value.toPrecision(3)));
}
