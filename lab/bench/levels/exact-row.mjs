/**
 * Compared with exact queries in memory on the same poses, both warm, and the first query of each. Ratios are of
 * processor time, which is less sensitive to other programs.
 */
import { count, milliseconds, times } from '../measure/figures.mjs';
import { ask, describe, ERRORS, mean, NEAR, percent, quantile } from './asking.mjs';

const WARM = 5;
const FASTER = [3, 10, 30];
/** Permitted ratio on any pose: of distances with an error, of everything else. */
const DISTANCE_SLOWER = 0.8;
const SLOWER = 1.1;
const FIRST_MS = 20;
const LESS_MEMORY = 10;

export async function exactRow({ figures, models, quick, repetitions }) {
  const { millions } = models;
  figures.begin(
    'exact',
    `a turbine of ${models.turbineMillions} M triangles pressed into ${millions} M (stand-ins), or lifted off, one thread, warm`,
  );
  const files = [models.lucy(millions), models.turbine()];
  const stores = [await models.store(files[0]), await models.store(files[1])];
  const size = models.lucySize();
  const around = models.around();
  const pressed = models.posesFile(
    'pressed',
    around.filter(({ kind }) => kind === 'pressed'),
  );
  const apart = models.posesFile(
    'apart',
    around.filter(({ kind }) => kind === 'apart'),
  );
  for (const [name, query, poses, given] of [
    [`all within ${percent(NEAR)}`, 'within', pressed, { distance: NEAR * size }],
    ['all that meet', 'collide', pressed, {}],
    ['distance', 'distance', apart, {}],
  ]) {
    const job = { query, poses, warm: WARM };
    const exact = await ask({ ...job, a: files[0], b: files[1], options: given }, repetitions);
    figures.add(`${name}, exact`, describe(exact));
    const asked = query === 'distance' ? DISTANCE_SLOWER : SLOWER;
    const against = (runs, statistic, most) => ({
      value: runs.map(({ cpu }, run) => statistic(cpu.map((t, pose) => t / exact[run].cpu[pose]))),
      unit: '×',
      asked: quick || most === undefined ? undefined : { most },
    });
    if (query === 'distance') {
      const runs = await ask({ ...job, a: stores[0], b: stores[1], options: given }, repetitions);
      const differ = ({ answers }, run) =>
        answers.filter((d, pose) => !isSame(d, exact[run].answers[pose], size));
      figures.add(`${name}, error 0`, {
        ...describe(runs),
        'median against exact': against(runs, (ratios) => quantile(ratios, 0.5)),
        'slowest pose against exact': against(runs, (ratios) => Math.max(...ratios), SLOWER),
        'other answers': count(runs.map(differ).reduce((sum, { length }) => sum + length, 0)),
      });
    }
    for (const [i, share] of ERRORS.entries()) {
      const options = { ...given, error: share * size };
      const runs = await ask({ ...job, a: stores[0], b: stores[1], options }, repetitions);
      figures.add(`${name}, error ${percent(share)}`, {
        ...describe(runs, quick ? {} : { first: FIRST_MS }),
        faster: times(
          runs.map(({ cpu }, run) => mean(exact[run].cpu) / mean(cpu)),
          quick || query !== 'within' ? undefined : FASTER[i],
        ),
        'median against exact': against(runs, (ratios) => quantile(ratios, 0.5)),
        'slowest pose against exact': against(runs, (ratios) => Math.max(...ratios), asked),
        'less memory': times(
          runs.map(({ peakRss }, run) => exact[run].peakRss / peakRss),
          quick ? undefined : LESS_MEMORY,
        ),
        opened: milliseconds(runs.map(({ opened }) => opened)),
      });
    }
  }
}

/** But for rounding: pieces are stored about their own places. */
function isSame(a, b, size) {
  return Math.abs(a - b) <= 1e-12 * size;
}
