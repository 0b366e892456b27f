/**
 * What the contenders of the row `mover` have in common: one object of a plant goes a way, step by step, and is asked
 * what it meets; then two of them, one beyond the other's box, are asked again and again whether they meet.
 *
 *   node CONTENDER OBJECTS STEPS
 *
 * Output, tab-separated: `step microseconds`, `met objects in all`, `apart microseconds`. Times are of the processor;
 * the whole way is gone once before it is timed, so that all trees are there.
 */
import { randomPlant } from './random-plant.mjs';

const REPEATED = 200_000;

/**
 * @param {{
 *   build(objects: object[]): unknown,
 *   step(model: unknown, place: number[]): number,
 *   apart(model: unknown, place: number[]): boolean,
 * }} contender `step` moves the last object and says how many others it meets; `apart` whether the first two are, the
 *   second of them, unturned, at a place seen from the first
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
