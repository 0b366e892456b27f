/** The cost of bodies at rest: a sleeping pyramid, compared with only the floor and one box. */
import { count, milliseconds } from '../measure/figures.mjs';
import { openScene, timedSteps } from './steps.mjs';

const STEPS = 2000;
/** Maximum number of steps for a pyramid to come to rest. */
const PATIENCE = 1500;
/** Required microseconds per step and body. */
const ASKED = 0.5;

export async function restRow({ figures, quick }) {
  figures.begin('rest', 'steps of a pyramid that sleeps');
  const means = [];
  for (const rows of quick ? [1, 6] : [1, 20]) {
    const ours = await openScene('pyramid', { count: rows });
    let needed = 0;
    while (needed < PATIENCE && ours.bodies.some(({ asleep }) => !asleep)) {
      await ours.step();
      needed++;
    }
    figures.assert(needed < PATIENCE, `${ours.bodies.length} boxes do not come to rest`);
    const { mean, most } = await timedSteps(STEPS, ours.step);
    means.push({ mean, bodies: ours.bodies.length });
    figures.add(`boxes: ${ours.bodies.length}`, {
      'steps until all sleep': count(needed),
      mean: milliseconds(mean),
      most: milliseconds(most),
    });
    await ours.dispose();
  }
  const [one, many] = means;
  const each = (1000 * (many.mean - one.mean)) / (many.bodies - one.bodies);
  figures.add('each body more', { step: { value: each, unit: 'µs', asked: { most: ASKED } } });
}
