/** Boxes in rows, each on two of the row below. */
import { floor } from '../deform/surfaces.js';
import { box } from './box.js';
import { type PlacedBody, type RigidScene, randomOf, UPRIGHT } from './rigid-scene.js';

export interface PyramidOptions {
  /** Default 20: 210 boxes. */
  readonly rows?: number;
  /** Default 1. */
  readonly seed?: number;
}

const [WIDTH, HEIGHT, DEPTH] = [0.5, 0.25, 0.25];
/** Between neighbours of a row. */
const GAP = 0.02;
const THICKNESS = 0.001;
/** Random offset of a box, up to half of this. */
const UNEVEN = 0.006;

export function pyramid({ rows = 20, seed = 1 }: PyramidOptions = {}): RigidScene {
  const random = randomOf(seed, 1);
  const bodies: PlacedBody[] = [];
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < rows - row; i++) {
      bodies.push({
        name: `box ${row + 1}.${i + 1}`,
        shape: 0,
        turn: UPRIGHT,
        place: [
          (i - (rows - row - 1) / 2) * (WIDTH + GAP) + UNEVEN * (random.next() - 0.5),
          HEIGHT / 2 + THICKNESS + row * (HEIGHT + THICKNESS),
          UNEVEN * (random.next() - 0.5),
        ],
        colour: row + i,
      });
    }
  }
  return {
    shapes: [{ ...box('box', [WIDTH, HEIGHT, DEPTH]), density: 700 }],
    bodies,
    scenery: [floor(1.5 * rows * WIDTH, 8)],
    hinges: [],
    dt: 1 / 60,
    thickness: THICKNESS,
    friction: 0.5,
  };
}
