/**
 * The harness of the contenders of the row `mover`: one object of a plant moves step by step, with a query for the
 * objects it meets at each; then two objects with disjoint boxes are tested many times.
 *
 *   node CONTENDER OBJECTS STEPS
 *
 * Output, tab-separated: `step microseconds`, `met objects in all`, `apart microseconds`. Times are processor times;
 * the whole path is run once before it is timed, so that all trees exist.
 */
import { randomPlant } from './random-plant.mjs';

const REPEATED = 200_000;

/**
 * @param {{
 *   build(objects: object[]): unknown,
 *   step(model: unknown, place: number[]): number,
 *   apart(model: unknown, place: number[]): boolean,
 * }} contender `step` moves the last object and returns how many others it meets; `apart` returns whether the first two
 *   are disjoint, the second unrotated at a position relative to the first
 */
export async function runMover(contender, [objectCount, steps] = process.argv.slice(2).map(Number)) {
  const objects = randomPlant(objectCount, 1);
  const side = 1.55 * Math.cbrt(objectCount);
  const model = await contender.build(objects);
  const go = () => {
    let met = 0;
    for (let i = 0; i < steps; i++) {
      const part = (2 * Math.PI * i) / steps;
      const turn = (frequency) => side * (0.5 + 0.45 * Math.sin(frequency * part));
      met += contender.step(model, [turn(1), turn(2), turn(3)]);
    }
    return met;
  };
  const met = go();
  const stepUs = perCall(steps, go);
  const again = () => {
    for (let i = 0; i < REPEATED; i++) {
      if (!contender.apart(model, [20 + (i % 7), 0.5, 0.25])) throw new Error('they are apart');
    }
  };
  again();
  const apartUs = perCall(REPEATED, again);
  process.stdout.write(`step\t${stepUs}\nmet\t${met}\napart\t${apartUs}\n`);
}

function perCall(calls, run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
