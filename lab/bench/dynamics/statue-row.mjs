/**
 * A scan of 28.9 M triangles falls on a turbine of 1.7 M, both in stores: whole steps of the command, and peak memory
 * of its process. In an untimed run, the originals are compared exactly at the ends of steps.
 */
import { count, megabytes, milliseconds } from '../measure/figures.mjs';
import { measureLab } from '../measure/measure-child.mjs';

const STEPS = 240;
/** Steps between two comparisons of the originals. */
const COMPARED = 4;
/** Required steps per second and megabytes. */
const ASKED = { rate: 200, memory: 200 };

export async function statueRow({ figures, models, repetitions, quick }) {
  figures.begin('statue', 'a stored statue falls on a stored turbine');
  const statue = await models.store(models.lucy(models.millions));
  const turbine = await models.store(models.turbine());
  const steps = quick ? 40 : STEPS;
  const simulate = (...more) =>
    measureLab(
      'simulate',
      'statue',
      ...['--model', statue],
      ...['--on', turbine],
      ...['--steps', String(steps)],
      ...more,
    );
  const runs = [];
  for (let run = 0; run < repetitions; run++) runs.push(await simulate());
  const { triangles } = runs[0].result;
  figures.add(`${(triangles / 1e6).toFixed(1)} M triangles, ${steps} steps`, {
    mean: milliseconds(runs.map(({ result }) => result.stepMs.mean)),
    most: milliseconds(runs.map(({ result }) => result.stepMs.most)),
    rate: {
      value: runs.map(({ result }) => 1000 / result.stepMs.mean),
      unit: 'steps/s',
      asked: quick ? undefined : { least: ASKED.rate },
    },
    memory: megabytes(
      runs.map(({ peakRss }) => peakRss),
      quick ? undefined : ASKED.memory,
    ),
  });
  const { checkedSteps, intersections } = (await simulate('--check', String(COMPARED))).result;
  figures.add('originals at the ends of steps', {
    compared: count(checkedSteps),
    'pairs that meet': count(intersections, 0),
  });
  figures.assert(intersections === 0, `${intersections} pairs of originals meet in ${checkedSteps} poses`);
}
