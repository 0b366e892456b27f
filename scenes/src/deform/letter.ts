/**
 * Solid letters of about 900 triangles, each in a lattice of cubic cells for shape matching.
 *
 * Layout: vertices are the front outline and its inner points, the rings behind the front from front to back, the
 * back's inner points.
 */

import { type Lattice, latticeOf } from './lattice.js';
import { ALPHABET, outlineOf, type Point } from './letter-outlines.js';
import { type SceneMesh, square } from './scene-mesh.js';
import { innerPoints, triangulateOutline } from './triangulate-outline.js';

export interface LetterShape extends SceneMesh {
  /** In the frame of the positions: the letter's box is centred on the origin, z points out of its front. */
  readonly lattice: Lattice;
  /** Of a ball about the origin that holds the letter. */
  readonly radius: number;
}

/** Metres. */
const CAPITAL_HEIGHT = 0.25;
const SCALE = CAPITAL_HEIGHT / 100;
/** Hundredths of the capital height. */
const DEPTH = 22;
const CELL_SIZE = 29 * SCALE;
const SIDE_ROWS = 3;
/** At most. */
const TRIANGLES = 910;

/** The capitals A to Z. */
export function alphabet(): LetterShape[] {
  return ALPHABET.map(letterShape);
}

function letterShape(letter: string): LetterShape {
  const { contours, inner } = sampled(letter);
  const outline = contours.flat();
  const flat = [...outline, ...inner];
  const front = triangulateOutline(contours, inner);
  const rings = outline.length;
  const behind = flat.length + (SIDE_ROWS - 1) * rings;
  const positions = new Float32Array(3 * (behind + flat.length));
  const [left, right] = [Math.min(...outline.map((p) => p[0])), Math.max(...outline.map((p) => p[0]))];
  const put = (vertex: number, [x, y]: Point, depth: number): void => {
    positions[3 * vertex] = (x - (left + right) / 2) * SCALE;
    positions[3 * vertex + 1] = (y - 50) * SCALE;
    positions[3 * vertex + 2] = (0.5 - depth) * DEPTH * SCALE;
  };
  flat.forEach((point, i) => {
    put(i, point, 0);
    put(behind + i, point, 1);
  });
  for (let row = 1; row < SIDE_ROWS; row++) {
    outline.forEach((point, i) => {
      put(flat.length + (row - 1) * rings + i, point, row / SIDE_ROWS);
    });
  }

  const indices = [...front];
  for (let i = 0; i < front.length; i += 3) {
    indices.push(behind + front[i], behind + front[i + 2], behind + front[i + 1]);
  }
  let first = 0;
  const ringStart = (row: number): number =>
    row === 0 ? 0 : row === SIDE_ROWS ? behind : flat.length + (row - 1) * rings;
  for (const contour of contours) {
    for (let i = 0; i < contour.length; i++) {
      const from = first + i;
      const to = first + ((i + 1) % contour.length);
      for (let row = 0; row < SIDE_ROWS; row++) {
        const [near, away] = [ringStart(row), ringStart(row + 1)];
        indices.push(near + from, away + from, away + to, near + from, away + to, near + to);
      }
    }
    first += contour.length;
  }
  const mesh = { name: letter, positions, indices: Uint32Array.from(indices) };
  return { ...mesh, lattice: latticeOf(mesh, CELL_SIZE), radius: radiusOf(positions) };
}

/** About the finest sampling whose solid has no more than the wanted number of triangles: wide steps, then narrow. */
function sampled(letter: string): { contours: Point[][]; inner: Point[] } {
  let side = 4;
  for (const step of [0.4, 0.05]) {
    while (trianglesWith(letter, side) > TRIANGLES) side += step;
    if (step > 0.05) side -= step;
  }
  const contours = outlineOf(letter, side);
  return { contours, inner: innerPoints(contours, side) };
}

function trianglesWith(letter: string, side: number): number {
  const contours = outlineOf(letter, side);
  const boundary = contours.flat().length;
  const walls = 2 * SIDE_ROWS * boundary;
  // without inner points the front has two less than the outline has sides
  if (walls + 2 * (boundary - 2) > TRIANGLES) return Infinity;
  const inner = innerPoints(contours, side).length;
  return walls + 2 * (2 * inner + boundary + 2 * (contours.length - 1) - 2);
}

function radiusOf(positions: Float32Array): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, square(positions[i]) + square(positions[i + 1]) + square(positions[i + 2]));
  }
  return Math.sqrt(most);
}
