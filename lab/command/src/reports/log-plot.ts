/** Lines through points on logarithmic axes, as a self-contained SVG. */
import { escapeMarkup } from '@impinge/cli/internal/reports/text.js';

export interface PlotLine {
  readonly name: string;
  /** Default: a different one per line. */
  readonly colour?: string;
  readonly dashed?: boolean;
  /** With positive coordinates. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 720;
const HEIGHT = 420;
const MARGIN = { left: 64, right: 24, top: 68, bottom: 56 };
const WIDEST_LEGEND = 220;
const COLOURS = ['#1f6feb', '#d97706', '#2da44e', '#bf3989', '#57606a'];

/** `labels`: write values beside their points. */
export function logPlot(
  title: string,
  xLabel: string,
  yLabel: string,
  lines: readonly PlotLine[],
  labels = false,
): string {
  const all = lines.flatMap(({ points }) => points);
  const [left, right] = [MARGIN.left, WIDTH - MARGIN.right];
  const [top, bottom] = [MARGIN.top, HEIGHT - MARGIN.bottom];
  const x = axis(
    all.map(([value]) => value),
    left,
    right,
  );
  const y = axis(
    all.map(([, value]) => value),
    bottom,
    top,
  );
  const grid = [
    ...x.ticks.map((value) => {
      const at = x.at(value).toFixed(1);
      return `<line x1="${at}" x2="${at}" y1="${top}" y2="${bottom}" stroke="#d5d9de"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${value}</text>`;
    }),
    ...y.ticks.map((value) => {
      const at = y.at(value);
      return `<line x1="${left}" x2="${right}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}" stroke="#d5d9de"/><text x="${left - 8}" y="${(at + 4).toFixed(1)}" text-anchor="end">${value}</text>`;
    }),
  ];
  const marks = lines.map((line, i) => {
    const { name, dashed, points, colour = COLOURS[i % COLOURS.length] } = line;
    const places = points.map(([px, py]) => `${x.at(px).toFixed(1)},${y.at(py).toFixed(1)}`);
    const dots = points.map(([px, py]) => {
      const text = `${name}: ${px}, ${Number(py.toPrecision(3))}`;
      const [cx, cy] = [x.at(px).toFixed(1), y.at(py)];
      const label = `<text x="${cx}" y="${(cy - 9).toFixed(1)}" text-anchor="middle" fill="${colour}">${Number(py.toPrecision(3))}</text>`;
      return `<circle cx="${cx}" cy="${cy.toFixed(1)}" r="3.5" fill="${colour}"><title>${escapeMarkup(text)}</title></circle>${labels ? label : ''}`;
    });
    const legendX = left + Math.min(WIDEST_LEGEND, (right - left) / lines.length) * i;
    return `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ''}/>${dots.join('')}
<rect x="${legendX}" y="38" width="12" height="12" rx="2" fill="${colour}"/><text x="${legendX + 18}" y="49">${escapeMarkup(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#3b4450">
<title>${escapeMarkup(title)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${left}" y="22" font-size="15" font-weight="600">${escapeMarkup(title)}</text>
${grid.join('\n')}
${marks.join('\n')}
<text x="${(left + right) / 2}" y="${HEIGHT - 14}" text-anchor="middle">${escapeMarkup(xLabel)}</text>
<text transform="translate(16 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escapeMarkup(yLabel)}</text>
</svg>
`;
}

/** Room at both ends; ticks at 1, 2 and 5 times powers of ten, or at the powers alone. */
function axis(values: readonly number[], from: number, to: number) {
  // zero has no logarithm
  const low = Math.max(Math.min(...values) / 1.25, 1e-9);
  const high = Math.max(...values) * 1.5;
  const at = (value: number) => from + ((to - from) * Math.log(value / low)) / Math.log(high / low);
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high) && power <= 308; power++) {
    for (const step of high / low > 200 ? [1] : [1, 2, 5]) {
      const tick = Number((step * 10 ** power).toPrecision(3));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return { at, ticks };
}
