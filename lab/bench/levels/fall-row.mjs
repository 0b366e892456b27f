/**
 * A turbine falls onto a scan, bounces and comes to rest: intersections step by step, in a second pass and from cold.
 */
import { count, milliseconds } from '../measure/figures.mjs';
import { ask, describe, ERRORS, mean, percent } from './asking.mjs';

export async function fallRow({ figures, models, quick, repetitions }) {
  const { millions } = models;
  figures.begin(
    'fall',
    `a turbine of ${models.turbineMillions} M triangles falls onto ${millions} M (stand-ins), 500 steps, one thread: all that meet`,
  );
  const files = [models.lucy(millions), models.turbine()];
  const job = { poses: models.fall(), query: 'collide', options: {} };
  const exact = await ask({ ...job, a: files[0], b: files[1], warm: 1 }, 1);
  figures.add('exact, in memory, with trees built', describe(exact));
  const stores = [await models.store(files[0]), await models.store(files[1])];
  for (const share of ERRORS) {
    const options = { error: share * models.lucySize() };
    const runs = await ask({ ...job, a: stores[0], b: stores[1], options, warm: 1 }, repetitions);
    const asked = quick || share !== ERRORS[0] ? {} : { mean: 2, p99: 10, megabytes: 200 };
    figures.add(`error ${percent(share)} of the size`, {
      ...describe(runs, asked),
      'mean from cold': milliseconds(runs.map(({ first }) => mean(first))),
      'mean processor time from cold': milliseconds(runs.map(({ firstCpu }) => mean(firstCpu))),
      ...paging(runs),
    });
  }
  figures.note('the paper: 18 ms on average, 250 MB with drawing');
}

/** Data read in the first run, the cut of its last step, and how often cuts moved, of both stores together. */
export function paging([{ stats }]) {
  const sum = (name) => stats.reduce((total, side) => total + side[name], 0);
  return {
    'pages read': count(sum('loads')),
    waits: count(sum('waits')),
    cut: count(sum('cut')),
    split: count(sum('split')),
    merged: count(sum('merged')),
  };
}
