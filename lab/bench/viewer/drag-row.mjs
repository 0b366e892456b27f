/** An object of 5 000 triangles dragged through a plant: its clashes and clearance violations at every move. */
import { openExactModel, quantitiesOf, timeSteps } from './exact-model.mjs';

const TRIANGLES = 5000;
const CLEARANCE = 0.05;
const MOVES = 500;
const WARM_UP = 100;

export async function dragRow({ figures, plant, size, repetitions }) {
  figures.begin('drag', `an object of ${TRIANGLES} triangles, ${MOVES} moves, ${CLEARANCE} m clearance`);
  const exact = await openExactModel(await plant());
  const { model } = exact;
  const off = (object) => Math.abs(model.trianglesOf(object) - TRIANGLES);
  let object = 0;
  for (let other = 1; other < model.objectCount; other++) if (off(other) < off(object)) object = other;
  const runs = [];
  const takes = [];
  const frees = [];
  let violations = 0;
  for (let run = 0; run < repetitions; run++) {
    takes.push((await timeSteps(1, 0, () => exact.take(object, CLEARANCE))).most);
    const start = model.pose(object).slice();
    violations = 0;
    runs.push(
      await timeSteps(MOVES, WARM_UP, async (move) => {
        const pose = start.slice();
        pose[9] += 0.02 * move;
        pose[10] += 0.01 * move;
        pose[11] += 0.8 * Math.sin(0.03 * move);
        const found = (await exact.drag(pose, CLEARANCE)).violations;
        if (move >= 0) violations += found.length;
      }),
    );
    frees.push((await timeSteps(1, 0, () => exact.nearestFree(CLEARANCE))).most);
    exact.putBack();
  }
  figures.assert(violations > 0, 'the object met nothing on its way');
  figures.add(`plant, ${size}`, {
    ...quantitiesOf(runs, 10),
    violations: { value: violations / MOVES, unit: 'per move' },
    take: { value: takes, unit: 'ms' },
    'free place': { value: frees, unit: 'ms' },
    memory: { value: exact.peakBytes / 2 ** 20, unit: 'MiB' },
  });
  await exact.dispose();
  await exact.model.dispose();
}
