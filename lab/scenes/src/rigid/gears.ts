/** A train of gears on fixed axes. A motor turns the first, teeth turn the rest, and a brake is on the last. */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { floor, turned } from '../deform/surfaces.js';
import { circlePoint } from '../deform/turning.js';
import { box } from './box.js';
import { BORE, gear, MODULE, pitchRadius } from './gear.js';
import {
  type PlacedBody,
  type RigidScene,
  randomOf,
  type SceneHinge,
  type ScenePoint,
  turnAbout,
} from './rigid-scene.js';

export interface GearsOptions {
  /** Default 1. Selects the initial angle of the first gear. */
  readonly seed?: number;
}

export interface GearsScene extends RigidScene {
  /** Of each body. */
  readonly teeth: readonly number[];
}

const TEETH = [20, 40, 18, 30, 24];
/** Direction from each gear to the next, in turns from the x axis. */
const DIRECTIONS = [0.06, -0.14, 0.05, 0.17];
const FIRST: ScenePoint = [-0.42, 0.36, 0];
/** Radians per second. */
const SPEED = 2;
/** N m: enough that teeth stay together, and do not rattle. */
const BRAKE = 0.5;
const Z: ScenePoint = [0, 0, 1];

export function gears({ seed = 1 }: GearsOptions = {}): GearsScene {
  const bodies: PlacedBody[] = [];
  const hinges: SceneHinge[] = [];
  let place = FIRST;
  let turns = randomOf(seed, 3).next();
  TEETH.forEach((teeth, i) => {
    bodies.push({ name: `gear of ${teeth}`, shape: i, turn: turnAbout(Z, turns), place, colour: i });
    const isLast = i === DIRECTIONS.length;
    hinges.push({
      body: i,
      axis: Z,
      ...(i === 0 && { speed: SPEED }),
      ...(isLast && { speed: 0, most: BRAKE }),
    });
    if (isLast) return;
    const direction = DIRECTIONS[i];
    const apart = pitchRadius(teeth) + pitchRadius(TEETH[i + 1]);
    const [c, s] = circlePoint(direction);
    place = [place[0] + apart * c, place[1] + apart * s, 0];
    // where this gear has a tooth, as a share of the pitch, the next one has a gap
    const share = (turns - direction) * teeth;
    turns = direction + 0.5 + (0.5 - (share - Math.floor(share))) / TEETH[i + 1];
  });
  return {
    shapes: TEETH.map((teeth) => ({ ...gear(teeth), density: 2700 })),
    bodies,
    scenery: [
      floor(2, 8),
      box('wall', [1.7, 0.85, 0.03], [0.02, 0.425, -0.09]),
      ...bodies.map(({ place }) => shaft(place)),
    ],
    hinges,
    dt: 1 / 240,
    thickness: MODULE / 50,
    friction: 0.1,
    teeth: TEETH,
  };
}

/** Along z, from the wall through the bore without touching it. */
function shaft([x, y]: ScenePoint): SceneMesh {
  const radius = 0.8 * BORE;
  const [back, front] = [-0.08, 0.045];
  const mesh = turned(
    'shaft',
    [
      [0, back],
      [radius, back],
      [radius, front - 0.004],
      [radius - 0.004, front],
      [0, front],
    ],
    40,
  );
  const positions = mesh.positions.slice();
  // y becomes z, and z becomes −y
  for (let i = 0; i < positions.length; i += 3) {
    positions[i] = x + mesh.positions[i];
    positions[i + 1] = y - mesh.positions[i + 2];
    positions[i + 2] = mesh.positions[i + 1];
  }
  return { ...mesh, positions };
}
