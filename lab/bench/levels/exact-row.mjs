/**
 * Compared with exact queries in memory on the same poses, both warm, and the first query of each. Ratios are of
 * processor time, which is less sensitive to other programs.
 */
import { milliseconds, times } from '../measure/figures.mjs';
import { ask, describe, ERRORS, mean, NEAR, percent } from './asking.mjs';

const WARM = 5;
const FASTER = [3, 10, 30];
/** Permitted ratio on any pose. */
const SLOWER = 1.5;
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
    for (const [i, share] of ERRORS.entries()) {
      const options = { ...given, error: share * size };
      const runs = await ask({ ...job, a: stores[0], b: stores[1], options }, repetitions);
      figures.add(`${name}, error ${percent(share)}`, {
        ...describe(runs, quick ? {} : { first: FIRST_MS }),
        faster: times(
          runs.map(({ cpu }, run) => mean(exact[run].cpu) / mean(cpu)),
          quick || query !== 'within' ? undefined : FASTER[i],
        ),
        'slowest pose against exact': {
          value: runs.map(({ cpu }, run) => Math.max(...cpu.map((t, pose) => t / exact[run].cpu[pose]))),
          unit: '×',
          asked: quick ? undefined : { most: SLOWER },
        },
        'less memory': times(
          runs.map(({ peakRss }, run) => exact[run].peakRss / peakRss),
          quick ? undefined : LESS_MEMORY,
        ),
        opened: milliseconds(runs.map(({ opened }) => opened)),
      });
    }
  }
}
