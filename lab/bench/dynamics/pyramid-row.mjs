/** A pyramid of boxes for thirty seconds, without sleeping: time per step, and whether it stands. */
import { pyramid } from '@impinge/scenes/rigid';
import { milliseconds } from '../measure/figures.mjs';
import { findJolt, joltWorld } from './jolt.mjs';
import { cuboidOf, findRapier, halfOf, rapierWorld } from './rapier.mjs';
import { openScene, timedSteps } from './steps.mjs';

/** Boxes that sank by more than half their height, in metres, have left their row. */
const ROW = 0.125;
/** Rounds of Jolt's solver: with its usual 10 and 2 the pyramid falls within five seconds. */
const JOLT_ROUNDS = [20, 4];
/** Required share of the time of the fastest Rapier per step. */
const SHARE = 2;

export async function pyramidRow({ figures, quick }) {
  const rows = quick ? 8 : 20;
  const steps = quick ? 120 : 1800;
  const scene = pyramid({ rows });
  const name = `${rows} rows, ${steps} steps of 1/60 s`;
  figures.begin('pyramid', `a pyramid of ${scene.bodies.length} boxes; nothing sleeps`);
  const theirs = [];
  for (const [contender, rapier] of await findRapier(figures)) {
    const { world, bodies } = rapierWorld(
      rapier,
      scene,
      (shape) => cuboidOf(rapier, shape),
      (place) => place(rapier.ColliderDesc.cuboid(rows, 0.5, rows).setTranslation(0, -0.5, 0)),
      { sleeping: false },
    );
    const { mean, most } = await timedSteps(steps, () => world.step());
    const places = bodies.map((body) => Object.values(body.translation()));
    world.free();
    theirs.push(mean);
    const figuresOf = { mean: milliseconds(mean), most: milliseconds(most), ...standing(scene, places) };
    figures.add(name, figuresOf, contender);
  }
  for (const [contender, jolt] of await findJolt(figures)) {
    const solids = scene.shapes.map((shape) => ({ half: halfOf(shape), density: shape.density }));
    const bodies = scene.bodies.map((body) => ({ ...body, ...solids[body.shape] }));
    const world = joltWorld(jolt, bodies, { ...scene, side: rows, sleeping: false, rounds: JOLT_ROUNDS });
    const { mean, most } = await timedSteps(steps, world.step);
    const places = world.ends().map(({ place }) => place);
    world.free();
    figures.add(
      name,
      { mean: milliseconds(mean), most: milliseconds(most), ...standing(scene, places) },
      contender,
    );
  }
  const ours = await openScene('pyramid', { count: rows, sleeping: false });
  const taken = await timedSteps(steps, ours.step);
  const standingNow = standing(
    scene,
    ours.bodies.map(({ position }) => position),
  );
  figures.assert(standingNow.fallen.value === 0, 'the pyramid does not stand');
  figures.assert(ours.simulation.intersections() === 0, 'boxes meet');
  await ours.dispose();
  figures.add(name, {
    mean: milliseconds(taken.mean),
    most: milliseconds(taken.most),
    ...standingNow,
    ...(theirs.length > 0 && {
      "of the fastest Rapier's time": {
        value: taken.mean / Math.min(...theirs),
        unit: '×',
        asked: quick ? undefined : { most: SHARE },
      },
    }),
  });
}

/** The number of boxes no longer in their rows, and the largest displacement. */
function standing({ bodies }, places) {
  const ways = bodies.map(({ place }, i) => Math.hypot(...place.map((x, k) => x - places[i][k])));
  return {
    fallen: { value: bodies.filter(({ place }, i) => place[1] - places[i][1] > ROW).length, unit: 'boxes' },
    moved: { value: 1000 * Math.max(...ways), unit: 'mm' },
  };
}
