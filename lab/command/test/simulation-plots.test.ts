/** Statistics of simulations: the CSV file and the drawings. */
import { describe, expect, test } from 'vitest';
import { cullingPlot, levelsPlot, stageTimePlot } from '../src/reports/simulation-plots.js';
import { STEP_COLUMNS, type StepRow, stepCsv } from '../src/reports/simulation-stats.js';

function row(step: number, changes: Partial<StepRow> = {}): StepRow {
  const zeros = Object.fromEntries(STEP_COLUMNS.map((column) => [column, 0])) as Record<string, number>;
  return { ...zeros, step, ...changes } as StepRow;
}

const points = (svg: string, colour: string, tag: string) =>
  [...svg.matchAll(new RegExp(`<${tag} points="([^"]*)"[^>]*${colour}`, 'g'))].map((match) =>
    match[1].split(' ').map((pair) => pair.split(',').map(Number)),
  );

describe('statistics of a simulation', () => {
  test('one row per step, whole counts, times with four decimals', () => {
    const lines = stepCsv([row(1, { events: 12, exactMs: 1.23456 }), row(2)]).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0].split(',')).toEqual(STEP_COLUMNS);
    const values = Object.fromEntries(STEP_COLUMNS.map((c, i) => [c, lines[1].split(',')[i]]));
    expect(values).toMatchObject({ step: '1', events: '12', exactMs: '1.2346' });
  });

  test('a tenth of the pairs is one decade lower', () => {
    const svg = cullingPlot('t', [
      row(1, { candidates: 1000, events: 0 }),
      row(2, { candidates: 100, events: 10 }),
      row(3, { candidates: 10, events: 0 }),
    ]);
    const [grid] = points(svg, '#1f6feb', 'polyline');
    const steps = grid.map(([, y]) => y);
    expect(steps[1] - steps[0]).toBeCloseTo(steps[2] - steps[1], 0);
    // no contacts in the first and last step: one dot between
    expect(points(svg, '#cf222e', 'polyline').map((run) => run.length)).toEqual([2]);
  });

  test('pairs by another method are drawn beside ours, and set the scale', () => {
    const rows = [row(1, { candidates: 100 }), row(2, { candidates: 100 })];
    const alone = cullingPlot('t', rows);
    const svg = cullingPlot('t', rows, { label: 'hashing alone', pairs: [1000, 10_000] });
    expect(alone).not.toContain('hashing alone');
    expect(svg).toContain('>hashing alone<');
    const [other] = points(svg, '#57606a', 'polyline');
    const [ours] = points(svg, '#1f6feb', 'polyline');
    const decade = other[0][1] - other[1][1];
    expect(ours[0][1] - other[0][1]).toBeCloseTo(decade, 0);
    expect(points(alone, '#1f6feb', 'polyline')[0][0][1]).toBeLessThan(ours[0][1]);
  });

  test('what never happened is left out: rigid bodies know contacts and rest only', () => {
    const rows = [row(1, { solverMs: 2, events: 9 }), row(2, { solverMs: 1, asleep: 3 })];
    expect(cullingPlot('t', rows)).toContain('>bodies at rest<');
    expect(cullingPlot('t', rows)).not.toContain('>our grid<');
    expect(stageTimePlot('t', rows)).toContain('>bodies<');
    expect(stageTimePlot('t', rows)).not.toContain('>sweep<');
  });

  test('contact levels are stacked, those that were chosen', () => {
    const svg = levelsPlot('t', [row(1, { level0: 2, level3: 6 }), row(2, { level3: 8 })]);
    expect(svg).toContain('>the surface itself<');
    expect(svg).toContain('>level 3<');
    expect(svg).not.toContain('>level 1<');
    expect(svg.match(/<polygon/g)).toHaveLength(2);
  });

  test('stages are stacked: the last area ends at the sum', () => {
    const svg = stageTimePlot('a < b', [
      row(1, { sweepMs: 1, solverMs: 3 }),
      row(2, { sweepMs: 2, solverMs: 3 }),
    ]);
    expect(svg).toContain('a &lt; b');
    const [sweep] = points(svg, '#1f6feb', 'polygon');
    const [bodies] = points(svg, '#aeb6c0', 'polygon');
    const height = (polygon: number[][], i: number) => polygon[i][1];
    const zero = height(sweep, 3);
    expect((zero - height(bodies, 0)) / (zero - height(sweep, 0))).toBeCloseTo(4, 1);
    expect((zero - height(bodies, 1)) / (zero - height(sweep, 1))).toBeCloseTo(2.5, 1);
  });

  test('thousands of steps are gathered, one step is drawn too', () => {
    const many = Array.from({ length: 4500 }, (_, i) => row(i + 1, { candidates: 1000 + i, gridMs: 1 }));
    expect(points(cullingPlot('t', many), '#1f6feb', 'polyline')[0].length).toBeLessThanOrEqual(500);
    expect(cullingPlot('t', [row(1, { events: 3 })])).toContain('#cf222e');
    expect(stageTimePlot('t', [row(1, { gridMs: 3 })])).not.toContain('NaN');
  });
});
