/** A dragon on its way through a plant, deep in contact: what meets, step by step. */
import { ask, describe, ERRORS, percent } from './asking.mjs';
import { paging } from './fall-row.mjs';
import { DRAGON_LENGTH } from './models.mjs';

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
    const runs = await ask({ ...job, a: plant, b: body, options }, repetitions);
    const asked = quick || share !== ERRORS[0] ? {} : { mean: 5 };
    figures.add(`error ${percent(share)} of the dragon`, { ...describe(runs, asked), ...paging(runs) });
  }
  figures.note('the paper: 55 ms on average');
}
