/** A person in a plant who walks towards one object after another, runs into them and slides along them. */
import { plant as plantOf, walk as walkOf } from '@impinge/scenes/plant';
import { openExactModel, quantitiesOf, timeSteps } from './exact-model.mjs';

const STEPS = 500;
const WARM_UP = 100;
/** Metres, and metres per step: a brisk walk at 60 steps per second. */
const BODY = { radius: 0.25, height: 1.75, ledge: 0.25, fall: 0.15 };
const PACE = 0.035;
const STEPS_TO_A_GOAL = 80;

export async function walkRow({ figures, plant, size, quick, repetitions }) {
  figures.begin('walk', `${STEPS} steps of ${PACE} m through a plant`);
  const exact = await openExactModel(await plant());
  const triangles = quick ? 300e3 : 15e6;
  const [first] = walkOf(plantOf({ triangles, seed: 1 }), { steps: 1 }).steps;
  const things = thingsAtHand(exact.model);
  const runs = [];
  let hindered = 0;
  let standing = 0;
  for (let run = 0; run < repetitions; run++) {
    let at = first.slice(9, 12);
    let goal = at;
    hindered = standing = 0;
    runs.push(
      await timeSteps(STEPS, WARM_UP, async (step) => {
        if (step % STEPS_TO_A_GOAL === 0) goal = goalNear(things, at, Math.abs(step));
        const heading = Math.atan2(goal[1] - at[1], goal[0] - at[0]);
        const towards = [at[0] + PACE * Math.cos(heading), at[1] + PACE * Math.sin(heading), at[2]];
        const went = await exact.walk(at, towards, BODY);
        if (!went.free) throw new Error('the walk ends in something');
        const gone = Math.hypot(went.at[0] - at[0], went.at[1] - at[1]);
        at = went.at;
        if (step < 0) return;
        if (gone < 0.99 * PACE) hindered++;
        if (went.standing) standing++;
      }),
    );
  }
  figures.assert(hindered > 0, 'nothing was in the way');
  figures.add(`plant, ${size}`, {
    ...quantitiesOf(runs, 4),
    hindered: { value: hindered, unit: 'steps' },
    standing: { value: standing, unit: 'steps' },
  });
  await exact.dispose();
  await exact.model.dispose();
}

/** The centres of objects within a person's height. */
function thingsAtHand(model) {
  const out = [];
  for (let object = 0; object < model.objectCount; object++) {
    const [x, y, z, toX, toY, toZ] = model.box(object);
    if (z < 1 && toZ > 0.5 && toX - x < 3 && toY - y < 3) out.push([0.5 * (x + toX), 0.5 * (y + toY)]);
  }
  return out;
}

/** One of the nearest, a different one each time. */
function goalNear(things, [x, y], turn) {
  const far = ([p, q]) => Math.hypot(p - x, q - y);
  const near = things.filter((thing) => far(thing) > 1).sort((p, q) => far(p) - far(q));
  return near[(7 * turn) % Math.min(40, near.length)];
}
