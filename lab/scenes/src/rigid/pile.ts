/** Concave rings and letters that fall into an open box. */
import { cellOf } from '../deform/cells.js';
import { extrudedOutline } from '../deform/extruded-outline.js';
import { OUTLINES } from '../deform/letter-outlines.js';
import { square } from '../deform/scene-mesh.js';
import { START_GAP, torus, tray } from '../deform/surfaces.js';
import { type PlacedBody, type RigidScene, type RigidShape, randomOf, randomTurn } from './rigid-scene.js';

export interface PileOptions {
  /** Default 1 000. */
  readonly count?: number;
  /** Default 1. */
  readonly seed?: number;
}

export interface PileScene extends RigidScene {
  /** Of the box's floor, a square about the origin. Its walls lean outwards by a fifth of their height. */
  readonly side: number;
  readonly height: number;
}

/** Letters that hook into each other. */
const LETTERS = ['C', 'E', 'H', 'S', 'U', 'A', 'R'];
/** Layers fall one after the other. */
const LAYERS = 7;

export function pile({ count = 1000, seed = 1 }: PileOptions = {}): PileScene {
  const random = randomOf(seed, 4);
  const shapes: RigidShape[] = [{ ...torus(0.1, 0.028, 40, 14), name: 'ring', density: 900 }];
  for (const letter of LETTERS) {
    const extrusion = { scale: 0.0023, depth: 24, rows: 3, triangles: 1180 };
    shapes.push({ ...extrudedOutline(letter, OUTLINES[letter], extrusion), density: 900 });
  }
  const spacing = 2 * Math.max(...shapes.map(radiusOf)) + START_GAP;
  const columns = Math.max(1, Math.ceil(Math.sqrt(count / LAYERS)));
  const bodies = Array.from({ length: count }, (_, i): PlacedBody => {
    // every second one is a ring
    const shape = i % 2 === 0 ? 0 : 1 + (((i - 1) / 2) % LETTERS.length);
    const [x, y, z] = cellOf(i, columns).map((cell) => (cell + 0.5) * spacing);
    const half = (columns * spacing) / 2;
    return {
      name: `${shapes[shape].name} ${i + 1}`,
      shape,
      turn: randomTurn(random),
      place: [x - half, y + START_GAP, z - half],
      colour: i,
    };
  });
  const [side, height] = [(columns + 0.5) * spacing, 3 * spacing];
  return {
    shapes,
    bodies,
    scenery: [tray(side, height, 8)],
    hinges: [],
    dt: 1 / 100,
    thickness: 0.001,
    friction: 0.4,
    side,
    height,
  };
}

/** Of a ball about the origin that holds the shape. */
function radiusOf({ positions }: RigidShape): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, square(positions[i]) + square(positions[i + 1]) + square(positions[i + 2]));
  }
  return Math.sqrt(most);
}
