/** Scenes of cloth and soft bodies. */

import { CommandError } from '@impinge/cli/internal/command-error.js';
import { readModel } from '@impinge/cli/internal/formats/read-model.js';
import { multiply } from '@impinge/cli/internal/matrix.js';
import { placedObjects } from '@impinge/cli/internal/placed-model.js';
import {
  type Body,
  type BodyLook,
  cloth,
  fixedBody,
  kinematicBody,
  ShapeMatchingBodies,
  softVolume,
} from '@impinge/dynamics';
import {
  type ClothBunnyOptions,
  clothBall,
  clothBunny,
  letters,
  type ScenePose,
  tori,
  turnedAt,
} from '@impinge/scenes/deform';
import type { Pose } from 'impinge';
import { PALETTE, sceneryLook } from './scene-colours.js';
import type { SceneChoice, SimulatedScene } from './simulated-scene.js';

/** (x, y, z) ↦ (x, z, −y), column by column. */
const Z_UP_TO_Y_UP = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1] as const;
/** Every frame contains every vertex: more of them make large files. */
const FRAMES = 60;
const CLOTH = [0.16, 0.42, 0.68] as const;
const MODEL = [0.86, 0.72, 0.56] as const;

export function toriScene({ seed }: SceneChoice): SimulatedScene {
  const scene = tori({ seed });
  const rings = scene.tori.map((torus) => softVolume(torus));
  const looks = new Map<Body, BodyLook>(
    rings.map((ring, i) => [ring, { colour: PALETTE[i % PALETTE.length] }]),
  );
  return {
    name: 'tori',
    title: `${rings.length} soft tori`,
    bodies: [fixedBody(scene.tray), ...rings],
    options: { dt: 1 / 200, thickness: 0.004, friction: 0.4 },
    steps: 600,
    frames: FRAMES,
    lookOf: (body) => looks.get(body) ?? sceneryLook(),
  };
}

export async function clothBunnyScene({ seed, model }: SceneChoice): Promise<SimulatedScene> {
  const scene = clothBunny({ seed, ...(model !== undefined && { model: await modelBelow(model) }) });
  const sheet = cloth(scene.cloth);
  const below = fixedBody(scene.model);
  return {
    name: 'cloth-bunny',
    title: `A cloth on ${model === undefined ? 'a bunny' : scene.model.name}`,
    bodies: [fixedBody(scene.floor), below, sheet],
    options: { dt: 1 / 200, thickness: 0.002, friction: 0.3 },
    steps: 400,
    frames: FRAMES,
    lookOf: (body) =>
      body === sheet
        ? { colour: CLOTH, doubleSided: true }
        : body === below
          ? { colour: MODEL }
          : sceneryLook(),
  };
}

async function modelBelow(path: string): Promise<NonNullable<ClothBunnyOptions['model']>> {
  const model = await readModel(path, { up: 'y' });
  const objects = placedObjects([model], model.metresPerUnit, undefined);
  if (objects.length !== 1)
    throw new CommandError(`${path}: has ${objects.length} objects; --model takes one`);
  const [object] = objects;
  const mesh = object.mesh.transformed(object.pose ? multiply(Z_UP_TO_Y_UP, object.pose) : Z_UP_TO_Y_UP);
  const { origin } = mesh;
  const positions = mesh.positions.map((x, i) => x + origin[i % 3]);
  return { name: mesh.name ?? 'model', positions, indices: mesh.indices.slice() };
}

export function lettersScene({ seed }: SceneChoice): SimulatedScene {
  const scene = letters({ seed });
  const placements = scene.letters.map(({ shape, pose, name }) => ({ shape, name, pose: poseOf(pose) }));
  const { bodies } = new ShapeMatchingBodies(scene.shapes, placements);
  const looks = new Map<Body, BodyLook>(
    bodies.map((body, i) => [body, { colour: PALETTE[scene.letters[i].shape % PALETTE.length] }]),
  );
  return {
    name: 'letters',
    title: `${bodies.length} letters`,
    bodies: [fixedBody(scene.tray), ...bodies],
    options: { dt: 1 / 100, thickness: 0.002, friction: 0.3 },
    steps: 100,
    frames: FRAMES,
    lookOf: (body) => looks.get(body) ?? sceneryLook(),
  };
}

function poseOf(pose: ScenePose): Pose {
  return { rotation: pose.subarray(0, 9), translation: pose.subarray(9) };
}

export function clothBallScene({ seed }: SceneChoice): SimulatedScene {
  const scene = clothBall({ seed });
  const sheet = cloth(scene.cloth);
  const ball = kinematicBody(scene.ball, (time) => poseOf(turnedAt(scene.turn, time)));
  return {
    name: 'cloth-ball',
    title: 'A cloth on a turning ball',
    bodies: [fixedBody(scene.floor), ball, sheet],
    options: { dt: 1 / 200, thickness: 0.0015, friction: 0.5 },
    steps: 500,
    frames: FRAMES,
    lookOf: (body) =>
      body === sheet
        ? { colour: CLOTH, doubleSided: true }
        : body === ball
          ? { colour: PALETTE[0] }
          : sceneryLook(),
  };
}
