/** A body of 4 000 triangles moving through a plant, step by step. */
import { count, megabytes, milliseconds } from '../measure/figures.mjs';
import { measureCommand } from '../measure/measure-child.mjs';

export async function flyRow(bench) {
  const { figures, quick, steps } = bench;
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
    const { peakRss, result } = await measureCommand('fly', plant.store, ...options);
    figures.add(`${size} ${name}`, {
      mean: milliseconds(result.meanMs, limits.mean),
      median: milliseconds(result.medianMs),
      p99: milliseconds(result.p99Ms, limits.p99),
      max: milliseconds(result.maxMs),
      'steps that waited': count(result.stepsThatWaited, limits.waited),
      'steps with contact': count(result.stepsWithContact),
      'pages read': count(result.pagesRead),
      'peak RSS': megabytes(peakRss),
    });
  }
  figures.note('the paper: a few milliseconds per step');
}
