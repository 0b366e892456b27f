/** Scenes of rigid bodies, made of what `@impinge/scenes/rigid` describes. */
import {
  dominoes,
  gears,
  numbersBowl,
  pile,
  pyramid,
  type RigidScene,
  type SceneTurn,
  spoonCup,
  torusPeg,
} from '@impinge/scenes/rigid';
import { type Body, fixedBody, type RigidBody, rigidBody } from 'impinge/dynamics';
import { PALETTE, sceneryLook } from './scene-colours.js';
import type { SceneChoice, SimulatedScene } from './simulated-scene.js';
import type { BodyLook } from './simulation-recorder.js';

export function pyramidScene({ seed, count: rows }: SceneChoice): SimulatedScene {
  const scene = pyramid({ seed, ...(rows && { rows }) });
  return simulated(scene, 'pyramid', `A pyramid of ${scene.bodies.length} boxes`, 300);
}

export function dominoesScene({ seed, count }: SceneChoice): SimulatedScene {
  const scene = dominoes({ seed, ...(count && { count }) });
  const { length } = scene.bodies;
  return simulated(scene, 'dominoes', `${length} dominoes`, 150 + 7 * length);
}

export function gearsScene({ seed }: SceneChoice): SimulatedScene {
  const scene = gears({ seed });
  return simulated(scene, 'gears', `Gears of ${scene.teeth.join(', ')} teeth`, 1200);
}

export function pileScene({ seed, count }: SceneChoice): SimulatedScene {
  const scene = pile({ seed, ...(count && { count }) });
  return simulated(scene, 'pile', `A pile of ${scene.bodies.length} rings and letters`, 400);
}

export function spoonCupScene({ seed }: SceneChoice): SimulatedScene {
  return simulated(spoonCup({ seed }), 'spoon-cup', 'A spoon in a cup', 400);
}

export function torusPegScene({ seed }: SceneChoice): SimulatedScene {
  return simulated(torusPeg({ seed }), 'torus-peg', 'A torus on a spiral peg', 240);
}

export function numbersBowlScene({ seed, count }: SceneChoice): SimulatedScene {
  const scene = numbersBowl({ seed, ...(count && { count }) });
  return simulated(scene, 'numbers-bowl', `${scene.bodies.length} numbers in a bowl`, 400);
}

function simulated(scene: RigidScene, name: string, title: string, steps: number): SimulatedScene {
  const bodies = bodiesOf(scene);
  const looks = new Map<Body, BodyLook>(
    bodies.map((body, i) => [
      body,
      { name: body.name, colour: PALETTE[scene.bodies[i].colour % PALETTE.length] },
    ]),
  );
  const { dt, thickness, friction } = scene;
  return {
    name,
    title,
    bodies: [...scene.scenery.map((mesh) => fixedBody(mesh)), ...bodies],
    joints: scene.hinges.map(({ body, axis, speed }) => ({
      kind: 'hinge',
      body: bodies[body],
      axis,
      at: scene.bodies[body].place,
      ...(speed !== undefined && { motor: { speed } }),
    })),
    options: { dt, thickness, friction },
    steps,
    frames: framesOf(steps, dt),
    lookOf: (body) => looks.get(body) ?? sceneryLook(body),
  };
}

/** In the order of the scene's. Those of one shape share it. */
export function bodiesOf({ shapes, bodies }: RigidScene): RigidBody[] {
  const first = new Map<number, RigidBody>();
  return bodies.map(({ name, shape, turn, place }) => {
    const { density, ...surface } = shapes[shape];
    const original = first.get(shape) ?? rigidBody(surface, { density });
    first.set(shape, original);
    const centre = turned(original.position, turn);
    const position = centre.map((x, k) => x + place[k]);
    return original.copy({ name, position, orientation: turn });
  });
}

/** Sixty a second, and the first. */
function framesOf(steps: number, dt: number): number {
  return Math.max(2, Math.min(steps, Math.round(60 * steps * dt)) + 1);
}

function turned([px, py, pz]: readonly number[], [x, y, z, w]: SceneTurn): number[] {
  const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
  return [px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx];
}
