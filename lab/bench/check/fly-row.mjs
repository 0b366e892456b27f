/** A body of 4 000 triangles moving through a plant, step by step. */
import { count, megabytes, milliseconds } from '../measure/figures.mjs';
import { measureLab } from '../measure/measure-child.mjs';

export async function flyRow(bench) {
  const { figures, quick, steps, repetitions } = bench;
  const size = quick ? '300K' : '15M';
  figures.begin('fly', `a person of 4 000 triangles through ${size} triangles, cap 160 MB, ${steps} steps`);
  const plant = await bench.plant(size);
  const asked = quick ? {} : { mean: 1, p99: 5, waited: 0 };
  const walk = ['--path', plant.walk];
  const wander = ['--wander', String(steps), '--seed', '7'];
  for (const [name, options, limits] of [
    ['walk, collide', walk, asked],
    ['walk, closer than 100 mm', [...walk, '--within', '100mm'], asked],
    ['wander through everything, collide', wander, {}],
    ['wander through everything, closer than 100 mm', [...wander, '--within', '100mm'], {}],
  ]) {
    const runs = [];
    for (let i = 0; i < repetitions; i++) runs.push(await measureLab('fly', plant.store, ...options));
    const each = (quantity) => runs.map(({ result }) => result[quantity]);
    const [{ result }] = runs;
    figures.add(`${size} ${name}`, {
      mean: milliseconds(each('meanMs'), limits.mean),
      median: milliseconds(each('medianMs')),
      p99: milliseconds(each('p99Ms'), limits.p99),
      max: milliseconds(each('maxMs')),
      'steps that waited': count(each('stepsThatWaited'), limits.waited),
      'steps with contact': count(result.stepsWithContact),
      'pages read': count(result.pagesRead),
      'peak RSS': megabytes(runs.map(({ peakRss }) => peakRss)),
    });
  }
  figures.note('the paper: a few milliseconds per step');
}
