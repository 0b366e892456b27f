/** A dragon on its way through a plant, deep in contact: intersections step by step, in a second pass and from cold. */
import { milliseconds } from '../measure/figures.mjs';
import { ask, describe, ERRORS, mean, percent } from './asking.mjs';
import { paging } from './fall-row.mjs';
import { DRAGON_LENGTH } from './models.mjs';

/** Permitted ratio on average, in processor time. */
const SLOWER = 1.5;

export async function plantRow({ figures, models, quick, repetitions }) {
  const millions = models.plantTriangles / 1e6;
  figures.begin('plant', `a dragon of 871 414 through ${millions} M triangles, one thread: all that meet`);
  const dragon = models.dragon();
  const job = { poses: models.posesFile('through', models.through()), query: 'collide', options: {} };
  const exact = await ask({ ...job, a: `plant ${models.plantTriangles}`, b: dragon, warm: 1 }, 1);
  figures.add('exact, in memory, with trees built', describe(exact));
  const [plant, body] = [await models.plantStore(), await models.store(dragon)];
  for (const share of ERRORS) {
    const options = { error: share * DRAGON_LENGTH };
    const runs = await ask({ ...job, a: plant, b: body, options, warm: 1 }, repetitions);
    figures.add(`error ${percent(share)} of the dragon`, {
      ...describe(runs, quick ? {} : { mean: 5 }),
      'against exact': {
        value: runs.map(({ cpu }) => mean(cpu) / mean(exact[0].cpu)),
        unit: '×',
        asked: quick ? undefined : { most: SLOWER },
      },
      'mean from cold': milliseconds(runs.map(({ first }) => mean(first))),
      'mean processor time from cold': milliseconds(runs.map(({ firstCpu }) => mean(firstCpu))),
      ...paging(runs),
    });
  }
  figures.note('the paper: 55 ms on average');
}
