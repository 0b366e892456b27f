/** Objects that slide and settle in each other, in the sizes of the CLOD paper. */
import { bowl, cup, numbers, spiralPeg, spoon, wrinkledTorus } from '../contact/index.js';
import { cellOf } from '../deform/cells.js';
import type { SceneMesh } from '../deform/scene-mesh.js';
import { floor } from '../deform/surfaces.js';
import {
  type PlacedBody,
  type RigidScene,
  randomOf,
  randomTurn,
  turnAbout,
  turnAfter,
} from './rigid-scene.js';

export interface SettlingOptions {
  /** Default 1. */
  readonly seed?: number;
  /** Default 1. The models have so many times fewer triangles, squared. */
  readonly coarseness?: number;
}

export interface NumbersBowlOptions extends Pick<SettlingOptions, 'seed'> {
  /** Number of digits; default 10: 0 to 9. */
  readonly count?: number;
}

const COMMON = { hinges: [], dt: 1 / 200, thickness: 0.0002, friction: 0.2 } as const;
/** A spoon (86 016 triangles) falls into a cup (64 000), bowl first, and slides around until it leans on the rim. */
export function spoonCup({ seed = 1, coarseness = 1 }: SettlingOptions = {}): RigidScene {
  const random = randomOf(seed, 5);
  const upright = turnAbout([0, 0, 1], 0.22);
  return {
    ...COMMON,
    error: 0.002,
    shapes: [{ ...spoon(coarseness), density: 7800 }],
    bodies: [
      {
        name: 'spoon',
        shape: 0,
        turn: turnAfter(turnAbout([0, 1, 0], random.next()), upright),
        place: [0.004 * (random.next() - 0.5), 0.05, 0.004 * (random.next() - 0.5)],
        colour: 1,
      },
    ],
    scenery: [table(), cup(coarseness)],
  };
}

/** A wrinkled torus (32 000 triangles) falls down a peg that winds like a corkscrew (32 160). */
export function torusPeg({ seed = 1, coarseness = 1 }: SettlingOptions = {}): RigidScene {
  const random = randomOf(seed, 6);
  return {
    ...COMMON,
    error: 0.002,
    shapes: [{ ...wrinkledTorus(coarseness), density: 1200 }],
    bodies: [
      {
        name: 'torus',
        shape: 0,
        turn: turnAfter(turnAbout([0, 1, 0], random.next()), turnAbout([1, 0, 0], 0.05)),
        place: [0.012, 0.35, 0.01],
        colour: 0,
      },
    ],
    scenery: [table(), spiralPeg(coarseness)],
  };
}

/** Numbers (1 080 triangles each) fall into a bowl (12 288). */
export function numbersBowl({ count = 10, seed = 1 }: NumbersBowlOptions = {}): RigidScene {
  const random = randomOf(seed, 7);
  const spacing = 0.115;
  const bodies = Array.from({ length: count }, (_, i): PlacedBody => {
    const [x, y, z] = cellOf(i, 2);
    return {
      name: `number ${i % 10}`,
      shape: i % 10,
      turn: randomTurn(random),
      place: [(x - 0.5) * spacing, 0.2 + y * spacing, (z - 0.5) * spacing],
      colour: i,
    };
  });
  return {
    ...COMMON,
    shapes: numbers().map((shape) => ({ ...shape, density: 900 })),
    bodies,
    scenery: [table(), bowl()],
  };
}

/** A table under objects whose feet are at height 0. */
function table(): SceneMesh {
  const mesh = floor(0.6, 4);
  return { ...mesh, positions: mesh.positions.map((x, i) => (i % 3 === 1 ? x - 0.0005 : x)) };
}
