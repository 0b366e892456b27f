/** The same scenes with contacts found by each engine that supports them: whole steps from the start. */
import { buildContactLevels, fixedBody, rigidBody, Simulation } from '@impinge/dynamics';
import { Mesh } from 'impinge';
import { torus } from '../../scenes/solids.mjs';
import { milliseconds } from '../measure/figures.mjs';
import { openScene, timedSteps } from './steps.mjs';

const STEPS = 120;
const SCENES = { 'torus-peg': 'torus on peg', 'spoon-cup': 'spoon in cup' };
const ENGINES = ['exact', 'contact-levels', 'auto'];
/** Of a torus of 10 000 triangles that lies on another: errors as shares of the radius. */
const TORUS_ERRORS = [0.035, 0.0035];

export async function enginesRow({ figures, kept, quick }) {
  figures.begin('engines', 'whole steps by each engine, awake all the time');
  const steps = quick ? 30 : STEPS;
  for (const [scene, name] of Object.entries(SCENES).slice(0, quick ? 1 : 2)) {
    for (const engine of ENGINES) {
      const error = engine === 'exact' ? { error: 0 } : {};
      const ours = await openScene(scene, { sleeping: false, kept, engine, ...error });
      await measure(figures, `${name}, ${steps} steps, ${engine}`, steps, ours);
    }
  }
  if (quick) return;
  const tori = openTori();
  for (const share of TORUS_ERRORS) {
    for (const engine of ENGINES) {
      const ours = tori(engine, share);
      await measure(figures, `torus on torus, ${100 * share} %, ${steps} steps, ${engine}`, steps, ours);
    }
  }
}

async function measure(figures, name, steps, ours) {
  const taken = await timedSteps(steps, ours.step);
  figures.add(name, {
    mean: milliseconds(taken.mean),
    most: milliseconds(taken.most),
    'error allowed': { value: 1000 * ours.error, unit: 'mm' },
  });
  figures.assert(ours.simulation.intersections() === 0, `${name}: surfaces meet`);
  await ours.dispose();
}

/** Two tori, nearly parallel: they touch along a circle. */
function openTori() {
  const { positions, indices } = torus(0.1, 0.03, 100, 50);
  const surface = { positions, indices };
  const contactLevels = buildContactLevels(Mesh.from(surface));
  return (engine, share) => {
    const error = engine === 'exact' ? 0 : share * 0.13;
    const simulation = new Simulation({
      dt: 1 / 200,
      thickness: 0.0002,
      sleeping: false,
      contacts: { engine, error },
      gravity: [0, 0, -9.81],
    });
    simulation.add(fixedBody({ name: 'lower', ...surface }, { contactLevels }));
    const turn = [Math.sin(0.01), 0, 0, Math.cos(0.01)];
    const place = { position: [0.002, 0.001, 0.0635], orientation: turn, spin: [0, 0, 1] };
    simulation.add(rigidBody({ name: 'upper', ...surface }, { contactLevels, ...place }));
    return { simulation, error, step: () => simulation.step(), dispose: () => simulation.dispose() };
  };
}
