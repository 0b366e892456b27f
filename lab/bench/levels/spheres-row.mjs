/** One sphere in another, 0.1 % apart: every point is near the other surface, the weak case of the paper. */
import { randomRotation, seededRandom } from '../../scenes/index.mjs';
import { count, median } from '../measure/figures.mjs';
import { ask, describe } from './asking.mjs';

const GAP = 0.001;
const POSES = 5;
const WARM = 3;
const MOST_MS = 10;

export async function spheresRow({ figures, models, quick, repetitions }) {
  figures.begin('spheres', 'two of 297 680 triangles, concentric, 0.1 % apart, one thread: distance');
  const files = [models.sphere(1), models.sphere(1 + GAP)];
  const stores = [await models.store(files[0]), await models.store(files[1])];
  const random = seededRandom(300);
  const poses = models.posesFile(
    'spheres',
    Array.from({ length: POSES }, () => ({
      kind: 'gap',
      rotation: Array.from(randomRotation(random)),
      translation: [0, 0, 0],
    })),
  );
  const job = { query: 'distance', poses, options: {}, warm: WARM };
  const exact = await ask({ ...job, a: files[0], b: files[1] }, repetitions);
  figures.add('exact', describe(exact));
  const distance = median(exact[0].answers);
  for (const [name, error] of [
    ['1 % of the distance', 0.01 * distance],
    ['1 % of the size', 0.02],
  ]) {
    const runs = await ask({ ...job, a: stores[0], b: stores[1], options: { error } }, repetitions);
    figures.add(`error ${name}`, {
      ...describe(runs, quick ? {} : { mean: MOST_MS }),
      'widest interval, share of the error': count(
        // except for rounding
        Number((Math.max(...runs[0].bounds.map(([lower, upper]) => upper - lower)) / error).toPrecision(6)),
        1,
      ),
    });
    runs[0].bounds.forEach(([lower, upper], i) => {
      const right = exact[0].answers[i];
      figures.assert(lower <= right && right <= upper, `pose ${i}: ${right} is not in ${lower} … ${upper}`);
    });
  }
}
