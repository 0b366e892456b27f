/** Scenes of rigid bodies, from the descriptions in `@impinge/scenes/rigid`. */
import type { BodyLook, ContactLevels } from '@impinge/dynamics';
import { type Body, fixedBody, type RigidBody, rigidBody } from '@impinge/dynamics';
import type { SceneMesh } from '@impinge/scenes/deform';
import {
  dominoes,
  gears,
  numbersBowl,
  nutBolt,
  pile,
  pyramid,
  type RigidScene,
  type SceneTorque,
  spoonCup,
  torusPeg,
} from '@impinge/scenes/rigid';
import { Mesh } from 'impinge';
import { contactLevelsOf } from './kept-levels.js';
import { PALETTE, sceneryLook } from './scene-colours.js';
import type { SceneChoice, SimulatedScene } from './simulated-scene.js';
import { turned } from './turned.js';

/** Models with fewer triangles are compared as quickly without contact levels. */
const LEVELS_FROM = 8000;

export function pyramidScene(choice: SceneChoice): Promise<SimulatedScene> {
  const { seed, count: rows } = choice;
  const scene = pyramid({ seed, ...(rows && { rows }) });
  return simulated(choice, scene, 'pyramid', `A pyramid of ${scene.bodies.length} boxes`, 300);
}

export function dominoesScene(choice: SceneChoice): Promise<SimulatedScene> {
  const { seed, count } = choice;
  const scene = dominoes({ seed, ...(count && { count }) });
  const { length } = scene.bodies;
  return simulated(choice, scene, 'dominoes', `${length} dominoes`, 150 + 7 * length);
}

export function gearsScene(choice: SceneChoice): Promise<SimulatedScene> {
  const scene = gears(choice);
  return simulated(choice, scene, 'gears', `Gears of ${scene.teeth.join(', ')} teeth`, 1200);
}

export function nutBoltScene(choice: SceneChoice): Promise<SimulatedScene> {
  return simulated(choice, nutBolt(choice), 'nut-bolt', 'A nut on a bolt', 2000);
}

export function pileScene(choice: SceneChoice): Promise<SimulatedScene> {
  const { seed, count } = choice;
  const scene = pile({ seed, ...(count && { count }) });
  return simulated(choice, scene, 'pile', `A pile of ${scene.bodies.length} rings and letters`, 400);
}

export function spoonCupScene(choice: SceneChoice): Promise<SimulatedScene> {
  return simulated(choice, spoonCup(choice), 'spoon-cup', 'A spoon in a cup', 400);
}

export function torusPegScene(choice: SceneChoice): Promise<SimulatedScene> {
  return simulated(choice, torusPeg(choice), 'torus-peg', 'A torus on a spiral peg', 240);
}

export function numbersBowlScene(choice: SceneChoice): Promise<SimulatedScene> {
  const { seed, count } = choice;
  const scene = numbersBowl({ seed, ...(count && { count }) });
  return simulated(choice, scene, 'numbers-bowl', `${scene.bodies.length} numbers in a bowl`, 400);
}

async function simulated(
  { error: asked, speedError, engine = 'auto', onBuild, contactLevels: folder }: SceneChoice,
  scene: RigidScene,
  name: string,
  title: string,
  steps: number,
): Promise<SimulatedScene> {
  const error = asked ?? scene.error ?? 0;
  const levelsOf: LevelsOf = async (mesh) => {
    if ((error === 0 && !speedError) || mesh.indices.length < 3 * LEVELS_FROM) return {};
    return {
      contactLevels: await contactLevelsOf(Mesh.from(mesh), folder, () => onBuild?.(mesh.name)),
    };
  };
  const bodies = await bodiesOf(scene, levelsOf);
  const scenery: Body[] = [];
  for (const mesh of scene.scenery) scenery.push(fixedBody(mesh, await levelsOf(mesh)));
  const looks = new Map<Body, BodyLook>(
    bodies.map((body, i) => [body, { colour: PALETTE[scene.bodies[i].colour % PALETTE.length] }]),
  );
  const { dt, thickness, friction } = scene;
  const speed = speedError && { seconds: speedError };
  const allowed = speed ? { size: error, speed, combined: 'max' as const } : error;
  return {
    name,
    title,
    bodies: [...scenery, ...bodies],
    joints: scene.hinges.map(({ body, axis, speed, most }) => ({
      kind: 'hinge',
      a: bodies[body],
      axis,
      at: scene.bodies[body].place,
      ...(speed !== undefined && { motor: { speed, ...(most !== undefined && { most }) } }),
    })),
    act: () => {
      for (const torque of scene.turned ?? []) turn(bodies[torque.body], torque);
    },
    options: { dt, thickness, friction, contacts: { engine, error: allowed } },
    steps,
    frames: framesOf(steps, dt),
    lookOf: (body) => looks.get(body) ?? sceneryLook(),
  };
}

type LevelsOf = (mesh: SceneMesh) => Promise<{ readonly contactLevels?: ContactLevels }>;

/** In the order of the scene. Bodies of one shape share it. */
async function bodiesOf({ shapes, bodies }: RigidScene, levelsOf: LevelsOf): Promise<RigidBody[]> {
  const first = new Map<number, RigidBody>();
  const all: RigidBody[] = [];
  for (const { name, shape, turn, place } of bodies) {
    const { density, ...surface } = shapes[shape];
    const original = first.get(shape) ?? rigidBody(surface, { density, ...(await levelsOf(surface)) });
    first.set(shape, original);
    const centre = turned(original.position, turn);
    const position = centre.map((x, k) => x + place[k]);
    all.push(original.copy({ name, position, orientation: turn }));
  }
  return all;
}

/** Two forces, across the axis and across each other's arm; less near the speed. */
function turn(body: RigidBody, { axis, speed, most }: SceneTorque): void {
  const spin = axis.reduce((sum, x, k) => sum + x * body.spin[k], 0);
  const force = most * Math.max(-1, Math.min(1, 10 * (speed - spin)));
  const across = Math.abs(axis[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const along = cross(axis, across);
  const arm = cross(along, axis);
  const length = Math.hypot(...along);
  for (const side of [1, -1]) {
    body.applyForce(
      along.map((x) => (side * force * x) / length),
      body.position.map((x, k) => x + (side * arm[k]) / (2 * length)),
    );
  }
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Sixty per second, and the first. */
function framesOf(steps: number, dt: number): number {
  return Math.max(2, Math.min(steps, Math.round(60 * steps * dt)) + 1);
}
