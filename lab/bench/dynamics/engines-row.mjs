/** The same scenes with contacts found by each engine that supports them: whole steps from the start. */
import { milliseconds } from '../measure/figures.mjs';
import { openScene, timedSteps } from './steps.mjs';

const STEPS = 120;
const SCENES = { 'torus-peg': 'torus on peg', 'spoon-cup': 'spoon in cup' };

export async function enginesRow({ figures, kept, quick }) {
  figures.begin('engines', 'whole steps by each engine, awake all the time');
  const steps = quick ? 30 : STEPS;
  for (const [scene, name] of Object.entries(SCENES).slice(0, quick ? 1 : 2)) {
    for (const engine of ['exact', 'contact-levels']) {
      const error = engine === 'exact' ? { error: 0 } : {};
      const ours = await openScene(scene, { sleeping: false, kept, ...error });
      const taken = await timedSteps(steps, ours.step);
      figures.add(`${name}, ${steps} steps, ${engine}`, {
        mean: milliseconds(taken.mean),
        most: milliseconds(taken.most),
        'error allowed': { value: 1000 * ours.error, unit: 'mm' },
      });
      figures.assert(ours.simulation.intersections() === 0, `${name}: surfaces meet`);
      await ours.dispose();
    }
  }
}
