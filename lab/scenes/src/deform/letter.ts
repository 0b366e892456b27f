/** Solid letters of about 900 triangles, each in a lattice of cubic cells for shape matching. */
import { extrudedOutline } from './extruded-outline.js';
import { type Lattice, latticeOf } from './lattice.js';
import { ALPHABET, OUTLINES } from './letter-outlines.js';
import { type SceneMesh, square } from './scene-mesh.js';

export interface LetterShape extends SceneMesh {
  /** In the frame of the positions: the letter's box is centred on the origin, z points out of its front. */
  readonly lattice: Lattice;
  /** Of a ball about the origin that holds the letter. */
  readonly radius: number;
}

/** Metres. */
const CAPITAL_HEIGHT = 0.25;
const SCALE = CAPITAL_HEIGHT / 100;
const CELL_SIZE = 29 * SCALE;

/** The capitals A to Z. */
export function alphabet(): LetterShape[] {
  return ALPHABET.map((letter) => {
    const extrusion = { scale: SCALE, depth: 22, rows: 3, triangles: 910 };
    const mesh = extrudedOutline(letter, OUTLINES[letter], extrusion);
    return { ...mesh, lattice: latticeOf(mesh, CELL_SIZE), radius: radiusOf(mesh.positions) };
  });
}

function radiusOf(positions: Float32Array): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, square(positions[i]) + square(positions[i + 1]) + square(positions[i + 2]));
  }
  return Math.sqrt(most);
}
