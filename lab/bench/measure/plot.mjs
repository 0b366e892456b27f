/** Lines through points on logarithmic axes, as SVG that reads well on light and dark pages. */

const WIDTH = 720;
const HEIGHT = 420;
const LEFT = 64;
const RIGHT = 24;
const TOP = 68;
const WIDEST_LEGEND = 220;
const BOTTOM = 56;
const COLOURS = ['#2563eb', '#d97706', '#059669', '#9333ea'];

/**
 * @param {{ title: string, xLabel: string, yLabel: string,
 *   series: { name: string, dashed?: boolean, points: [number, number][] }[], labels?: boolean }} plot points with
 *   positive coordinates; whether their values stand beside them
 */
export function logPlot({ title, xLabel, yLabel, series, labels = true }) {
  const all = series.flatMap(({ points }) => points);
  const x = axis(
    all.map((p) => p[0]),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = axis(
    all.map((p) => p[1]),
    HEIGHT - BOTTOM,
    TOP,
  );
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="26" font-size="16" font-weight="600">${escapeText(title)}</text>`,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 14}" text-anchor="middle">${escapeText(xLabel)}</text>`,
    `<text transform="translate(18 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escapeText(yLabel)}</text>`,
  ];
  for (const value of x.ticks) {
    const at = place(x.at(value));
    parts.push(
      `<line x1="${at}" y1="${TOP}" x2="${at}" y2="${HEIGHT - BOTTOM}" stroke="#e5e7eb"/>`,
      `<text x="${at}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${value}</text>`,
    );
  }
  for (const value of y.ticks) {
    const at = place(y.at(value));
    parts.push(
      `<line x1="${LEFT}" y1="${at}" x2="${WIDTH - RIGHT}" y2="${at}" stroke="#e5e7eb"/>`,
      `<text x="${LEFT - 8}" y="${Number(at) + 4}" text-anchor="end">${value}</text>`,
    );
  }
  series.forEach(({ name, dashed, points }, i) => {
    const colour = COLOURS[i % COLOURS.length];
    const places = points.map(([px, py]) => [place(x.at(px)), place(y.at(py))]);
    const line = places.map((p) => p.join(',')).join(' ');
    parts.push(
      `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ''}/>`,
    );
    points.forEach(([px, py], k) => {
      const [cx, cy] = places[k];
      const value = Number(py.toPrecision(3));
      parts.push(
        `<circle cx="${cx}" cy="${cy}" r="4" fill="${colour}"><title>${escapeText(`${name}: ${px}, ${value}`)}</title></circle>`,
      );
      if (labels)
        parts.push(
          `<text x="${cx}" y="${Number(cy) - 9}" text-anchor="middle" fill="${colour}">${value}</text>`,
        );
    });
    const left = LEFT + Math.min(WIDEST_LEGEND, (WIDTH - LEFT) / series.length) * i;
    parts.push(
      `<rect x="${left}" y="38" width="12" height="12" fill="${colour}"/>`,
      `<text x="${left + 18}" y="49">${escapeText(name)}</text>`,
    );
  });
  const body = parts.map((part) => `  ${part}\n`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" ` +
    `font-size="12" fill="#111827" role="img" aria-label="${escapeText(title)}">\n${body}</svg>\n`
  );
}

/** A logarithmic axis over the values, with room at both ends, and ticks at 1, 2 and 5 times powers of ten. */
function axis(values, from, to) {
  const low = Math.min(...values) / 1.25;
  const high = Math.max(...values) * 1.6;
  const at = (value) => from + ((to - from) * Math.log(value / low)) / Math.log(high / low);
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
    for (const step of high / low > 200 ? [1] : [1, 2, 5]) {
      const tick = Number((step * 10 ** power).toPrecision(3));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return { at, ticks };
}

function place(value) {
  return value.toFixed(1);
}

function escapeText(text) {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}
