/** Time and memory by the number of triangles, at constant density and a constant share of contacts. */
import { growth, mixedSizes } from '@impinge/scenes/deform';
import { logPlot } from '../../command/dist/reports/log-plot.js';
import { milliseconds } from '../measure/figures.mjs';
import { measureStep } from './step.mjs';

const EXPONENT_ASKED = 1.05;

export async function growthRow(bench) {
  const { figures, quick } = bench;
  figures.begin('growth', 'layers of cloth in motion, one thread');
  const sizes = quick ? [1e4, 3e4, 1e5] : [1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7];
  const layered = measureSizes(bench, sizes, growth, 'layers');
  const mixed = measureSizes(bench, quick ? sizes : sizes.slice(0, 5), mixedSizes, 'sizes 1 : 1 000');
  const plot = logPlot(
    'Detection of one step against the number of triangles',
    'triangles',
    'milliseconds',
    [
      { name: 'layers of cloth', points: layered },
      { name: 'triangles of sizes 1 : 1 000', points: mixed },
    ],
    true,
  );
  bench.writePlot('growth', plot);
}

function measureSizes({ figures, quick }, sizes, scene, name) {
  const points = [];
  for (const size of sizes) {
    const { positionsT0: start, positionsT1: end, indices } = scene(size, 1);
    const triangles = indices.length / 3;
    const fill = (detector) => {
      const surface = detector.add({ positions: start, indices });
      return () => surface.setStep(start, end);
    };
    const { ms, totals, events } = measureStep(
      fill,
      size > 1e6 ? { repetitions: 5, warmUps: 1 } : { repetitions: 5 },
    );
    points.push([triangles, ms.total]);
    figures.add(`${name}, ${triangles} triangles`, {
      total: milliseconds(totals),
      'per triangle': { value: (1e6 * ms.total) / triangles, unit: 'ns' },
      events: { value: events.count, unit: '' },
    });
  }
  figures.add(`${name}, exponent`, {
    exponent: { value: exponentOf(points), unit: '', asked: quick ? undefined : { most: EXPONENT_ASKED } },
  });
  return points;
}

/** Slope of the regression line through the logarithms. */
function exponentOf(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (k) => logs.reduce((sum, p) => sum + p[k], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const over = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return over / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
