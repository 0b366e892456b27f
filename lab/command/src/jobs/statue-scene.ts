/** A stored model with levels that falls on another: for example a statue of 28 million triangles on a turbine. */

import { CommandError } from '@impinge/cli/internal/command-error.js';
import { openStoreAt } from '@impinge/cli/internal/jobs/model-file.js';
import { type Body, type BodyLook, fixedBody, storedBody, storedScenery } from '@impinge/dynamics';
import type { StoredModel } from '@impinge/model';
import { PALETTE, sceneryLook } from './scene-colours.js';
import type { SceneChoice, SimulatedScene } from './simulated-scene.js';
import { storedSurface } from './stored-surface.js';
import { turned } from './turned.js';

type Point = readonly [number, number, number];
type Turn = readonly [number, number, number, number];

/** All lengths are shares of the size of the falling model. */
const THICKNESS = 1e-4;
const ERROR = 4e-4;
const DROP = 0.03;
const FLOOR = 3;
/** Models have any unit: it falls as if it had this size, in metres. */
const AS_LARGE_AS = 2;
const MARBLE = [0.9, 0.87, 0.8] as const;
/** From z up, as in stores, to y up. */
const UPRIGHT: Turn = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

export async function statueScene({
  seed,
  model: path,
  on,
  error: asked,
  drawn,
}: SceneChoice): Promise<SimulatedScene> {
  if (path === undefined || on === undefined) {
    throw new CommandError(
      'statue needs --model, the store that falls, and --on, the store it falls on; "impinge pack --levels" packs them',
    );
  }
  const [statue, below] = [await openStoreAt(path), await openStoreAt(on)];
  const [{ middle, half }, ground] = [boxOf(statue), boxOf(below)];
  const size = 2 * Math.max(...half);
  const error = asked ?? ERROR * size;
  // both above the origin; the falling model is turned about the vertical axis
  const turn = afterUpright((0.1 * seed) % 1);
  const target: Point = [0, 2 * ground.half[2] + DROP * size + half[2], 0];
  const body = await storedBody(statue, { density: 2700, orientation: turn });
  const { centre } = body.shape.mass;
  const arm = turned(
    [0, 1, 2].map((k) => centre[k] - middle[k]),
    turn,
  );
  body.position = [target[0] + arm[0], target[1] + arm[1], target[2] + arm[2]];
  const low = turned(ground.middle, UPRIGHT);
  const translation = [-low[0], ground.half[2] - low[1], -low[2]];
  const scenery = storedScenery(below, { pose: { rotation: UPRIGHT, translation } });
  const floor = fixedBody(square(FLOOR * size));
  const looks = new Map<Body, BodyLook>();
  if (drawn) {
    looks.set(body, { colour: MARBLE, surface: await storedSurface(statue, size) });
    const { positions, indices } = await storedSurface(below, size);
    const surface = { positions: posed(positions, UPRIGHT, translation), indices };
    looks.set(scenery, { colour: PALETTE[1], surface });
  }
  const dt = 1 / 120;
  const steps = 240;
  return {
    name: 'statue',
    title: `${body.name} on ${scenery.name}`,
    bodies: [floor, scenery, body],
    options: {
      dt,
      thickness: THICKNESS * size,
      friction: 0.5,
      gravity: [0, (-9.81 * size) / AS_LARGE_AS, 0],
      contacts: { error },
    },
    steps,
    frames: 60 * steps * dt + 1,
    storedTriangles: statue.triangleCount + below.triangleCount,
    lookOf: (one) => looks.get(one) ?? sceneryLook(),
    dispose: async () => {
      await statue.dispose();
      await below.dispose();
    },
  };
}

/** Upright, then about the y axis by a number of turns. */
function afterUpright(turns: number): Turn {
  const [c, s] = [Math.cos(Math.PI * turns), Math.sin(Math.PI * turns)];
  return [c * UPRIGHT[0], s * UPRIGHT[3], -s * UPRIGHT[0], c * UPRIGHT[3]];
}

/** Of all objects, in the coordinates of the model. */
function boxOf({ directory }: StoredModel): { middle: Point; half: Point } {
  const { objectBox } = directory;
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < objectBox.length; i += 6) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], objectBox[i + k]);
      max[k] = Math.max(max[k], objectBox[i + 3 + k]);
    }
  }
  const both = (of: (low: number, high: number) => number): Point => [
    of(min[0], max[0]),
    of(min[1], max[1]),
    of(min[2], max[2]),
  ];
  return { middle: both((low, high) => (low + high) / 2), half: both((low, high) => (high - low) / 2) };
}

function square(side: number) {
  const s = side / 2;
  return { name: 'floor', positions: [-s, 0, -s, s, 0, -s, -s, 0, s, s, 0, s], indices: [0, 2, 1, 1, 2, 3] };
}

function posed(positions: Float32Array, turn: Turn, shift: readonly number[]): Float32Array {
  const out = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    out.set(
      turned(positions.subarray(i, i + 3), turn).map((x, k) => x + shift[k]),
      i,
    );
  }
  return out;
}
