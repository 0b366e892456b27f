/** Simulated scenes, stepped and timed. */
import { Simulation } from '@impinge/dynamics';
import { nodePool } from 'impinge/node';
import { readScene } from '../../command/dist/jobs/read-scene.js';

/** Unmeasured steps at the beginning: compilers warm up, and the start is checked. */
export const WARM_UP = 10;

/** A scene of the lab in a simulation; `kept` is a folder for contact levels. */
export async function openScene(name, { count, error, engine, kept, workers = 0, ...options } = {}) {
  const choice = {
    seed: 1,
    ...(count && { count }),
    ...(error !== undefined && { error }),
    ...(engine && { engine }),
    ...(kept && { contactLevels: kept }),
  };
  const scene = await readScene(name, choice);
  const pool = workers > 0 ? nodePool(workers) : undefined;
  const simulation = new Simulation({ ...scene.options, ...options, ...(pool && { pool }) });
  for (const body of scene.bodies) simulation.add(body);
  for (const joint of scene.joints ?? []) simulation.join(joint);
  return {
    simulation,
    bodies: scene.bodies.filter(({ rigid }) => rigid),
    error: scene.options.contacts?.error ?? 0,
    step: () => {
      scene.act?.();
      return pool ? simulation.stepParallel() : simulation.step();
    },
    async dispose() {
      simulation.dispose();
      await pool?.dispose();
    },
  };
}

/**
 * Milliseconds of steps without the warm-up, and the number of steps made within `patience` seconds. `after` is not
 * timed.
 */
export async function timedSteps(steps, step, after = () => {}, patience = Infinity) {
  const times = [];
  const deadline = performance.now() + 1000 * patience;
  let made = 0;
  while (made < steps && performance.now() < deadline) {
    const start = performance.now();
    await step();
    made++;
    if (made > Math.min(WARM_UP, steps >> 1)) times.push(performance.now() - start);
    after(made);
  }
  const sum = times.reduce((total, ms) => total + ms, 0);
  return { made, mean: sum / Math.max(1, times.length), most: times.reduce((a, b) => Math.max(a, b), 0) };
}

/** Kinetic and potential energy. */
export function wholeEnergy(bodies) {
  return bodies.reduce((sum, body) => sum + body.energy() + 9.81 * body.mass * body.position[1], 0);
}

/** Pose of the shape of each body. */
export function posesOf(bodies) {
  return bodies.map((body) => {
    const from = body.turned(body.shape.mass.centre);
    return {
      rotation: body.orientation,
      translation: body.position.map((x, k) => x - from[k]),
    };
  });
}
