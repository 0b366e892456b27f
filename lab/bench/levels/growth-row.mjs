/** Query time by the size of the model, at one error. */

import { logPlot } from '../../command/dist/reports/log-plot.js';
import { count, milliseconds } from '../measure/figures.mjs';
import { readPoses } from '../protocol.mjs';
import { ask, ERRORS, mean, percent } from './asking.mjs';

const WARM = 3;
/** Steps of the fall in which the turbine lands. */
const [FROM, TO] = [280, 320];

export async function growthRow(bench) {
  const { figures, models, quick, repetitions } = bench;
  const [share] = ERRORS;
  figures.begin(
    'growth',
    `a turbine of ${models.turbineMillions} M triangles on 1 to ${models.millions} M (stand-ins), all that meet, warm`,
  );
  const poses = models.posesFile('landing', readPoses(models.fall()).slice(FROM, TO));
  const turbine = models.turbine();
  const points = { exact: [], levels: [] };
  for (const millions of quick ? [0.5, models.millions] : [1, 3, 9, models.millions]) {
    const lucy = models.lucy(millions);
    const job = { query: 'collide', poses, warm: WARM };
    const exact = await ask({ ...job, a: lucy, b: turbine, options: {} }, repetitions);
    const levels = await ask(
      {
        ...job,
        a: await models.store(lucy),
        b: await models.store(turbine),
        options: { error: share * models.lucySize() },
      },
      repetitions,
    );
    // processor time is less sensitive to other programs
    const [exactMs, levelsMs] = [exact, levels].map((runs) => runs.map(({ cpu }) => mean(cpu)));
    figures.add(`${millions} M triangles`, {
      exact: milliseconds(exactMs),
      [`error ${percent(share)}`]: milliseconds(levelsMs),
    });
    points.exact.push([millions, Math.min(...exactMs)]);
    points.levels.push([millions, Math.min(...levelsMs)]);
  }
  for (const [name, line] of Object.entries(points)) {
    figures.add(`exponent, ${name}`, {
      exponent: count(exponentOf(line), quick || name === 'exact' ? undefined : 1),
    });
  }
  bench.writePlot(
    'growth',
    logPlot(
      'All that meets, against the size of one model',
      'million triangles',
      'milliseconds of processor time per query',
      [
        { name: 'exact, in memory', dashed: true, points: points.exact },
        { name: `levels, error ${percent(share)} of the size`, points: points.levels },
      ],
      true,
    ),
  );
}

/** Between the ends. */
function exponentOf(points) {
  const [[x, y], [lastX, lastY]] = [points[0], points.at(-1)];
  return Math.log(lastY / y) / Math.log(lastX / x);
}
