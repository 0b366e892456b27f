/** Cubes and balls, as shapes, fall into a heap: time per step, beside those of Rapier and Jolt; none may meet. */
import { fixedBody, rigidBody, Simulation } from '@impinge/dynamics';
import { milliseconds } from '../measure/figures.mjs';
import { findJolt, joltWorld } from './jolt.mjs';
import { findRapier, rapierWorld } from './rapier.mjs';
import { timedSteps } from './steps.mjs';

const HALF = 0.1;
const SPACE = 0.24;
const SIDE = 20;
/** Required share of the time of the fastest Rapier. */
const SHARE = 1.5;

const KINDS = {
  cubes: {
    shape: { min: [-HALF, -HALF, -HALF], max: [HALF, HALF, HALF] },
    solid: { half: [HALF, HALF, HALF] },
    collider: ({ ColliderDesc }) => ColliderDesc.cuboid(HALF, HALF, HALF),
  },
  balls: {
    shape: { centre: [0, 0, 0], radius: HALF },
    solid: { radius: HALF },
    collider: ({ ColliderDesc }) => ColliderDesc.ball(HALF),
  },
};

export async function heapRow({ figures, quick }) {
  const steps = quick ? 40 : 200;
  figures.begin('heap', 'cubes and balls, as shapes, fall into a heap');
  for (const kind of Object.keys(KINDS)) {
    for (const count of quick ? [64] : [512, 1024]) await heap(figures, kind, count, steps, quick);
  }
}

async function heap(figures, kind, count, steps, quick) {
  const { shape, solid, collider } = KINDS[kind];
  const name = `${count} ${kind}, ${steps} steps of 1/60 s`;
  const scene = {
    dt: 1 / 60,
    friction: 0.4,
    shapes: [{ density: 1000 }],
    bodies: places(count).map((place) => ({ shape: 0, turn: [0, 0, 0, 1], place })),
  };
  const theirs = [];
  for (const [contender, rapier] of await findRapier(figures)) {
    const { world } = rapierWorld(
      rapier,
      scene,
      () => collider(rapier),
      (place) => place(rapier.ColliderDesc.cuboid(SIDE, 0.5, SIDE).setTranslation(0, -0.5, 0)),
    );
    const { mean, most } = await timedSteps(steps, () => world.step());
    world.free();
    theirs.push(mean);
    figures.add(name, { mean: milliseconds(mean), most: milliseconds(most) }, contender);
  }
  for (const [contender, jolt] of await findJolt(figures)) {
    const bodies = scene.bodies.map((body) => ({ ...body, ...solid }));
    const world = joltWorld(jolt, bodies, { ...scene, side: SIDE });
    const { mean, most } = await timedSteps(steps, world.step);
    world.free();
    figures.add(name, { mean: milliseconds(mean), most: milliseconds(most) }, contender);
  }
  const simulation = new Simulation({ dt: scene.dt, thickness: 0.001, friction: scene.friction });
  simulation.add(fixedBody({ min: [-SIDE, -1, -SIDE], max: [SIDE, 0, SIDE] }));
  const first = rigidBody(shape);
  for (const [i, { place }] of scene.bodies.entries())
    simulation.add(first.copy({ name: `${i}`, position: place }));
  const { mean, most } = await timedSteps(steps, () => simulation.step());
  figures.assert(simulation.intersections() === 0, 'bodies meet');
  simulation.dispose();
  figures.add(name, {
    mean: milliseconds(mean),
    most: milliseconds(most),
    ...(theirs.length > 0 && {
      "of the fastest Rapier's time": {
        value: mean / Math.min(...theirs),
        unit: '×',
        asked: quick ? undefined : { most: SHARE },
      },
    }),
  });
}

/** A grid about as high as wide, slightly out of line. */
function places(count) {
  const side = Math.round(Math.cbrt(count));
  return Array.from({ length: count }, (_, i) => {
    const [x, z] = [i % side, Math.floor(i / side) % side];
    return [
      SPACE * (x - side / 2) + 0.02 * Math.sin(i),
      0.2 + SPACE * Math.floor(i / (side * side)),
      SPACE * (z - side / 2) + 0.02 * Math.cos(3 * i),
    ];
  });
}
